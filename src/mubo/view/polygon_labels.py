"""Places for labels, so that they fall neither on each other nor on lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array

ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # where beside a line a label may stand
AWAY = (11.0, 15.0, 21.0, 30.0)  # pixels from the line
GRID = 24  # places tried across a polygon


class Labels:
    """Text put into a drawing whose limits are settled. `lines` (n × 2 × 2) are what it must not cover."""

    def __init__(self, axes: Any, lines: Array) -> None:
        self._axes = axes
        self._lines = np.asarray(axes.transData.transform(lines.reshape(-1, 2))).reshape(-1, 2, 2)
        self._boxes: list[tuple[Array, Array]] = []  # middle and half size of every label, in pixels
        self._frame = axes.bbox

    def beside(self, text: str, start: Array, end: Array, colour: str) -> None:
        """A label near the middle of a line, on its free side."""
        a, b = self._axes.transData.transform([start, end])
        length = float(np.hypot(*(b - a)))
        along = (b - a) / length if length else np.array([1.0, 0.0])
        across = np.array([-along[1], along[0]])
        half = _half(text, 10)
        best, least = a, np.inf
        for part in ALONG:
            for away in AWAY:
                for side in (1, -1):
                    middle = a + part * (b - a) + side * away * across
                    cost = self._cost(middle, half) + abs(part - 0.5) + 0.02 * away
                    if cost < least:
                        best, least = middle, cost
        self._put(text, best, half, colour, 10)

    def inside(self, text: str, corners: Array, colour: str) -> None:
        """A label where a polygon has most room."""
        from matplotlib.path import Path

        places = self._axes.transData.transform(corners)
        low, high = places.min(axis=0), places.max(axis=0)
        grid = np.stack(np.meshgrid(*np.linspace(low, high, GRID).T), axis=-1).reshape(-1, 2)
        held = grid[Path(np.vstack([places, places[:1]])).contains_points(grid)]
        if len(held) == 0:  # a polygon without area: near its middle
            held = places.mean(axis=0) + 30.0 * np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
        room = np.array([np.min(_distances(self._lines, place)) for place in held])
        size = 12 if np.max(room) > np.hypot(*_half(text, 12)) else 9
        crowded = np.array([self._overlap(place, _half(text, size)) for place in held])
        self._put(text, held[int(np.argmax(room - 100 * crowded))], _half(text, size), colour, size)

    def _cost(self, middle: Array, half: Array) -> float:
        """How badly a label would stand here."""
        cost = 20.0 * self._overlap(middle, half)
        cost += 20.0 * (not self._frame.contains(*(middle + half)) or not self._frame.contains(*(middle - half)))
        near = _distances(self._lines, middle)
        return cost + float(np.sum(np.maximum(0.0, 1.0 - near / float(np.hypot(*half)))) * 3.0)

    def _overlap(self, middle: Array, half: Array) -> int:
        return sum(bool(np.all(np.abs(middle - other) < half + size)) for other, size in self._boxes)

    def _put(self, text: str, middle: Array, half: Array, colour: str, size: float) -> None:
        from matplotlib.patheffects import withStroke

        self._boxes.append((middle, half))
        self._axes.text(
            *self._axes.transData.inverted().transform(middle),
            text,
            color=colour,
            fontsize=size,
            weight="bold",
            ha="center",
            va="center",
            zorder=9,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )


def _half(text: str, size: float) -> Array:
    """Half the width and height of a text, in pixels at 100 per inch."""
    return np.array([0.36 * size * 100 / 72 * len(text), 0.6 * size * 100 / 72])


def _distances(lines: Array, place: Array) -> Array:
    """From a place to each line."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    square = np.maximum(np.sum(along**2, axis=1), 1e-12)
    part = np.clip(np.sum((place - start) * along, axis=1) / square, 0, 1)
    return np.asarray(np.linalg.norm(start + part[:, None] * along - place, axis=1))
