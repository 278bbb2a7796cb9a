"""Plates as solids: STL for printing, STEP for CAD, in millimetres; a solid for every part, named by its body.

STL knows triangles only: arcs become chords that are at most `FINE` of their radius away. STEP (ISO 10303-21, schema
AUTOMOTIVE_DESIGN of AP214) has planes, cylinders, lines and circles, so that everything is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mubo.applications.workshop.placement import PlacedPlate
from mubo.applications.workshop.step_file import StepFile
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.contours import Contour
from mubo.geometry.polygons import triangles

FINE = 2e-3  # of a radius


def require_thickness(placed: Sequence[PlacedPlate]) -> None:
    """Refuses plates without a thickness: they are no solids."""
    thin = [one.plate.body for one in placed if one.plate.thickness is None]
    if thin:
        raise ModelError(
            f"body {thin[0]}: its thickness is not known",
            suggestion=f"Write [outline.{thin[0]}] with a thickness, or give one for all: --thickness '3 mm'.",
            names=thin,
        )


def stl_of(placed: Sequence[PlacedPlate], scale: float) -> str:
    """Solids of triangles as text; `scale` makes millimetres."""
    require_thickness(placed)
    lines: list[str] = []
    for one in placed:
        lines.append(f"solid {one.plate.body}")
        for facet in np.concatenate([*_facets(one)]) * scale:
            normal = np.cross(facet[1] - facet[0], facet[2] - facet[0])
            size = float(np.linalg.norm(normal))
            x, y, z = normal / size if size > 0 else normal
            lines.append(f"facet normal {x:.9g} {y:.9g} {z:.9g}\n outer loop")
            lines += [f"  vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in facet]
            lines.append(" endloop\nendfacet")
        lines.append(f"endsolid {one.plate.body}")
    return "\n".join([*lines, ""])


def _facets(one: PlacedPlate) -> Iterator[Array]:
    """The triangles of lower face, upper face and sides, counter-clockwise seen from outside."""
    low, high = one.bottom, one.bottom + (one.plate.thickness or 0.0)
    outer, *holes = (_fine(contour) for contour in (one.contour, *one.cuts))
    flat = np.array(triangles(outer, holes))
    yield _raised(flat[:, ::-1], low)
    yield _raised(flat, high)
    for ring in (outer, *(hole[::-1] for hole in holes)):
        a, b = _raised(ring, low), _raised(np.roll(ring, -1, axis=0), low)
        c, d = _raised(np.roll(ring, -1, axis=0), high), _raised(ring, high)
        yield np.stack([a, b, c], axis=1)
        yield np.stack([a, c, d], axis=1)


def _fine(contour: Contour) -> Array:
    return contour.corners(FINE * min((arc.radius for arc in contour.arcs), default=1.0))


def _raised(places: Array, height: float) -> Array:
    return np.concatenate([places, np.full((*places.shape[:-1], 1), height)], axis=-1)


def step_of(placed: Sequence[PlacedPlate], scale: float, name: str) -> str:
    """Solids with exact faces, each a product of its own."""
    require_thickness(placed)
    file = StepFile(name)
    for one in placed:
        thickness = (one.plate.thickness or 0.0) * scale
        rings = [_scaled(one.contour, scale), *(_turned_round(_scaled(cut, scale)) for cut in one.cuts)]
        file.add_prism(one.plate.body, rings, one.bottom * scale, thickness)
    return file.text


def _scaled(contour: Contour, scale: float) -> Contour:
    return Contour(contour.vertices * scale, contour.bulges)


def _turned_round(contour: Contour) -> Contour:
    """The contour in the other sense, with its inside on the right."""
    return Contour(contour.vertices[::-1], -np.roll(contour.bulges[::-1], -1))
