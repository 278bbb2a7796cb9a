"""The room that a body takes in the plane: convex parts in its axes, with a radius around them.

In this order: the polygon of [outline.BODY]; its beam, as high as its section; its shape; the hull of its points. A
radius of [outline.BODY] goes around all of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.applications.strength.beams import beam_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.polygons import circle, hull, triangles
from mubo.model import GROUND, ModelDefinition
from mubo.model.parts import Detail


@dataclass(frozen=True)
class Outline:
    """A body or keep-out: convex rings of one, two or more points (parts × points × 2), how far it goes beyond them.

    `edges` are the segments of its boundary (edges × 2 × 2), `ring` its corners where it encloses something.
    """

    name: str
    body: str
    parts: tuple[Array, ...]
    radius: float
    ring: Array
    layer: float = 0.0

    @property
    def corners(self) -> Array:
        """The corners of a region: its ring, or a circle around its one point."""
        return self.ring if len(self.ring) else circle(self.parts[0][0], self.radius, 96)[:-1]

    @property
    def edges(self) -> Array:
        if len(self.ring):
            return np.stack([self.ring, np.roll(self.ring, -1, axis=0)], axis=1)
        return np.array([(part[0], part[-1]) for part in self.parts])


def outline_of(model: ModelDefinition, body: str) -> Outline | None:
    """The outline of a body; None where nothing says how large it is."""
    detail = model.outlines.get(body) or Detail(body)
    layer, own = detail["layer"] or 0.0, _own(model, body, detail)
    if own is None:
        return None
    parts, radius, ring = own
    wide = radius if detail["radius"] is None else detail["radius"]
    if wide == 0 and all(len(part) == 1 for part in parts):
        return None  # a point takes no room
    return Outline(body, body, parts, wide, ring, layer)


Own = tuple[tuple[Array, ...], float, Array]
NONE = np.zeros((0, 2))


def _own(model: ModelDefinition, body: str, detail: Detail) -> Own | None:
    if detail["polygon"] is not None:
        return _polygon(f"outline {body}", np.array(detail["polygon"], float))
    section = model.sections.get(body)
    if section is not None:
        beam = beam_of(model, section)
        lines = np.stack([beam.corners[:-1], beam.corners[1:]], axis=1)
        return tuple(lines), (beam.section.height or 0.0) / 2, NONE
    return _shaped(model, body) or _points(model, body)


def _polygon(name: str, ring: Array) -> Own:
    try:
        return tuple(triangles(ring)), 0.0, ring
    except ValueError as error:
        raise ModelError(f"{name}: {error}") from None


def _shaped(model: ModelDefinition, body: str) -> Own | None:
    """The outline of a bar with a width or of a disc; a plate is the hull of its points."""
    held = model.bodies[body]
    shape, sizes = held.shape, held.shape.sizes if held.shape is not None else {}
    if shape is None:
        return None
    centre = np.array(held.own.center or (0.0, 0.0))
    if "radius" in sizes:
        return (centre[None],), sizes["radius"], NONE
    if not shape.on and "length" not in sizes:
        return None
    half = np.array([sizes.get("length", 0.0) / 2, 0.0])
    ends = np.array([held.points[name] for name in shape.on]) if shape.on else np.array([centre - half, centre + half])
    if "width" not in sizes:
        return (ends,), 0.0, NONE
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = sizes["width"] / 2 * np.array([-along[1], along[0]])
    ring = np.array([ends[0] - across, ends[1] - across, ends[1] + across, ends[0] + across])
    return (ring,), 0.0, ring


def _points(model: ModelDefinition, body: str) -> Own | None:
    points = np.array(list(model.bodies[body].points.values()), float).reshape(-1, 2)
    if not len(points):
        return None
    ring = hull(points)
    return (ring,), 0.0, ring if len(ring) > 2 else NONE


def keepout_of(detail: Detail) -> Outline:
    """A region of the ground where nothing may come."""
    if detail["polygon"] is None:
        return Outline(detail.name, GROUND, (np.array([detail["center"]], float),), detail["radius"], NONE)
    parts, radius, ring = _polygon(f"keepout {detail.name}", np.array(detail["polygon"], float))
    return Outline(detail.name, GROUND, parts, radius, ring)
