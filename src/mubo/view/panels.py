"""Mechanisms side by side: how many in a row, one frame for all, one legend of their bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.view.painters.stage import PAD
from mubo.view.scene import Scene

TALLEST, WIDEST = 1.6, 2.5  # a panel's height over its width, and the other way
WIDTH = 3.2  # inches of a panel


def columns_of(count: int) -> int:
    """How many panels stand side by side."""
    return min(count, 2 if count in (2, 4) else 3 if count < 8 else 4)


def body_legend(figure: Any, scene: Scene, columns: int) -> None:
    """The colours of the moving bodies, below all panels."""
    lines = body_lines(scene)
    figure.legend(handles=lines, loc="outside lower center", ncols=min(len(lines), 2 * columns), frameon=False)


def body_lines(scene: Scene) -> list[Any]:
    """A line of every moving body's colour, with its name."""
    from matplotlib.lines import Line2D

    moving = [body for body in scene.bodies if not body.fixed]
    return [Line2D([], [], color=body.colour, lw=3.2, label=body.name) for body in moving]


def square_frame(scene: Scene) -> tuple[Any, Any]:
    """Corners of a square that holds one scene."""
    low, high = (np.asarray(corner, float)[:2] for corner in scene.box)
    middle, half = (low + high) / 2, (0.5 + PAD) * float(np.max(high - low))
    return middle - half, middle + half


def one_frame(scenes: list[Scene]) -> tuple[Any, Any]:
    """Corners of a frame that holds all scenes, not too tall and not too wide."""
    low = np.min([scene.box[0] for scene in scenes], axis=0)
    high = np.max([scene.box[1] for scene in scenes], axis=0)
    pad = PAD * float(np.max(high - low))
    low, high = low - pad, high + pad
    (x0, y0), (x1, y1) = low, high
    wider, higher = max(0.0, (y1 - y0) / TALLEST - (x1 - x0)) / 2, max(0.0, (x1 - x0) / WIDEST - (y1 - y0)) / 2
    around = np.array([wider, higher])
    return low - around, high + around
