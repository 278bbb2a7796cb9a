"""Strokes: what a planar picture is made of, and the strokes of bodies. Widths are in points of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.view.scene import End, Scene, SceneBody
from mubo.view.style import tint

CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 25)) for f in (np.cos, np.sin)])
BEHIND, GUIDES, LINKS, GLYPHS, PINS = range(5)  # what is drawn over what


@dataclass(frozen=True)
class Stroke:
    """A line or an area fixed in a body, in its axes."""

    body: str
    points: Array
    layer: int
    face: str | None = None
    edge: str | None = None
    width: float = 1.2
    alpha: float = 1.0


@dataclass(frozen=True)
class Stretch:
    """A line or an area between places on two bodies; `form` makes it from the two places."""

    first: End
    second: End
    form: Callable[[Array, Array], Array]
    layer: int
    face: str | None = None
    edge: str | None = None
    width: float = 1.2
    alpha: float = 1.0


Drawn = Stroke | Stretch


def link_width(scene: Scene, unit: float) -> float:
    """Width of a link in points: a part of the typical length of bars and plates, within what is readable."""
    lengths = [
        float(np.max(np.ptp(shape.numbers["points"], axis=0)))
        for body in scene.bodies
        for shape in body.shapes
        if shape.kind in ("bar", "plate")
    ]
    return float(np.clip(0.075 * np.median(lengths) / unit, 3.0, 9.5)) if lengths else 7.0


def body_strokes(body: SceneBody, width: float) -> list[Stroke]:
    """Links with a dark edge and a light face, wheels and cams as thin areas."""
    out: list[Stroke] = []
    for shape in body.shapes:
        points = shape.numbers["points"]
        if shape.kind == "curve":
            face = tint(body.colour, 0.85) if shape.numbers["filled"] else None
            line = _closed(points) if face else points
            thick = 2.4 if len(body.shapes) == 1 and not face and not body.fixed else 1.2  # the axes of a bare body
            out.append(Stroke(body.name, line, BEHIND if face or body.fixed else GLYPHS, face, body.colour, thick))
            continue
        line = points if shape.kind == "bar" else np.vstack([points, points[:2]])
        inside = tint(body.colour, 0.72)
        if body.fixed:
            out.append(Stroke(body.name, line, BEHIND, None, tint(body.colour, 0.6), 1.2))
        else:
            out.append(Stroke(body.name, line, LINKS, None, body.colour, width))
            out.append(
                Stroke(body.name, line, LINKS, inside if shape.kind == "plate" else None, inside, max(width - 2.6, 0.8))
            )
    return out


def _closed(points: Array) -> Array:
    return points if np.allclose(points[0], points[-1]) else np.vstack([points, points[:1]])
