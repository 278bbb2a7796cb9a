"""Distances of outlines in the plane over time, and the intervals during which they touch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mubo.applications.clearance.outlines import Outline
from mubo.applications.strength.beams import cross
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array, Booleans
from mubo.model import GROUND

HALVINGS = 40
PARTS = 8  # of a bracket, looked at together
CLOSE = 1e-10  # of the run: a time that is known well enough


def clearance(sample: ForceSample, one: Outline, two: Outline) -> Array:
    """The gap between two outlines over the times; not above zero where they touch or overlap."""
    first, second = (_ground_points(sample, outline, outline.edges) for outline in (one, two))
    apart = np.min(segment_distances(first, second), axis=(1, 2))
    for inner, outer in ((one, two), (two, one)):
        if len(outer.ring):
            at = _ground_points(sample, inner, inner.edges[:1, :1])[:, 0, 0]
            apart = np.where(inside_rings(at, _ground_points(sample, outer, outer.ring)), 0.0, apart)
    return np.asarray(apart - one.radius - two.radius)


def nearest(sample: ForceSample, one: Outline, two: Outline) -> tuple[float, float]:
    """The middle of the shortest line between two outlines at one time."""
    first, second = (_ground_points(sample, outline, outline.edges)[0] for outline in (one, two))
    k, j = np.unravel_index(np.argmin(segment_distances(first[None], second[None])[0]), (len(first), len(second)))
    a, b = first[k], second[j]
    feet = [(p, _foot(p, b)) for p in a] + [(_foot(p, a), p) for p in b]
    here, there = min(feet, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))
    line = there - here
    size = float(np.linalg.norm(line))
    middle = here + (size + one.radius - two.radius) / 2 * line / size if size > 0 else here
    return float(middle[0]), float(middle[1])


def _foot(p: Array, segment: Array) -> Array:
    line = segment[1] - segment[0]
    square = float(line @ line)
    part = 0.0 if square == 0 else float(np.clip((p - segment[0]) @ line / square, 0, 1))
    return np.asarray(segment[0] + part * line)


def _ground_points(sample: ForceSample, outline: Outline, points: Array) -> Array:
    """Points of an outline in ground axes, times first."""
    if outline.body == GROUND:
        return np.broadcast_to(points, (len(sample.t), *points.shape))
    turned = np.einsum("tij,...j->t...i", sample.axes(outline.body), points)
    return np.asarray(turned + sample.motion_of(outline.body)[:, 0, :2].reshape(-1, *(1,) * (points.ndim - 1), 2))


def segment_distances(first: Array, second: Array) -> Array:
    """Distances of segments (times × m × 2 × 2) and (times × n × 2 × 2): times × m × n."""
    a, b = first[:, :, None, 0], first[:, :, None, 1]
    c, d = second[:, None, :, 0], second[:, None, :, 1]
    sides = (cross(b - a, c - a), cross(b - a, d - a), cross(d - c, a - c), cross(d - c, b - c))
    meet = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
    aline = [_to_segment(p, c, d) for p in (a, b)] + [_to_segment(p, a, b) for p in (c, d)]
    return np.where(meet, 0.0, np.minimum.reduce(aline))


def _to_segment(p: Array, a: Array, b: Array) -> Array:
    line = b - a
    square = np.sum(line * line, axis=-1)
    part = np.clip(np.sum((p - a) * line, axis=-1) / np.where(square > 0, square, 1.0), 0, 1)
    return np.asarray(np.linalg.norm(p - a - part[..., None] * line, axis=-1))


def inside_rings(at: Array, ring: Array) -> Booleans:
    """Whether places (times × 2) lie in polygons (times × corners × 2): by counting crossings."""
    a, b = ring, np.roll(ring, -1, axis=1)
    x, y = at[:, None, 0], at[:, None, 1]
    over = (a[..., 1] > y) != (b[..., 1] > y)
    rise = np.where(over, b[..., 1] - a[..., 1], 1.0)
    right = a[..., 0] + (y - a[..., 1]) / rise * (b[..., 0] - a[..., 0]) > x
    return np.asarray(np.sum(over & right, axis=1) % 2 == 1)


class InterferenceInterval(NamedTuple):
    """The interval of time during which outlines touch or overlap."""

    start: float
    end: float


def interference_intervals(
    history: ForceHistory, sample: ForceSample, one: Outline, two: Outline, also: float | None
) -> Iterator[InterferenceInterval]:
    """The times during which there is no gap; `also` is a time between rows at which there is none."""
    t, gap = sample.t, clearance(sample, one, two)
    if also is not None and also not in t:
        more = history.at(np.array([also]))
        k = int(np.searchsorted(t, also))
        t, gap = np.insert(t, k, more.t), np.insert(gap, k, clearance(more, one, two))
    shut = gap <= 0
    if not shut.any():
        return
    turns = np.flatnonzero(shut[1:] != shut[:-1])
    near = CLOSE * float(t[-1] - t[0])
    times = [_contact_time(history, one, two, float(t[k]), float(t[k + 1]), bool(shut[k]), near) for k in turns]
    bounds = [float(t[0])] * bool(shut[0]) + times + [float(t[-1])] * bool(shut[-1])
    yield from (InterferenceInterval(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True))


def _contact_time(
    history: ForceHistory, one: Outline, two: Outline, low: float, high: float, shut: bool, near: float
) -> float:
    """Where the gap opens or closes between two times; `shut` is how it is at the first."""
    for _ in range(HALVINGS):
        if high - low <= near:
            break
        times: Array = np.linspace(low, high, PARTS + 1)[1:-1]
        sample = history.at(times)
        same = (clearance(sample, one, two) <= 0) == shut
        if not len(same):
            break
        k = int(np.argmin(same)) if not same.all() else len(same)
        low, high = (float(sample.t[k - 1]) if k else low), (float(sample.t[k]) if k < len(same) else high)
    return (low + high) / 2
