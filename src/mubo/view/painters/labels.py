"""Names beside what they name: each at the first of its places where it hits neither lines nor other names.

Everything here is in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array

DIRECTIONS = tuple((float(np.cos(a)), float(np.sin(a))) for a in np.radians([45, 135, 315, 225, 0, 90, 180, 270]))
STEPS = (1.0, 1.8, 2.8)  # distances from the anchor that are tried, of the asked one
# what a bad place costs, against 1 per pixel of a line covered
OTHER_NAME, OUTSIDE, FAR, NEXT, TURN = 240.0, 300.0, 3.0, 0.4, 0.15


@dataclass(frozen=True)
class Label:
    """A text of a width and height that belongs to one of several anchors; `clear` is its distance from them."""

    anchors: Sequence[tuple[float, float]]
    width: float
    height: float
    clear: float


def place_labels(
    labels: Sequence[Label], segments: Array, frame: tuple[float, float, float, float]
) -> list[tuple[int, float, float]]:
    """For each label the number of its anchor and the shift of its middle from it.

    `segments` (n, 2, 2) are lines to keep clear of, `frame` is x0, y0, x1, y1 of the picture. Labels with fewer places
    choose first.
    """
    out: list[tuple[int, float, float]] = [(0, 0.0, 0.0)] * len(labels)
    taken: list[tuple[float, float, float, float]] = []
    for k in sorted(range(len(labels)), key=lambda k: len(labels[k].anchors)):
        best = None
        for cost, box, choice in _places(labels[k]):
            if best is not None and cost >= best[0]:
                continue
            cost += _covered(box, segments) + OTHER_NAME * sum(_overlap(box, other) for other in taken)
            cost += OUTSIDE * (box[0] < frame[0] or box[1] < frame[1] or box[2] > frame[2] or box[3] > frame[3])
            if best is None or cost < best[0]:
                best = (cost, box, choice)
        assert best is not None
        taken.append(best[1])
        out[k] = best[2]
    return out


Box = tuple[float, float, float, float]


def _places(label: Label) -> list[tuple[float, Box, tuple[int, float, float]]]:
    """Places of a label, the cheapest first: near, to the upper right, at the first anchor."""
    out = []
    for n, (x, y) in enumerate(label.anchors):
        for far, step in enumerate(STEPS):
            for turn, (dx, dy) in enumerate(DIRECTIONS):
                reach = step * label.clear
                sx = dx * reach + np.sign(round(dx, 6)) * label.width / 2
                sy = dy * reach + np.sign(round(dy, 6)) * label.height / 2
                half = label.width / 2, label.height / 2
                box = (x + sx - half[0], y + sy - half[1], x + sx + half[0], y + sy + half[1])
                out.append((FAR * far + NEXT * n + TURN * turn, box, (n, float(sx), float(sy))))
    return sorted(out, key=lambda entry: entry[0])


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _covered(box: Box, segments: Array) -> float:
    """Pixels of lines inside a box (Liang and Barsky 1984)."""
    if len(segments) == 0:
        return 0.0
    start, step = segments[:, 0], segments[:, 1] - segments[:, 0]
    low, high = np.zeros(len(segments)), np.ones(len(segments))
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis in (0, 1):
            one = (box[axis] - start[:, axis]) / step[:, axis]
            two = (box[axis + 2] - start[:, axis]) / step[:, axis]
            flat = step[:, axis] == 0
            inside = (start[:, axis] >= box[axis]) & (start[:, axis] <= box[axis + 2])
            enter = np.where(flat, np.where(inside, -np.inf, np.inf), np.minimum(one, two))
            leave = np.where(flat, np.where(inside, np.inf, -np.inf), np.maximum(one, two))
            low, high = np.maximum(low, enter), np.minimum(high, leave)
    inside_part = np.maximum(high - low, 0.0)
    return float(np.nansum(inside_part * np.hypot(step[:, 0], step[:, 1])))
