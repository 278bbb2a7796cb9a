"""The vector polygons of a mechanism: arrows z1, z2, … coloured by loop, each loop with its number inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.loops import LoopReport
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.solvers.structure.loop_table import TableLoop
from mubo.view.painters.style import figure_style, label_plane, picture_target, save_figure
from mubo.view.scene.colours import COLOURS, INK, QUIET

MOST_VECTORS = 120
LINE = 13.0  # points from line to line of the legend
SENSE = {1.0: "↺", -1.0: "↻", 0.0: ""}


def draw_polygons(report: LoopReport, path: str | Path | None = None) -> Any:
    """The figure of all loops at the start of the motion; with `path` it is written there."""
    target = picture_target(path)
    if not report.vectors:
        raise ResultError(
            f"{report.model} has no vector loop to draw: all its bodies are moved by drivers and couplings"
        )
    if len(report.vectors) > MOST_VECTORS:
        raise ResultError(
            f"the loops have {len(report.vectors)} vectors; a picture of more than {MOST_VECTORS} cannot be read. "
            "The table of --loops has them all."
        )
    with figure_style() as figure_class:
        figure = _draw(figure_class, report)
        save_figure(figure, target)
    return figure


def _draw(figure_class: Any, report: LoopReport) -> Any:
    ends = np.array([(v.start, v.end) for v in report.vectors])  # vectors × ends × 2
    low, high = ends.min(axis=(0, 1)), ends.max(axis=(0, 1))
    size = float(np.max(high - low)) or 1.0
    margin = 0.09 * size
    width, height = high - low + 2 * margin
    least = 1.0 + LINE / 72 * (len(report.loops) + len(report.vectors) + 1)  # the legend needs this height
    figure = figure_class(figsize=(9.0, float(np.clip(6.2 * height / width + 0.9, max(2.6, least), max(9.0, least)))))
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_title(f"vector loops of {report.model}".replace("$", r"\$"))
    label_plane(axes, report.unit)
    colours = {loop.name: COLOURS[k % len(COLOURS)] for k, loop in enumerate(report.loops)}
    own = {v.name: [colours[p.name] for p in report.loops if v.name in p.signs] for v in report.vectors}
    _legend(axes, report, own, colours)
    figure.draw_without_rendering()  # settles the layout: from here on places in points are known
    polygons = {loop.name: _corners(report, loop) for loop in report.loops}
    for name, corners in polygons.items():
        axes.fill(*corners.T, facecolor=colours[name], alpha=0.07, lw=0, zorder=1)
    taken = list(ends)
    for vector in report.vectors:
        start, end = np.array(vector.start), np.array(vector.end)
        if vector.length > 1e-9 * size:
            _arrow(axes, start, end, own[vector.name])
            if vector.grounded:
                taken.append(_hatch(axes, start, end, np.concatenate(list(polygons.values())).mean(axis=0)))
    for place in {(round(x, 9), round(y, 9)): (x, y) for v in report.vectors for x, y in (v.start, v.end)}.values():
        axes.plot(*place, "o", ms=6, mfc="white", mec=INK, mew=1.3, zorder=6)
    labels = Labels(axes, np.array(taken))
    for loop in report.loops:
        corners = polygons[loop.name]
        text = f"{loop.name} {SENSE[float(np.sign(np.round(_area(corners) / size**2, 6)))]}".strip()
        labels.inside(text, corners, colours[loop.name])
    for vector in sorted(report.vectors, key=lambda v: v.length):  # short ones have the least choice
        labels.beside(vector.name, np.array(vector.start), np.array(vector.end), own[vector.name][0])
    return figure


def _corners(report: LoopReport, loop: TableLoop) -> Array:
    """Corners of a polygon in the order of its walk."""
    vectors = {v.name: v for v in report.vectors}
    return np.array([vectors[name].start if sign > 0 else vectors[name].end for name, sign in loop.walk])


def _area(corners: Array) -> float:
    """Twice the signed area: positive where the walk turns counter-clockwise."""
    (x, y), (u, w) = corners.T, np.roll(corners, -1, axis=0).T
    return float(np.sum(x * w - u * y))


def _arrow(axes: Any, start: Array, end: Array, colours: list[str]) -> None:
    """A line with a head; a vector of two loops has the colours of both, in dashes."""
    style = {"arrowstyle": "-|>,head_length=0.55,head_width=0.22", "lw": 2.0, "shrinkA": 3.5, "shrinkB": 3.5}
    arrow = {**style, "color": colours[0], "mutation_scale": 16, "joinstyle": "miter"}
    axes.annotate("", end, start, arrowprops=arrow, zorder=4, annotation_clip=False)
    for k, colour in enumerate(colours[1:3], 1):
        dashes = (4 * k, (4, 4 * len(colours) - 4))
        axes.plot(*np.array([start, start + 0.9 * (end - start)]).T, color=colour, lw=2.0, ls=(0, dashes[1]), zorder=5)


def _hatch(axes: Any, start: Array, end: Array, inside: Array) -> Array:
    """The ground: short strokes along its vector, on the side away from the loops. Returns the line they lie on."""
    a, b = axes.transData.transform([start, end])
    length = float(np.hypot(*(b - a)))
    along = (b - a) / length
    across = np.array([-along[1], along[0]])
    if (axes.transData.transform(inside) - a) @ across > 0:
        across = -across
    back = axes.transData.inverted()
    for s in np.arange(4.0, length - 2, 7.0):
        foot = a + s * along + 1.5 * across
        stroke = back.transform([foot, foot + 8 * (across - 0.7 * along) / np.hypot(1, 0.7)])
        axes.plot(*stroke.T, color=QUIET, lw=0.9, zorder=3)
    return np.asarray(back.transform([a + 5 * across, b + 5 * across]))


def _legend(axes: Any, report: LoopReport, own: dict[str, list[str]], colours: dict[str, str]) -> None:
    """The loop equations and the link of every vector, beside the drawing."""
    words = {"slide": "slide of ", "rod": "rod ", "driver": "driver "}
    lines = [(loop.name, loop.equation, colours[loop.name]) for loop in report.loops]
    lines += [("", "", INK)]
    lines += [(v.name, f"{words.get(v.kind, '')}{v.link}", own[v.name][0]) for v in report.vectors]
    for k, (name, text, colour) in enumerate(lines):
        for right, part in ((16, name), (42, text)):
            axes.annotate(
                part.replace("$", r"\$"),
                (1, 1),
                (right, -LINE * (k + 0.5)),
                xycoords="axes fraction",
                textcoords="offset points",
                color=colour,
                fontsize=8.5,
                va="center",
                annotation_clip=False,
            )


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
        """A label where a polygon has the most space."""
        from matplotlib.path import Path

        places = self._axes.transData.transform(corners)
        low, high = places.min(axis=0), places.max(axis=0)
        grid = np.stack(np.meshgrid(*np.linspace(low, high, GRID).T), axis=-1).reshape(-1, 2)
        candidates = grid[Path(np.vstack([places, places[:1]])).contains_points(grid)]
        if len(candidates) == 0:  # a polygon without area: near its middle
            candidates = places.mean(axis=0) + 30.0 * np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
        room = np.array([np.min(_distances(self._lines, place)) for place in candidates])
        size = 12 if np.max(room) > np.hypot(*_half(text, 12)) else 9
        crowded = np.array([self._overlap(place, _half(text, size)) for place in candidates])
        self._put(text, candidates[int(np.argmax(room - 100 * crowded))], _half(text, size), colour, size)

    def _cost(self, middle: Array, half: Array) -> float:
        """The penalty of a label at this place."""
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
    """The distances from a place to each line."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    square = np.maximum(np.sum(along**2, axis=1), 1e-12)
    part = np.clip(np.sum((place - start) * along, axis=1) / square, 0, 1)
    return np.asarray(np.linalg.norm(start + part[:, None] * along - place, axis=1))
