"""Swept envelopes: everything that an outline covers in the course of a motion.

From one position to the next every convex part covers both of its places and what its corners pass over between them.
Lines across the whole cut each of these in one stretch, and their union is exact on each line; lines of both directions
give the outline, its corners where it crosses them. Between two positions corners go along chords, and round ends are
polygons: `within` is how far the true outline may go beyond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from mubo.applications.clearance.outlines import Outline
from mubo.arrays import Array, Booleans, Integers, distinct
from mubo.geometry.polygons import rounded
from mubo.lazy_dataclass import dataclass

LINES = 128  # across the longer side
CORNERS = 16  # of a round end
MOST_PARTS = 16  # of a step
OFF = 0.737  # of a step: where lines begin, so that none lies along a straight side
SAG = 4e-4  # of the size: positions are taken so close that corners stay as near to their chords
Key = tuple[int, int, int]  # direction of a side of the grid, and its lower corner
STEEP = 1e-3  # of a step: corners on a straight line are left out
Stretches = list[Array]  # on every line: starts and ends that do not overlap, n × 2


@dataclass(frozen=True)
class Envelope:
    """The area covered, its box, and its outline as closed rings (of a hole clockwise)."""

    name: str
    area: float
    box: tuple[tuple[float, float], tuple[float, float]]
    rings: tuple[Array, ...]
    within: float  # how far the true outline may go beyond


def envelope(name: str, swept: Sequence[tuple[Array, float]]) -> Envelope:
    """The envelope of corners over positions (positions × corners × 2 each) and the sag of their chords."""
    every = np.concatenate([corners.reshape(-1, 2) for corners, _ in swept])
    low, high = every.min(axis=0), every.max(axis=0)
    size = float(np.max(high - low)) or 1.0
    step = size / LINES
    x, y = (np.asarray(np.arange(low[k] - OFF * step, high[k] + step, step), float) for k in (0, 1))
    segments = [_segments(corners) for corners, _ in swept]
    along_x, along_y = _united(segments, y, 1), _united(segments, x, 0)
    area = step * float(sum(np.sum(line[:, 1] - line[:, 0]) for line in along_x))
    box = ((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
    return Envelope(name, area, box, tuple(contour(x, y, along_x, along_y)), max(sag for _, sag in swept))


def swept_corners(outline: Outline, poses: Array) -> list[tuple[Array, float]]:
    """Corners of every part of an outline over the poses that are needed, and the sag of their chords."""
    every = [_corners(outline, part, poses) for part in outline.parts]
    flat = outline.radius * (1 - np.cos(np.pi / CORNERS))  # what corners of a round end leave out
    return [(corners[kept], _sag(corners[kept]) + flat) for corners, kept in ((one, _needed(one)) for one in every)]


def more_positions(outline: Outline, poses: Array) -> int:
    """Into how many parts steps are to be divided so that corners stay near their chords."""
    needed = [_ratio(_corners(outline, part, poses)) for part in outline.parts]
    return int(np.clip(np.ceil(max(needed, default=1.0)), 1, MOST_PARTS))


def _corners(outline: Outline, part: Array, poses: Array) -> Array:
    """Corners of a part, with round ends, over poses: positions × corners × 2."""
    x, y = (rounded(part, outline.radius, CORNERS)[:-1] if outline.radius > 0 else part).T
    c, s = np.cos(poses[:, 2, None]), np.sin(poses[:, 2, None])
    return np.stack([c * x - s * y, s * x + c * y], -1) + poses[:, None, :2]


def _ratio(corners: Array) -> float:
    """How many times too long steps are: the sag grows with their square."""
    size = float(np.max(np.ptp(corners.reshape(-1, 2), axis=0))) or 1.0
    return float(np.sqrt(_sag(corners) / (SAG * size)))


def _needed(corners: Array) -> Integers:
    """Positions so close that corners stay near their chords: every so many of the rows, and the last."""
    rows, ratio = len(corners), _ratio(corners)
    stride = int(np.clip(1 / ratio if ratio > 0 else rows, 1, max(rows // 8, 1)))
    return distinct(np.append(np.arange(0, rows, stride), rows - 1)).astype(np.int32)


def _sag(corners: Array) -> float:
    """How far a corner leaves its chord between positions: an eighth of its second difference."""
    if len(corners) < 3:
        return 0.0
    return float(np.max(np.linalg.norm(np.diff(corners, 2, axis=0), axis=-1))) / 8


def _segments(corners: Array) -> Array:
    """Sides of both places and paths of the corners between them: steps × segments × 2 × 2."""
    now = corners[:-1] if len(corners) > 1 else corners
    then = corners[1:] if len(corners) > 1 else corners
    sides = [np.stack([place, np.roll(place, -1, axis=1)], axis=2) for place in (now, then)]
    return np.concatenate([*sides, np.stack([now, then], axis=2)], axis=1)


def _united(segments: Sequence[Array], lines: Array, axis: int) -> Stretches:
    """The stretches of lines (constant along `axis`) that are covered: of every step from its first to its last
    crossing with a line, those that overlap made one."""
    starts, ends, numbers = [], [], []
    for group in segments:
        low, high = np.full(len(group) * len(lines), np.inf), np.full(len(group) * len(lines), -np.inf)
        key, at = _crossings(group, lines, axis)
        np.minimum.at(low, key, at)
        np.maximum.at(high, key, at)
        met = np.flatnonzero(low <= high)
        starts.append(low[met])
        ends.append(high[met])
        numbers.append(met % len(lines))
    start, end, number = (np.concatenate(parts) for parts in (starts, ends, numbers))
    order = np.lexsort((start, number))
    start, end, bounds = start[order], end[order], np.searchsorted(number[order], np.arange(len(lines) + 1))
    return [_merged(start[i:j], end[i:j]) for i, j in pairwise(bounds)]


def _crossings(group: Array, lines: Array, axis: int) -> tuple[Integers, Array]:
    """Where segments (steps × segments × 2 × 2) cross lines: number of the step and line in one, and the place."""
    a, b = group[:, :, 0].reshape(-1, 2), group[:, :, 1].reshape(-1, 2)
    first = np.searchsorted(lines, np.minimum(a[:, axis], b[:, axis]))
    count = np.searchsorted(lines, np.maximum(a[:, axis], b[:, axis]), side="right") - first
    segment = np.repeat(np.arange(len(a)), count)
    line = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    a, b = a[segment], b[segment]
    rise = b[:, axis] - a[:, axis]
    part = (lines[line] - a[:, axis]) / np.where(rise != 0, rise, 1.0)
    at = a[:, 1 - axis] + part * (b[:, 1 - axis] - a[:, 1 - axis])
    key = (segment // group.shape[1] * len(lines) + line).astype(np.int32)
    return key, at


def _merged(start: Array, end: Array) -> Array:
    """Stretches in order of their starts, those that overlap made one."""
    if not len(start):
        return np.zeros((0, 2))
    reach = np.maximum.accumulate(end)
    new = np.append(True, start[1:] > reach[:-1])
    last = np.append(np.flatnonzero(new)[1:] - 1, len(start) - 1)
    return np.column_stack([start[new], reach[last]])


def contour(x: Array, y: Array, along_x: list[Array], along_y: list[Array]) -> Iterator[Array]:
    """Rings around what is covered: `along_x` are the stretches at every y, `along_y` those at every x.

    A cell of the grid is crossed once or twice; where two corners opposite each other are covered, they are joined.
    """
    inside = np.stack([_covered(line, x) for line in along_x], axis=1)  # x × y
    following: dict[Key, Key] = {}
    for i, j in np.argwhere(_mixed(inside)):
        following.update(_pieces(inside, int(i), int(j)))
    places: dict[Key, tuple[float, float]] = {}
    for key in following:
        d, i, j = key
        if d == 0:
            places[key] = (_crossing(along_x[j], x[i], x[i + 1]), float(y[j]))
        else:
            places[key] = (float(x[i]), _crossing(along_y[i], y[j], y[j + 1]))
    while following:
        key = first = next(iter(following))
        ring = []
        while key in following:
            ring.append(places[key])
            key = following.pop(key)
        if key == first and len(ring) > 2:
            yield _smooth(np.array(ring), STEEP * float(x[1] - x[0]))


def _covered(line: Array, at: Array) -> Booleans:
    k = np.searchsorted(line[:, 0], at, side="right") - 1
    return np.asarray((k >= 0) & (at <= line[np.maximum(k, 0), 1])) if len(line) else np.zeros(len(at), bool)


def _mixed(inside: Booleans) -> Booleans:
    count = inside[:-1, :-1].astype(int) + inside[1:, :-1] + inside[:-1, 1:] + inside[1:, 1:]
    return np.asarray((count > 0) & (count < 4))


def _pieces(inside: Booleans, i: int, j: int) -> Iterator[tuple[Key, Key]]:
    """The boundary through a cell, from side to side with the covered part to its left."""
    corners = [bool(inside[p]) for p in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
    sides: list[Key] = [(0, i, j), (1, i + 1, j), (0, i, j + 1), (1, i, j)]
    out = [k for k in range(4) if corners[k] and not corners[(k + 1) % 4]]  # the walk around leaves what is covered
    into = [k for k in range(4) if not corners[k] and corners[(k + 1) % 4]]
    if len(out) == 1:
        yield sides[out[0]], sides[into[0]]
        return
    for k in out:  # two covered corners are joined: the boundary goes around the bare corner behind each
        yield sides[k], sides[(k + 1) % 4]


def _crossing(line: Array, low: float, high: float) -> float:
    """Where the boundary crosses a side of the grid: the end of a stretch that lies on it."""
    ends = line.ravel()
    on = ends[(ends >= low) & (ends <= high)]
    return float(on[len(on) // 2]) if len(on) else float(low + high) / 2


def _smooth(ring: Array, near: float) -> Array:
    """Without corners that are on the line of their neighbours."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    chord = after - before
    size = np.hypot(*chord.T)
    off = np.abs(chord[:, 0] * (ring - before)[:, 1] - chord[:, 1] * (ring - before)[:, 0]) / np.where(
        size > 0, size, 1.0
    )
    kept = ring[off > near]
    return kept if len(kept) > 2 else ring
