"""Solids as meshes with normals, tessellated here and nowhere else. Sharp edges have vertices of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import frame_about
from mubo.lazy_dataclass import dataclass

AROUND = 16  # corners of a circle
SMOOTH = np.cos(np.radians(35.0))  # outlines that bend by less are round to the light
COILS = 9


@dataclass(frozen=True, eq=False)
class SolidMesh:
    """Places (n × 3), unit normals (n × 3) and faces (m × 4), counter-clockwise seen from outside.

    A face of three corners repeats its last one.
    """

    places: Array
    normals: Array
    faces: Any  # of whole numbers

    @property
    def triangles(self) -> Any:
        """The faces as triangles (k × 3)."""
        a, b, c, d = np.asarray(self.faces).T
        return np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])[c != d]])

    def transformed(self, at: Sequence[float] | Array, axes: Array | None = None) -> SolidMesh:
        """Turned by a rotation matrix, then shifted."""
        turn = np.eye(3) if axes is None else axes
        return SolidMesh(self.places @ turn.T + np.asarray(at, float), self.normals @ turn.T, self.faces)


def join_meshes(meshes: Sequence[SolidMesh]) -> SolidMesh:
    """Several meshes as one."""
    first = np.cumsum([0, *(len(mesh.places) for mesh in meshes)])
    return SolidMesh(
        np.concatenate([mesh.places for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.faces + k for mesh, k in zip(meshes, first, strict=False)]),
    )


def box(a: float, b: float, c: float) -> SolidMesh:
    """A box about the origin, edges along x, y, z."""
    half, sides = np.array([a, b, c]) / 2, []
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for sign in (-1.0, 1.0):
            normal = sign * np.eye(3)[axis]
            corners = [normal + s * u + t * sign * v for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            sides.append(SolidMesh(half * np.array(corners), np.tile(normal, (4, 1)), np.arange(4)[None]))
    return join_meshes(sides)


def cylinder(radius: float, length: float, around: int = AROUND) -> SolidMesh:
    """A cylinder along z about the origin; with few corners `around` still round to the light."""
    h = length / 2
    return _revolve_pieces([((0, -h), (radius, -h)), ((radius, -h), (radius, h)), ((radius, h), (0, h))], around)


def tube(radius: float, inner: float, length: float, around: int = AROUND) -> SolidMesh:
    """A cylinder along z with a hole."""
    h = length / 2
    ring = [(inner, -h), (radius, -h), (radius, h), (inner, h), (inner, -h)]
    return _revolve_pieces(list(pairwise(ring)), around)


def ball(radius: float, around: int = AROUND) -> SolidMesh:
    """A sphere about the origin."""
    polar = np.linspace(0, np.pi, around // 2 + 1)
    wall = np.column_stack([np.sin(polar), -np.cos(polar)])
    wall[-1] = (0, 1)  # the pole itself, without rounding
    return _revolve_profile(radius * wall, wall, around)


def rod(start: Sequence[float] | Array, end: Sequence[float] | Array, radius: float, around: int = AROUND) -> SolidMesh:
    """A round bar between two places, with round ends around them."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    polar = np.linspace(0, np.pi / 2, around // 6 + 1)
    cap = np.column_stack([np.sin(polar), -np.cos(polar)])
    wall = np.vstack([cap, cap[::-1] * [1, -1]])
    shift = np.repeat([0.0, length], len(cap))
    solid = _revolve_profile(radius * wall + np.column_stack([0 * shift, shift]), wall, around)
    return solid.transformed(a, frame_about(b - a) if length > 0 else None)


def arrow(length: float, radius: float, around: int = AROUND) -> SolidMesh:
    """An arrow from the origin along z."""
    neck = length - 6 * radius
    ring = [(0, 0), (radius, 0), (radius, neck), (3 * radius, neck), (0, length)]
    return _revolve_pieces(list(pairwise(ring)), around)


def prism(outline: Array, low: float, high: float) -> SolidMesh:
    """A flat outline (n × 2, in either sense) made thick along z; every corner must be seen from its middle."""
    ring = _ring(outline)
    count, k = len(ring), np.arange(len(ring))
    middle = (ring + np.roll(ring, -1, axis=0)).mean(axis=0) / 2
    faces = [_wall(ring, low, high)]
    for z, sign in ((high, 1.0), (low, -1.0)):
        near, far = (k, (k + 1) % count) if sign > 0 else ((k + 1) % count, k)
        fan = np.column_stack([np.full(count, count), near, far, far])
        normals = np.tile([0.0, 0.0, sign], (count + 1, 1))
        faces.append(SolidMesh(_at(np.vstack([ring, middle]), z), normals, fan))
    return join_meshes(faces)


def ring(outer: Array, inner: Array, low: float, high: float) -> SolidMesh:
    """A plate between two closed outlines with as many corners, both counter-clockwise, made thick along z."""
    out, hole = (line[:-1] if np.allclose(line[0], line[-1]) else line for line in (outer, inner))
    return join_meshes([_wall(out, low, high), _wall(hole[::-1], low, high), *_lids(out, hole, low, high, True)])


def strip(line: Array, foot: Array, low: float, high: float) -> SolidMesh:
    """A plate between a line and its feet, as many, all on one side of it, made thick along z."""
    if _area(np.vstack([line, foot[::-1]])) < 0:
        line, foot = line[::-1], foot[::-1]
    whole = _wall(np.vstack([line, foot[::-1]]), low, high)
    return join_meshes([whole, *_lids(line, foot, low, high, False)])


def helix(radius: float, wire: float, length: float, turns: int = COILS) -> SolidMesh:
    """A coil spring from the origin along z, wound `turns` times, its first and last turn narrower."""
    part = np.linspace(0, 1, 12 * turns + 1)
    wide = radius * (0.5 + 0.5 * np.clip(np.minimum(part, 1 - part) * turns, 0, 1))
    angle = 2 * np.pi * turns * part
    return sweep_circle(np.column_stack([wide * np.cos(angle), wide * np.sin(angle), length * part]), wire)


def sweep_circle(path: Array, radius: float, around: int = 8) -> SolidMesh:
    """A round wire along a path; its rings turn with the path, without spin."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = frame_about(along[0])[:, 0]
    turn = 2 * np.pi * np.arange(around) / around
    rings = []
    for u in along:
        side = side - (side @ u) * u
        side /= np.linalg.norm(side)
        rings.append(np.outer(np.cos(turn), side) + np.outer(np.sin(turn), np.cross(u, side)))
    normals = np.array(rings)
    places = path[:, None] + radius * normals
    return SolidMesh(places.reshape(-1, 3), normals.reshape(-1, 3), _grid(len(path), around))


def _revolve_pieces(pieces: Sequence[tuple[tuple[float, float], tuple[float, float]]], around: int) -> SolidMesh:
    """Straight pieces (radius, z) turned about z, with sharp edges between them; outside is to their right."""
    parts = []
    for a, b in pieces:
        step = np.array(b, float) - a
        n = np.array([step[1], -step[0]]) / np.hypot(*step)
        parts.append(_revolve_profile(np.array([a, b], float), np.array([n, n]), around))
    return join_meshes(parts)


def _revolve_profile(profile: Array, normals: Array, around: int) -> SolidMesh:
    """A profile of (radius, z) turned about z."""
    angle = 2 * np.pi * np.arange(around) / around
    spin = np.column_stack([np.cos(angle), np.sin(angle)])

    def spread(flat: Array) -> Array:
        return np.stack([_at(r * spin, z) for r, z in flat]).reshape(-1, 3)

    faces = _grid(len(profile), around)
    low, high = profile[0, 0] == 0, profile[-1, 0] == 0
    if low:  # at a pole two corners of a face fall together
        faces[:around] = faces[:around][:, [0, 2, 3, 3]]
    if high:
        faces[-around:] = faces[-around:][:, [0, 1, 2, 2]]
    return SolidMesh(spread(profile), spread(normals), faces)


def _grid(rows: int, around: int) -> Any:
    """Faces between rings of corners."""
    k = np.arange(around)
    first = np.column_stack([k, (k + 1) % around, (k + 1) % around + around, k + around])
    return np.concatenate([first + around * row for row in range(rows - 1)])


def _wall(corners: Array, low: float, high: float) -> SolidMesh:
    """The side of a prism; corners that bend little are round to the light."""
    edge = np.roll(corners, -1, axis=0) - corners
    out = np.column_stack([edge[:, 1], -edge[:, 0]]) / np.hypot(*edge.T)[:, None]
    before, after = np.roll(out, 1, axis=0), np.roll(out, -1, axis=0)

    def shared(other: Array) -> Array:
        soft = np.sum(out * other, axis=1) > SMOOTH
        mixed = np.where(soft[:, None], out + other, out)
        return np.asarray(mixed / np.hypot(*mixed.T)[:, None])

    ends = np.roll(corners, -1, axis=0)
    places = np.stack([_at(corners, low), _at(ends, low), _at(ends, high), _at(corners, high)], 1).reshape(-1, 3)
    left, right = _at(shared(before), 0.0), _at(shared(after), 0.0)
    normals = np.stack([left, right, right, left], 1).reshape(-1, 3)
    return SolidMesh(places, normals, np.arange(4 * len(corners)).reshape(-1, 4))


def _lids(line: Array, foot: Array, low: float, high: float, closed: bool) -> list[SolidMesh]:
    count = len(line)
    k = np.arange(count if closed else count - 1)
    after = (k + 1) % count
    quads = np.column_stack([k, after, after + count, k + count])
    both = np.vstack([line, foot])
    return [
        SolidMesh(_at(both, z), np.tile([0.0, 0.0, sign], (2 * count, 1)), quads if sign > 0 else quads[:, ::-1])
        for z, sign in ((high, 1.0), (low, -1.0))
    ]


def _ring(outline: Array) -> Array:
    """Counter-clockwise, without the first corner repeated at the end."""
    open_end = outline[:-1] if np.allclose(outline[0], outline[-1]) else outline
    return open_end if _area(open_end) > 0 else open_end[::-1]


def _at(flat: Array, z: float) -> Array:
    return np.column_stack([flat, np.full(len(flat), z)])


def _area(ring: Array) -> float:
    x, y = ring.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
