"""The path of a point in space, over the same floor and from the same side as the mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.results import Run
from mubo.view.decimate import thinned_path
from mubo.view.painters.stage import Stage
from mubo.view.scene import Scene
from mubo.view.style import COLOURS, INK
from mubo.view.vectors import owner_of


def draw_space_path(axes: Any, run: Run, columns: list[str], scene: Scene) -> None:
    """The path with its start, and its shadow on the floor."""
    name = owner_of(run, columns, ("x", "y", "z"), "a path")
    axes.set_title(f"path of {name}")
    stage = Stage(axes, scene, labels=False)
    assert stage.camera is not None
    path = thinned_path(np.column_stack([run[f"{name}.{letter}"] for letter in "xyz"]))
    up = stage.camera.up
    floor = path - (path @ up - stage.camera.floor)[:, None] * up
    axes.plot(*stage.flat(floor).T, color="#c9ccd0", lw=1.0, zorder=2)
    axes.plot(*stage.flat(path).T, color=scene.colour(name) or COLOURS[0], zorder=3)
    start = stage.flat(path[np.isfinite(path).all(axis=1)][:1])
    axes.plot(*start.T, "o", color=INK, ms=5.5, zorder=4)
    axes.annotate("start", start[0], (8, 7), textcoords="offset points", zorder=5)
