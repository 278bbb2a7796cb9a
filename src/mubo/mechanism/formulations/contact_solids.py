"""Convex solids of space as arrays of the core: triangles and edges of boxes and hulls, the axis of a capsule.

Two solids touch corner to face or edge to edge: see core/contact/solids.hpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model.parts import Detail

FLAT = 1e-9  # of the size: triangles whose normals differ less lie in one face


@dataclass(frozen=True)
class SolidEdge:
    """An edge: its start and direction, and the outward normals of its two faces; zero for the axis of a capsule."""

    start: Array
    along: Array
    faces: tuple[Array, Array]


def solid_corners(surface: Detail) -> Array:
    """Corners of a box or hull in body axes."""
    if surface["shape"] == "hull":
        return np.array(surface["corners"], float)
    at = np.array(surface["at"] or (0, 0, 0), float)
    return np.asarray(at + np.array(list(product((-0.5, 0.5), repeat=3))) * np.array(surface["size"], float))


def hull_triangles(surface: Detail) -> Array:
    """Triangles of the convex hull of the corners, counter-clockwise seen from outside: triangles × corners × 3."""
    from scipy.spatial import ConvexHull, QhullError

    corners = solid_corners(surface)
    try:
        found = ConvexHull(corners)
    except (QhullError, ValueError):
        raise ModelError(
            f"surface {surface.name}: its corners enclose no volume: a hull has four or more that lie in no plane",
            names=[surface.name],
        ) from None
    triangles = corners[found.simplices]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = np.einsum("ij,ij->i", normals, found.equations[:, :3]) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    return np.asarray(triangles)


def solid_edges(surface: Detail) -> list[SolidEdge]:
    """Edges of a box or hull where two of its faces meet; of a capsule its axis."""
    if surface["shape"] == "capsule":
        start, none = np.array(surface["at"] or (0, 0, 0), float), np.zeros(3)
        return [SolidEdge(start, np.array(surface["to"], float) - start, (none, none))]
    if surface["shape"] not in ("box", "hull"):
        return []
    triangles = hull_triangles(surface)
    sides: dict[tuple[tuple[float, ...], ...], list[Array]] = {}
    for triangle in triangles:
        normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
        normal /= np.linalg.norm(normal)
        for k in range(3):
            ends = sorted((tuple(triangle[k]), tuple(triangle[(k + 1) % 3])))
            sides.setdefault(tuple(ends), []).append(normal)
    out = []
    for (first, second), (one, two) in sides.items():
        if np.linalg.norm(one - two) > FLAT:
            out.append(SolidEdge(np.array(first), np.array(second) - first, (one, two)))
    return out


def crossing_edges(of: Detail, on: Detail) -> Iterator[tuple[Array, Array]]:
    """Start of every edge of the first solid with the numbers of its meeting with every edge of the second."""
    deepest = [min(_half_width(of), _half_width(on))]
    for one, two in product(solid_edges(of), solid_edges(on)):
        yield one.start, np.concatenate([two.start, two.along, *two.faces, one.along, *one.faces, deepest])


def _half_width(surface: Detail) -> float:
    """Half of the least width of a box or hull across one of its faces; without bound of a capsule."""
    if surface["shape"] == "capsule":
        return np.inf
    triangles, corners = hull_triangles(surface), solid_corners(surface)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    along = corners @ (normals / np.linalg.norm(normals, axis=1)[:, None]).T
    return float(np.min(np.ptp(along, axis=0))) / 2
