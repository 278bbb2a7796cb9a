"""The vector polygons of a mechanism: arrows z1, z2, … coloured by loop, each loop with its number inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.loops import LoopReport
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.atomic import replacing
from mubo.solvers.structure.loop_table import Loop
from mubo.view.plot import picture_target
from mubo.view.polygon_labels import Labels
from mubo.view.style import COLOURS, INK, QUIET, styled

MOST_VECTORS = 120
LINE = 13.0  # points from line to line of the legend
SENSE = {1.0: "↺", -1.0: "↻", 0.0: ""}


def draw_polygons(report: LoopReport, path: str | Path | None = None) -> Any:
    """The figure of all loops at the start of the motion; with `path` it is written there."""
    target = None if path is None else picture_target(path)
    if not report.vectors:
        raise ResultError(
            f"{report.model} has no vector loop to draw: all its bodies are moved by drivers and couplings"
        )
    if len(report.vectors) > MOST_VECTORS:
        raise ResultError(
            f"the loops have {len(report.vectors)} vectors; a picture of more than {MOST_VECTORS} cannot be read. "
            "The table of --loops has them all."
        )
    with styled() as figure_class:
        figure = _draw(figure_class, report)
        if target is not None:
            with replacing(target) as temporary:
                figure.savefig(temporary)
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
    axes.set_xlabel(f"x [{report.unit}]" if report.unit else "x")
    axes.set_ylabel(f"y [{report.unit}]" if report.unit else "y")
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


def _corners(report: LoopReport, loop: Loop) -> Array:
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
