"""Solids as flat four-sided facets with outward normals: what the painter of space sorts and shades."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import frame_about, matrix
from mubo.view.scene import Shape

SIDES, MOST_SIDES = 10, 30  # of round things, by their size


@dataclass(frozen=True)
class Facets:
    """Corners (n, 4, 3) and normals (n, 3). Facets of hollow things are seen from both sides."""

    corners: Array
    normals: Array
    hollow: bool = False

    def moved(self, at: Array, axes: Array | None = None) -> Facets:
        """The same facets turned by the columns of `axes` and shifted."""
        if axes is None:
            return Facets(self.corners + at, self.normals, self.hollow)
        return Facets(self.corners @ axes.T + at, self.normals @ axes.T, self.hollow)


def facets_of(shape: Shape, size: float) -> Facets:
    """Facets of a shape in body axes; large round things of a scene of this size get more of them."""
    n = shape.numbers
    sides = int(np.clip(100 * n.get("radius", 0.0) / size + 8, SIDES, MOST_SIDES)) // 2 * 2
    if shape.kind == "rod":
        return rod(np.asarray(n["from"]), np.asarray(n["to"]), n["radius"])
    if shape.kind == "sphere":
        return ball(n["radius"], sides, sides // 2 + 1).moved(np.asarray(n["at"]))
    axes = matrix(n["turned"])
    if shape.kind == "box":
        return block(*n["size"]).moved(np.asarray(n["at"]), axes)
    if shape.kind == "plate":
        return _sheet(*n["size"]).moved(np.asarray(n["at"]), axes)
    if shape.kind == "cylinder":
        return cylinder(n["radius"], n["length"], True, sides).moved(np.asarray(n["at"]), axes)
    return _tube(n["radius"], n["inner"], n["length"], sides).moved(np.asarray(n["at"]), axes)


def rod(start: Array, end: Array, radius: float) -> Facets:
    """A round bar."""
    along = end - start
    length = float(np.linalg.norm(along))
    return cylinder(radius, length).moved((start + end) / 2, frame_about(tuple(along)) if length > 0 else np.eye(3))


def cylinder(radius: float, length: float, ends: bool = True, sides: int = SIDES) -> Facets:
    """About z, its middle at the origin; cut along its length so that far and near parts sort rightly."""
    angle = np.linspace(0, 2 * np.pi, sides + 1)
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    cuts = np.linspace(-length / 2, length / 2, int(np.clip(np.ceil(length / (8 * radius)), 1, 10)) + 1)
    wall = [_quad(ring[:-1], ring[1:], low, high) for low, high in pairwise(cuts)]
    caps = [_cap(ring[:-1], z) for z in (cuts[0], cuts[-1])] if ends else []
    return _outward(np.concatenate([*wall, *caps]), np.zeros(3))


def ball(radius: float, around: int = SIDES, down: int = 6) -> Facets:
    """A sphere about the origin."""
    u, v = np.linspace(0, 2 * np.pi, around + 1), np.linspace(-np.pi / 2, np.pi / 2, down + 1)
    grid = np.stack(
        [np.cos(v)[:, None] * np.cos(u), np.cos(v)[:, None] * np.sin(u), np.sin(v)[:, None] + 0 * u], axis=-1
    )
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2).reshape(-1, 4, 3)
    return _outward(radius * quads, np.zeros(3))


def block(a: float, b: float, c: float, cut: int = 2) -> Facets:
    """A box about the origin; each face is cut so that it sorts rightly against its neighbours."""
    line = np.linspace(-0.5, 0.5, cut + 1)
    low, high = line[:-1], line[1:]
    u0, v0 = (x.ravel() for x in np.meshgrid(low, low))
    u1, v1 = (x.ravel() for x in np.meshgrid(high, high))
    faces = []
    for k in range(3):
        for side in (-0.5, 0.5):
            flat = np.stack([np.column_stack(pair) for pair in ((u0, v0), (u1, v0), (u1, v1), (u0, v1))], axis=1)
            faces.append(np.insert(flat, k, side, axis=2))
    return _outward(np.concatenate(faces) * [a, b, c], np.zeros(3))


def _sheet(a: float, b: float, cut: int = 5) -> Facets:
    """A plate without thickness in x and y, seen from both sides."""
    top = block(a, b, 1.0, cut)
    flat = top.corners[top.normals[:, 2] > 0.5] * [1, 1, 0]
    return Facets(flat, np.tile([0.0, 0.0, 1.0], (len(flat), 1)), hollow=True)


def _tube(radius: float, inner: float, length: float, sides: int) -> Facets:
    outside, inside = (cylinder(r, length, False, sides) for r in (radius, inner))
    angle = np.linspace(0, 2 * np.pi, sides + 1)
    wide, narrow = (r * np.column_stack([np.cos(angle), np.sin(angle)]) for r in (radius, inner))
    ends = [
        np.stack([np.insert(p, 2, z, axis=1) for p in (wide[:-1], wide[1:], narrow[1:], narrow[:-1])], axis=1)
        for z in (-length / 2, length / 2)
    ]
    flat = np.repeat([[0.0, 0, -1], [0, 0, 1]], sides, axis=0)
    corners = np.concatenate([outside.corners, inside.corners, *ends])
    return Facets(corners, np.concatenate([outside.normals, inside.normals, flat]), hollow=True)


def _quad(left: Array, right: Array, low: float, high: float) -> Array:
    return np.stack(
        [np.insert(p, 2, z, axis=1) for p, z in ((left, low), (right, low), (right, high), (left, high))], 1
    )


def _cap(ring: Array, z: float) -> Array:
    """A disc as a fan of four-sided pieces."""
    count = len(ring)
    fan = [np.array([[0.0, 0.0], ring[k], ring[k + 1], ring[(k + 2) % count]]) for k in range(0, count, 2)]
    return np.insert(np.array(fan), 2, z, axis=2)


def _outward(corners: Array, centre: Array) -> Facets:
    """Normals of the facets of a convex solid around its centre."""
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.where(length > 0, length, 1.0)
    away = np.sum(normal * (corners.mean(axis=1) - centre), axis=1)
    return Facets(corners, normal * np.where(away < 0, -1.0, 1.0)[:, None])
