"""Outlines of bodies in the plane: convex parts in their axes, with a radius around them.

In this order: the polygon of [outline.BODY]; its beam, as high as its section; its shape; the hull of its points. A
radius of [outline.BODY] goes around all of these.
"""

from __future__ import annotations

import numpy as np

from mubo.applications.strength.beams import beam_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.polygons import circle, hull, triangles
from mubo.lazy_dataclass import dataclass
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
    layer, own = detail["layer"] or 0.0, _own_outline(model, body, detail)
    if own is None:
        return None
    parts, radius, ring = own
    wide = radius if detail["radius"] is None else detail["radius"]
    if wide == 0 and all(len(part) == 1 for part in parts):
        return None  # a point has no extent
    return Outline(body, body, parts, wide, ring, layer)


Parts = tuple[tuple[Array, ...], float, Array]
NONE = np.zeros((0, 2))


def _own_outline(model: ModelDefinition, body: str, detail: Detail) -> Parts | None:
    if detail["polygon"] is not None:
        return _polygon_outline(f"outline {body}", np.array(detail["polygon"], float))
    section = model.sections.get(body)
    if section is not None:
        beam = beam_of(model, section)
        lines = np.stack([beam.corners[:-1], beam.corners[1:]], axis=1)
        return tuple(lines), (beam.section.height or 0.0) / 2, NONE
    return _shape_outline(model, body) or _hull_outline(model, body)


def _polygon_outline(name: str, ring: Array) -> Parts:
    try:
        return tuple(triangles(ring)), 0.0, ring
    except ValueError as error:
        raise ModelError(f"{name}: {error}") from None


def _shape_outline(model: ModelDefinition, body: str) -> Parts | None:
    """The outline of a bar with a width, of a disc or of a link; a plate is the hull of its points."""
    own = model.bodies[body]
    shape, sizes = own.shape, own.shape.sizes if own.shape is not None else {}
    if shape is None:
        return None
    if shape.kind == "link":
        hulled = _hull_outline(model, body)
        return None if hulled is None else (hulled[0], sizes["width"] / 2, hulled[2])
    centre = np.array(own.own.center or (0.0, 0.0))
    if "radius" in sizes:
        return (centre[None],), sizes["radius"], NONE
    if not shape.on and "length" not in sizes:
        return None
    half = np.array([sizes.get("length", 0.0) / 2, 0.0])
    ends = np.array([own.points[name] for name in shape.on]) if shape.on else np.array([centre - half, centre + half])
    if "width" not in sizes:
        return (ends,), 0.0, NONE
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = sizes["width"] / 2 * np.array([-along[1], along[0]])
    ring = np.array([ends[0] - across, ends[1] - across, ends[1] + across, ends[0] + across])
    return (ring,), 0.0, ring


def _hull_outline(model: ModelDefinition, body: str) -> Parts | None:
    points = np.array(list(model.bodies[body].points.values()), float).reshape(-1, 2)
    if not len(points):
        return None
    ring = hull(points)
    return (ring,), 0.0, ring if len(ring) > 2 else NONE


def keepout_of(detail: Detail) -> Outline:
    """The outline of a keep-out region, fixed to the ground."""
    if detail["polygon"] is None:
        return Outline(detail.name, GROUND, (np.array([detail["center"]], float),), detail["radius"], NONE)
    parts, radius, ring = _polygon_outline(f"keepout {detail.name}", np.array(detail["polygon"], float))
    return Outline(detail.name, GROUND, parts, radius, ring)
