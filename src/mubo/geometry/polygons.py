"""Polygons of the plane: the convex outline of points, and area, centre and second moment of what it encloses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.laws.dependent import array_of, kept

CORNERS = 24  # of a circle


class Moments(NamedTuple):
    """Moments of a polygon: its area, its centre, and ∫ |r − centre|² dA."""

    area: float
    center: Array
    polar: float


def hull(points: Iterable[Sequence[float]] | Array) -> Array:
    """The convex outline of points of the plane, counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = sorted({(kept(x), kept(y)) for x, y in points})
    if len(ordered) < 3:
        return array_of(ordered)

    def chain(run: list[tuple[float, float]]) -> list[tuple[float, float]]:
        out: list[tuple[float, float]] = []
        for p in run:
            while len(out) > 1 and _turns(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return array_of(chain(ordered) + chain(ordered[::-1]))


def moments(ring: Array) -> Moments:
    """Moments of a polygon whose corners follow counter-clockwise, by Green's theorem; with c = x y' − x' y of a side

        area = ½ Σ c,   area · centre = ⅙ Σ c (r + r'),   ∫ r² dA = 1/12 Σ c (r·r + r·r' + r'·r').

    Taken about the mean of the corners, so that a polygon far from the origin loses no digits.
    """
    middle = ring.mean(axis=0)
    r = ring - middle
    after = np.roll(r, -1, axis=0)
    c = r[:, 0] * after[:, 1] - after[:, 0] * r[:, 1]
    area = kept(c.sum() / 2)
    off = c @ (r + after) / (6 * area)
    about = kept(c @ np.sum(r * r + r * after + after * after, axis=1) / 12)
    return Moments(area, middle + off, about - area * kept(off @ off))


def _turns(a: Any, b: Any, c: Any) -> Any:
    """Twice the area of the triangle of three places, each x with y, that follow counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def circle(at: Array, radius: float, corners: int = CORNERS) -> Array:
    """A closed circle, its first corner repeated at the end."""
    return np.asarray(at + radius * around(np.linspace(0, 2 * np.pi, corners + 1)))


def around(angle: Array) -> Array:
    """Unit vectors at angles."""
    return np.column_stack([np.cos(angle), np.sin(angle)])


def rounded(points: Array, radius: float, corners: int = CORNERS) -> Array:
    """The closed outline of everything that is within a radius of the convex hull of points, counter-clockwise."""
    ring = hull(points)
    if len(ring) == 1:
        return circle(ring[0], radius, corners)
    step = np.roll(ring, -1, axis=0) - ring
    heading = np.arctan2(step[:, 1], step[:, 0]) - np.pi / 2  # of the outward normal of the edge that follows
    out = []
    for k, corner in enumerate(ring):
        start = heading[k - 1]
        turn = (heading[k] - start) % (2 * np.pi)
        angles = start + turn * np.linspace(0, 1, max(int(np.ceil(turn / (2 * np.pi) * corners)), 1) + 1)
        out.append(corner + radius * around(angles))
    return np.concatenate([*out, out[0][:1]])


def triangles(ring: Array, holes: Sequence[Array] = ()) -> list[Array]:
    """The triangles of a polygon without crossings, by clipping ears (Meisters 1975); bridges lead to its holes."""
    ring = _counter_clockwise(ring)
    left = [_counter_clockwise(hole)[::-1] for hole in holes]
    while left:
        k, ring = _bridged(ring, left)
        left.pop(k)
    out = []
    while len(ring) > 3:
        for k in range(len(ring)):
            ear = ring[[k - 1, k, (k + 1) % len(ring)]]
            if _turns(*ear) >= 0 and not _any_within(ring, ear):
                break
        else:
            raise ValueError("the polygon crosses itself")
        out.append(ear)
        ring = np.delete(ring, k, axis=0)
    return [*out, ring]


def _counter_clockwise(ring: Array) -> Array:
    x, y = ring.T
    return ring if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0 else ring[::-1]


def _any_within(places: Array, ear: Array) -> bool:
    """Whether a place lies in a triangle or on its sides, without being a corner of it."""
    inside = np.all([_turns(a, b, places.T) >= 0 for a, b in zip(ear, np.roll(ear, -1, axis=0), strict=True)], axis=0)
    corners = np.any([np.all(places == corner, axis=1) for corner in ear], axis=0)
    return bool(np.any(inside & ~corners))


def _bridged(ring: Array, holes: Sequence[Array]) -> tuple[int, Array]:
    """The number of the hole that is nearest to a ring, and the ring that goes around it too.

    The shortest line between corners is the bridge; where a side lies in between, the next one.
    """
    everything = [ring, *holes]
    sides = np.concatenate([np.stack([r, np.roll(r, -1, axis=0)], axis=1) for r in everything])
    numbers = np.concatenate([np.full(len(hole), k) for k, hole in enumerate(holes)])
    corners = np.concatenate(holes)
    far = np.linalg.norm(ring[:, None] - corners, axis=2)
    for pair in np.argsort(far, axis=None):
        i, j = divmod(int(pair), len(corners))
        if not _crosses(ring[i], corners[j], sides):
            break
    k = int(numbers[j])
    first = j - int(np.argmax(numbers == k))
    hole = np.roll(holes[k], -first, axis=0)
    return k, np.concatenate([ring[: i + 1], hole, hole[:1], ring[i:]])


def _crosses(p: Array, q: Array, sides: Array) -> bool:
    """Whether a line between two places crosses a side."""
    a, b = sides[:, 0].T, sides[:, 1].T
    apart = _turns(p, q, a) * _turns(p, q, b) < 0
    return bool(np.any(apart & (_turns(a, b, p) * _turns(a, b, q) < 0)))
