"""Polygons of the plane: the convex outline of points, and area, centre and second moment of what it encloses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.motion.dependent import array_of, kept


class Moments(NamedTuple):
    """Of a polygon: its area, its centre, and ∫ |r − centre|² dA."""

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
