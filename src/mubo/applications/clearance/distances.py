"""Distances of outlines in the plane, at every time seen."""

from __future__ import annotations

import numpy as np

from mubo.applications.clearance.outlines import Outline
from mubo.applications.strength.beams import cross
from mubo.applications.strength.force_history import Seen
from mubo.arrays import Array, Booleans
from mubo.model import GROUND


def clearance(seen: Seen, one: Outline, two: Outline) -> Array:
    """The gap between two outlines over the times; not above zero where they touch or overlap."""
    first, second = (_placed(seen, outline, outline.edges) for outline in (one, two))
    apart = np.min(segment_distances(first, second), axis=(1, 2))
    for inner, outer in ((one, two), (two, one)):
        if len(outer.ring):
            at = _placed(seen, inner, inner.edges[:1, :1])[:, 0, 0]
            apart = np.where(_inside(at, _placed(seen, outer, outer.ring)), 0.0, apart)
    return np.asarray(apart - one.radius - two.radius)


def nearest(seen: Seen, one: Outline, two: Outline) -> tuple[float, float]:
    """The middle of the shortest line between two outlines at the one time seen."""
    first, second = (_placed(seen, outline, outline.edges)[0] for outline in (one, two))
    k, j = np.unravel_index(np.argmin(segment_distances(first[None], second[None])[0]), (len(first), len(second)))
    a, b = first[k], second[j]
    feet = [(p, _foot(p, b)) for p in a] + [(_foot(p, a), p) for p in b]
    here, there = min(feet, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))
    way = there - here
    size = float(np.linalg.norm(way))
    middle = here + (size + one.radius - two.radius) / 2 * way / size if size > 0 else here
    return float(middle[0]), float(middle[1])


def _foot(p: Array, segment: Array) -> Array:
    way = segment[1] - segment[0]
    square = float(way @ way)
    part = 0.0 if square == 0 else float(np.clip((p - segment[0]) @ way / square, 0, 1))
    return np.asarray(segment[0] + part * way)


def _placed(seen: Seen, outline: Outline, points: Array) -> Array:
    """Points of an outline in ground axes, times first."""
    if outline.body == GROUND:
        return np.broadcast_to(points, (len(seen.t), *points.shape))
    turned = np.einsum("tij,...j->t...i", seen.axes(outline.body), points)
    return np.asarray(turned + seen.of(outline.body)[:, 0, :2].reshape(-1, *(1,) * (points.ndim - 1), 2))


def segment_distances(first: Array, second: Array) -> Array:
    """Distances of segments (times × m × 2 × 2) and (times × n × 2 × 2): times × m × n."""
    a, b = first[:, :, None, 0], first[:, :, None, 1]
    c, d = second[:, None, :, 0], second[:, None, :, 1]
    sides = (cross(b - a, c - a), cross(b - a, d - a), cross(d - c, a - c), cross(d - c, b - c))
    meet = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
    away = [_to_segment(p, c, d) for p in (a, b)] + [_to_segment(p, a, b) for p in (c, d)]
    return np.where(meet, 0.0, np.minimum.reduce(away))


def _to_segment(p: Array, a: Array, b: Array) -> Array:
    way = b - a
    square = np.sum(way * way, axis=-1)
    part = np.clip(np.sum((p - a) * way, axis=-1) / np.where(square > 0, square, 1.0), 0, 1)
    return np.asarray(np.linalg.norm(p - a - part[..., None] * way, axis=-1))


def _inside(at: Array, ring: Array) -> Booleans:
    """Whether places (times × 2) lie in polygons (times × corners × 2): by counting crossings."""
    a, b = ring, np.roll(ring, -1, axis=1)
    x, y = at[:, None, 0], at[:, None, 1]
    over = (a[..., 1] > y) != (b[..., 1] > y)
    rise = np.where(over, b[..., 1] - a[..., 1], 1.0)
    right = a[..., 0] + (y - a[..., 1]) / rise * (b[..., 0] - a[..., 0]) > x
    return np.asarray(np.sum(over & right, axis=1) % 2 == 1)
