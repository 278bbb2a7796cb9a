"""Polygons of the plane: the convex outline of points, and area, centre and second moment of what it encloses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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


def _turns(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
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


def triangles(ring: Array) -> list[Array]:
    """The triangles of a polygon without crossings, by clipping ears (Meisters 1975)."""
    x, y = ring.T
    twice = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    left = [(float(u), float(v)) for u, v in (ring if twice > 0 else ring[::-1])]
    out = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _turns(a, b, c) >= 0 and not any(_within(p, a, b, c) for p in left if p not in (a, b, c)):
                break
        else:
            raise ValueError("the polygon crosses itself")
        out.append(np.array([a, b, c]))
        left.pop(k)
    return [*out, np.array(left)]


def _within(p: tuple[float, ...], a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> bool:
    pairs = ((a, b), (b, c), (c, a))
    return all(_turns((u[0], u[1]), (w[0], w[1]), (p[0], p[1])) >= 0 for u, w in pairs)
