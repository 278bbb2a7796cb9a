"""Triangle meshes of simple solids, with normals. Edges that are sharp have vertices of their own on each side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import frame_about

AROUND = 24  # corners of a circle


@dataclass(frozen=True, eq=False)
class Mesh:
    """Places (n × 3), unit normals (n × 3) and triangles (m × 3), counter-clockwise seen from outside."""

    places: Array
    normals: Array
    triangles: Any  # of whole numbers

    def moved(self, at: Sequence[float] | Array, axes: Array | None = None) -> Mesh:
        """Turned by a rotation matrix, then shifted."""
        turn = np.eye(3) if axes is None else axes
        return Mesh(self.places @ turn.T + np.asarray(at, float), self.normals @ turn.T, self.triangles)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    first = np.cumsum([0, *(len(mesh.places) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.places for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.triangles + k for mesh, k in zip(meshes, first, strict=False)]),
    )


def box(a: float, b: float, c: float) -> Mesh:
    """A box about the origin, edges along x, y, z."""
    places: list[Array] = []
    normals: list[Array] = []
    triangles: list[tuple[int, ...]] = []
    half = np.array([a, b, c]) / 2
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            normal = sign * np.eye(3)[axis]
            corners = [normal + s * u + t * sign * v for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            first = len(places)
            places += [corner * half for corner in corners]
            normals += [normal] * 4
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Mesh(np.array(places), np.array(normals), np.array(triangles))


def cylinder(radius: float, length: float, around: int = AROUND) -> Mesh:
    """A cylinder along z about the origin; with few corners `around` still round to the light."""
    return joined([_wall(radius, length, around, 1.0), *_lids(radius, 0.0, length, around)])


def tube(radius: float, inner: float, length: float) -> Mesh:
    """A cylinder along z with a hole."""
    walls = [_wall(radius, length, AROUND, 1.0), _wall(inner, length, AROUND, -1.0)]
    return joined([*walls, *_lids(radius, inner, length, AROUND)])


def ball(radius: float) -> Mesh:
    """A sphere about the origin: rings between two poles."""
    rings = AROUND // 2
    polar, turn = np.pi * np.arange(1, rings) / rings, 2 * np.pi * np.arange(AROUND) / AROUND
    ring = np.stack(
        [
            np.outer(np.sin(polar), np.cos(turn)),
            np.outer(np.sin(polar), np.sin(turn)),
            np.outer(np.cos(polar), np.ones(AROUND)),
        ],
        -1,
    ).reshape(-1, 3)
    normals = np.vstack([ring, [[0, 0, 1], [0, 0, -1]]])
    top, bottom, last = len(ring), len(ring) + 1, len(ring) - AROUND
    triangles = []
    for k in range(AROUND):
        after = (k + 1) % AROUND
        triangles += [(top, k, after), (bottom, last + after, last + k)]
        for r in range(0, last, AROUND):
            triangles += [(r + k, r + AROUND + k, r + AROUND + after), (r + k, r + AROUND + after, r + after)]
    return Mesh(radius * normals, normals, np.array(triangles))


def prism(outline: Array, low: float, high: float) -> Mesh:
    """A flat outline (n × 2, either way round) made thick along z; every corner must be seen from its middle."""
    ring = outline if _area(outline) > 0 else outline[::-1]
    count, middle = len(ring), ring.mean(axis=0)
    after = np.roll(ring, -1, axis=0)
    edge = after - ring
    out = np.column_stack([edge[:, 1], -edge[:, 0]]) / np.hypot(*edge.T)[:, None]
    walls = np.stack([_at(ring, low), _at(after, low), _at(after, high), _at(ring, high)], 1).reshape(-1, 3)
    corner = 4 * np.arange(count)
    quads = [np.column_stack([corner + k for k in pick]) for pick in ((0, 1, 2), (0, 2, 3))]
    faces = [Mesh(walls, np.repeat(_at(out, 0.0), 4, 0), np.vstack(quads))]
    for z, sign in ((high, 1.0), (low, -1.0)):
        places = _at(np.vstack([ring, middle]), z)
        k = np.arange(count)
        fan = np.column_stack([np.full(count, count), k, (k + 1) % count])
        normals = np.tile([0.0, 0.0, sign], (count + 1, 1))
        faces.append(Mesh(places, normals, fan if sign > 0 else fan[:, ::-1]))
    return joined(faces)


def band(outline: Array, width: float, low: float, high: float) -> Mesh:
    """The rim of a round outline: from it inwards by `width`, made thick along z."""
    ring = outline if _area(outline) > 0 else outline[::-1]
    out = ring - ring.mean(axis=0)
    out /= np.hypot(*out.T)[:, None]
    inner, k = ring - width * out, np.arange(len(ring))
    after = (k + 1) % len(ring)
    faces = []
    for near, far, normal in (
        (_at(ring, low), _at(ring, high), _at(out, 0.0)),
        (_at(inner, high), _at(inner, low), _at(-out, 0.0)),
        (_at(ring, high), _at(inner, high), _at(0 * out, 1.0)),
        (_at(inner, low), _at(ring, low), _at(0 * out, -1.0)),
    ):
        quads = (np.column_stack([k, after, after + len(k)]), np.column_stack([k, after + len(k), k + len(k)]))
        faces.append(Mesh(np.vstack([near, far]), np.vstack([normal, normal]), np.vstack(quads)))
    return joined(faces)


def rod(start: Sequence[float] | Array, end: Sequence[float] | Array, radius: float) -> Mesh:
    """A round bar between two places."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    return cylinder(radius, float(np.linalg.norm(b - a))).moved((a + b) / 2, frame_about(b - a))


def helix(radius: float, wire: float, length: float, turns: int) -> Mesh:
    """A coil spring from the origin along z: a round wire (eight corners) wound `turns` times."""
    corners, steps = 8, 12 * turns
    turn = 2 * np.pi * turns * np.arange(steps + 1) / steps
    out = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    centre = radius * out + np.column_stack([0 * turn, 0 * turn, length * np.arange(steps + 1) / steps])
    ring = 2 * np.pi * np.arange(corners) / corners
    normals = out[:, None] * np.cos(ring)[:, None] + np.array([0.0, 0.0, 1.0]) * np.sin(ring)[:, None]
    triangles = []
    for s in range(steps):
        for k in range(corners):
            a, b = corners * s + k, corners * s + (k + 1) % corners
            triangles += [(a, b + corners, b), (a, a + corners, b + corners)]
    return Mesh((centre[:, None] + wire * normals).reshape(-1, 3), normals.reshape(-1, 3), np.array(triangles))


def _circle(around: int) -> Array:
    turn = 2 * np.pi * np.arange(around) / around
    return np.column_stack([np.cos(turn), np.sin(turn)])


def _at(flat: Array, z: float) -> Array:
    return np.column_stack([flat, np.full(len(flat), z)])


def _area(ring: Array) -> float:
    x, y = ring.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _wall(radius: float, length: float, around: int, sign: float) -> Mesh:
    circle = _circle(around)
    places = np.vstack([_at(radius * circle, -length / 2), _at(radius * circle, length / 2)])
    k = np.arange(around)
    after = (k + 1) % around
    triangles = np.vstack(
        [np.column_stack([k, after, after + around]), np.column_stack([k, after + around, k + around])]
    )
    return Mesh(places, sign * _at(np.tile(circle, (2, 1)), 0.0), triangles if sign > 0 else triangles[:, ::-1])


def _lids(radius: float, inner: float, length: float, around: int) -> list[Mesh]:
    circle, k = _circle(around), np.arange(around)
    after = (k + 1) % around
    out = []
    for sign in (1.0, -1.0):
        z = sign * length / 2
        if inner:
            places = np.vstack([_at(radius * circle, z), _at(inner * circle, z)])
            faces = [(k, after, after + around), (k, after + around, k + around)]
        else:
            places = np.vstack([_at(radius * circle, z), [[0.0, 0.0, z]]])
            faces = [(k, after, np.full(around, around))]
        triangles = np.vstack([np.column_stack(face) for face in faces])
        normals = np.tile([0.0, 0.0, sign], (len(places), 1))
        out.append(Mesh(places, normals, triangles if sign > 0 else triangles[:, ::-1]))
    return out
