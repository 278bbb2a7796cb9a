"""Names beside what they name: each at the first of its places where it hits neither lines, points nor other names.

Everything here is in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array

DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.radians([45, 135, 315, 225, 0, 90, 180, 270])])
STEPS = np.array([1.0, 1.8, 2.8])  # distances from the anchor that are tried, of the asked one
# what a bad place costs, against 1 per pixel of a line covered
OTHER_NAME, OUTSIDE, POINT, FAR, NEXT, TURN = 2000.0, 300.0, 60.0, 3.0, 0.4, 0.15


@dataclass(frozen=True)
class Label:
    """A text of a width and height that belongs to one of several anchors; `clear` is its distance from them."""

    anchors: Sequence[tuple[float, float]]
    width: float
    height: float
    clear: float

    @property
    def half(self) -> Array:
        return np.array([self.width, self.height]) / 2


@dataclass(frozen=True)
class Obstacles:
    """What names keep clear of: lines (n, 2, 2), points (n, 2), and the border x0, y0, x1, y1 of the picture."""

    lines: Array
    points: Array
    frame: tuple[float, float, float, float]


def place_labels(labels: Sequence[Label], obstacles: Obstacles) -> list[tuple[int, float, float] | None]:
    """For each label the number of its anchor and the shift of its middle from it; None where there is no room.

    Labels with fewer places choose first.
    """
    out: list[tuple[int, float, float] | None] = [None] * len(labels)
    taken: list[Array] = []
    for k in sorted(range(len(labels)), key=lambda k: len(labels[k].anchors)):
        label = labels[k]
        cost, anchors, shifts = _places(label)
        middles = np.array(label.anchors)[anchors] + shifts
        boxes = np.hstack([middles - label.half, middles + label.half])
        cost = cost + costs(boxes, obstacles) + OTHER_NAME * overlaps(boxes, np.array(taken).reshape(-1, 4))
        best = int(np.argmin(cost))
        if cost[best] < OTHER_NAME:
            taken.append(boxes[best])
            out[k] = (int(anchors[best]), float(shifts[best, 0]), float(shifts[best, 1]))
    return out


def costs(boxes: Array, obstacles: Obstacles) -> Array:
    """What boxes (n, 4) cost by the lines and points that they cover, and where they leave the picture."""
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    lines = obstacles.lines
    near = (lines.max(axis=1) >= low).all(axis=1) & (lines.min(axis=1) <= high).all(axis=1)
    x, y = obstacles.points.T
    inside = (boxes[:, 0, None] < x) & (x < boxes[:, 2, None]) & (boxes[:, 1, None] < y) & (y < boxes[:, 3, None])
    x0, y0, x1, y1 = obstacles.frame
    out = (boxes[:, 0] < x0) | (boxes[:, 1] < y0) | (boxes[:, 2] > x1) | (boxes[:, 3] > y1)
    return np.asarray(covered(boxes, lines[near]) + POINT * inside.sum(axis=1) + OUTSIDE * out)


def overlaps(boxes: Array, others: Array) -> Array:
    """How many of the others (m, 4) each box (n, 4) overlaps; one that is NaN is not there."""
    a, b = boxes[:, None], others[None]
    hit = (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
    return np.asarray(hit.sum(axis=1))


def _places(label: Label) -> tuple[Array, Array, Array]:
    """Costs, anchors and shifts of the places of a label: the cheapest is near, to the upper right, at the first."""
    count = len(label.anchors)
    anchor, far, turn = (np.ravel(x) for x in np.indices((count, len(STEPS), len(DIRECTIONS))))
    way = DIRECTIONS[turn]
    shifts = way * (STEPS[far] * label.clear)[:, None] + np.sign(np.round(way, 6)) * label.half
    return FAR * far + NEXT * anchor + TURN * turn, anchor, shifts


def covered(boxes: Array, segments: Array) -> Array:
    """Pixels of lines inside boxes (Liang and Barsky 1984)."""
    if len(segments) == 0:
        return np.zeros(len(boxes))
    start, step = segments[:, 0], segments[:, 1] - segments[:, 0]
    low, high = (np.full((len(boxes), len(segments)), value) for value in (0.0, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis in (0, 1):
            first, last = boxes[:, axis, None], boxes[:, axis + 2, None]
            one, two = (first - start[:, axis]) / step[:, axis], (last - start[:, axis]) / step[:, axis]
            flat = step[:, axis] == 0
            inside = (start[:, axis] >= first) & (start[:, axis] <= last)
            enter = np.where(flat, np.where(inside, -np.inf, np.inf), np.minimum(one, two))
            leave = np.where(flat, np.where(inside, np.inf, -np.inf), np.maximum(one, two))
            low, high = np.maximum(low, enter), np.minimum(high, leave)
    return np.asarray(np.nansum(np.maximum(high - low, 0.0) * np.hypot(step[:, 0], step[:, 1]), axis=1))
