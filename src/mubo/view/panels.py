"""Mechanisms side by side: assembly modes along their circuits, and synthesized designs with the places asked for."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.analyses.modes import Mode, ModeReport
from mubo.design.synthesis.cognates import cognate_groups
from mubo.errors import ResultError
from mubo.laws.number_text import number
from mubo.mechanism.rows import join_words
from mubo.quantities.output_times import OutputTimes
from mubo.results import Record, Run, Summary
from mubo.view.painters.plane import PATHS, PlanePainter
from mubo.view.painters.stage import PAD, path_of
from mubo.view.painters.style import figure_style, label_plane, picture_target, save_figure, title
from mubo.view.scene import Scene, pose_at, scene_of
from mubo.view.scene.colours import INK, LOAD_COLOUR

if TYPE_CHECKING:
    from mubo.design.synthesis.design import Design
    from mubo.design.synthesis.result import Synthesis


TALLEST, WIDEST = 1.6, 2.5  # a panel's height over its width, and its width over its height
WIDTH = 3.2  # inches of a panel


def columns_of(count: int) -> int:
    """The number of panels in a row of a figure."""
    return min(count, 2 if count in (2, 4) else 3 if count < 8 else 4)


def body_legend(figure: Any, scene: Scene, columns: int) -> None:
    """The colours of the moving bodies, below all panels."""
    lines = body_lines(scene)
    figure.legend(handles=lines, loc="outside lower center", ncols=min(len(lines), 2 * columns), frameon=False)


def body_lines(scene: Scene) -> list[Any]:
    """A line of every moving body's colour, with its name."""
    from matplotlib.lines import Line2D

    moving = [body for body in scene.bodies if not body.fixed]
    return [Line2D([], [], color=body.colour, lw=3.2, label=body.name) for body in moving]


def square_frame(scene: Scene) -> tuple[Any, Any]:
    """Corners of a square that holds one scene."""
    low, high = (np.asarray(corner, float)[:2] for corner in scene.box)
    middle, half = (low + high) / 2, (0.5 + PAD) * float(np.max(high - low))
    return middle - half, middle + half


def one_frame(scenes: list[Scene]) -> tuple[Any, Any]:
    """Corners of a frame that holds all scenes, not too tall and not too wide."""
    low = np.min([scene.box[0] for scene in scenes], axis=0)
    high = np.max([scene.box[1] for scene in scenes], axis=0)
    pad = PAD * float(np.max(high - low))
    low, high = low - pad, high + pad
    (x0, y0), (x1, y1) = low, high
    wider, higher = max(0.0, (y1 - y0) / TALLEST - (x1 - x0)) / 2, max(0.0, (x1 - x0) / WIDEST - (y1 - y0)) / 2
    around = np.array([wider, higher])
    return low - around, high + around


MOST_PANELS = 36
MOST_PATHS = 3  # points whose paths are drawn; more would hide the mechanism


def draw_modes(report: ModeReport, path: str | Path | None = None) -> Any:
    """Draws one panel per mode and returns the matplotlib figure; with `path` the picture is written there."""
    target = picture_target(path)
    shown = report.modes[:MOST_PANELS]
    columns = columns_of(len(shown))
    rows = math.ceil(len(shown) / columns)
    scenes = [scene_of(_mode_run(report, mode)) for mode in shown]
    low, high = one_frame(scenes)
    height = (WIDTH - 0.2) * float((high - low)[1] / (high - low)[0])
    with figure_style() as figure_class:
        figure = figure_class(figsize=(WIDTH * columns + 0.6, rows * (height + 0.75) + 1.5))
        panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for axes in panels.flat:
            axes.set_xlim(low[0], high[0])
            axes.set_ylim(low[1], high[1])
            axes.set_aspect("equal")
        for axes, mode in zip(panels.flat, shown, strict=False):
            _title_mode(axes, report, mode)
        for axes in panels.flat[len(shown) :]:
            axes.set_visible(False)
        left_out = len(report.modes) - len(shown)
        name = title(report.subject.model.name)
        figure.suptitle(f"{name}: " + (f"{left_out} more modes are not drawn" if left_out else "assembly modes"))
        body_legend(figure, scenes[0], columns)
        figure.draw_without_rendering()  # then sizes on paper are known
        for axes, mode, scene in zip(panels.flat, shown, scenes, strict=False):
            _draw_mode(axes, report, mode, scene)
        save_figure(figure, target)
    return figure


def _title_mode(axes: Any, report: ModeReport, mode: Mode) -> None:
    label_plane(axes, report.subject.model.units.length)
    axes.label_outer()
    axes.set_title(f"mode {mode.number}", pad=20)
    words = mode.describe_range(report.unit) if report.driver else "no motion"
    axes.text(0, 1.02, f"circuit {mode.circuit} · {words}", transform=axes.transAxes, va="bottom", size=9)


def _draw_mode(axes: Any, report: ModeReport, mode: Mode, scene: Scene) -> None:
    row = mode.row if _has_path(report, mode) else 0
    for dot in scene.points if len(scene.points) <= MOST_PATHS else [dot for dot in scene.points if dot.named]:
        line = path_of(scene, dot, scene.poses, len(scene.times))
        axes.plot(*line.T, color=scene.frame_colour(dot.body), lw=1.2, zorder=PATHS)
    pose = pose_at(scene, float(scene.times[row]))
    PlanePainter(axes, scene, labels=False).show(pose)


def _has_path(report: ModeReport, mode: Mode) -> bool:
    """Whether the paths of the points along the circuit are drawn: few, and of finite length."""
    endless = {mode.low.kind, mode.high.kind} & {"endless", "far"}
    return not endless and len(report.subject.model.points) <= MOST_PATHS


def _mode_run(report: ModeReport, mode: Mode) -> Run:
    """The positions along the mode's circuit as a result, or the mode alone."""
    model = report.subject.model
    path = mode.path if _has_path(report, mode) else mode.path[mode.row : mode.row + 1]
    columns = report.subject.columns(path).replaced(
        {"t": np.arange(len(path), dtype=float)}
    )  # places along the circuit
    times = OutputTimes(0.0, float(len(path) - 1), 1.0)
    record = Record(model, "modes", "loops", times, inspection=report.subject.analysis)
    return Run(columns, list, Summary(), record)


MOST_DESIGNS, MOST_NUMBERS = 12, 9  # panels of a picture; places that are numbered
TICKS, LETTERS, LINE = 6, 56, 9  # most marks of an axis; dimensions above a panel: letters in a line, points high
POINTS, NO_BREAK = 72, "\u00a0"  # of an inch; a blank within a line


def draw_designs(found: Synthesis, path: str | Path | None = None, rejected: bool = False) -> Any:
    """Draws one panel per design, each in its own frame; with `path` the picture is written there."""
    target = picture_target(path)
    shown = [d for d in (found.rejected if rejected else found.designs) if d.run is not None and len(d.run)]
    shown = shown[:MOST_DESIGNS]
    if not shown:
        raise ResultError("there is nothing to draw: no design is without a defect", suggestion="Its table says why.")
    columns = columns_of(len(shown))
    rows = math.ceil(len(shown) / columns)
    scenes = [scene_of(design.run) for design in shown]  # type: ignore[arg-type]
    with figure_style() as figure_class:
        above = LINE / POINTS * max(len(_dimension_lines(design)) for design in shown)
        figure = figure_class(figsize=(WIDTH * columns + 0.6, rows * (WIDTH + 0.65 + above) + 1.1))
        panels = figure.subplots(rows, columns, squeeze=False)
        curves = {k: group for group in cognate_groups(shown) for k in group}
        for k, (axes, design, scene) in enumerate(zip(panels.flat, shown, scenes, strict=False)):
            low, high = square_frame(scene)
            axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
            axes.set_aspect("equal")
            axes.tick_params(labelsize=8)
            axes.locator_params(nbins=TICKS)
            same = [shown[other].name.removeprefix("design_") for other in curves.get(k, ()) if other != k]
            _title_design(axes, design, same)
        for axes in panels.flat[len(shown) :]:
            axes.set_visible(False)
        unit = found.task.units.length
        figure.suptitle(title(found.task.label) + (f", lengths in {unit}" if unit else ""))
        alike = len({tuple(body.name for body in scene.bodies) for scene in scenes}) == 1
        if alike:
            body_legend(figure, scenes[0], columns)
        figure.draw_without_rendering()  # then sizes on paper are known
        for axes, scene in zip(panels.flat, scenes, strict=False):
            _draw_design(axes, found, scene)
            if not alike:
                axes.legend(handles=body_lines(scene), fontsize=7.5, frameon=False, loc="lower left", handlelength=1.2)
        save_figure(figure, target)
    return figure


def _title_design(axes: Any, design: Design, same: Sequence[str]) -> None:
    """Name, kind, lengths, and the designs that draw the `same` coupler curve."""
    alike = f", cognate of {join_words(same)}" if same else ""
    lengths = _dimension_lines(design)
    axes.set_title(design.name.replace("_", " ") + alike, pad=20 + LINE * len(lengths), fontsize=10)
    measured = "" if math.isnan(design.transmission) else f" · transmission ≥ {design.transmission:.3g}°"
    text = design.label + measured if design.sound else design.verdict().partition(":")[0]
    at = {"xycoords": "axes fraction", "textcoords": "offset points", "in_layout": False}
    for line, words in enumerate(reversed(lengths)):
        axes.annotate(words, (0, 1), (0, 3 + LINE * line), va="bottom", size=6.6, **at)
    axes.annotate(text, (0, 1), (0, 4 + LINE * len(lengths)), va="bottom", size=8.5, **at)


def _dimension_lines(design: Design) -> list[str]:
    """The dimensions of a design in lines that fit above its panel."""
    words = (f"{name} {number(length, 4)}".replace(" ", NO_BREAK) for name, length in design.lengths.items())
    return textwrap.wrap(", ".join(words), LETTERS, break_on_hyphens=False)


def _draw_design(axes: Any, found: Synthesis, scene: Scene) -> None:
    for dot in scene.points:
        if dot.named:
            line = path_of(scene, dot, scene.poses, len(scene.times))
            axes.plot(*line.T, color=scene.frame_colour(dot.body), lw=1.2, zorder=PATHS)
    row = 0 if found.task.columns else len(scene.times) // 8  # at its toggle position a crank would be hidden
    PlanePainter(axes, scene, labels=False).show(pose_at(scene, float(scene.times[row])))
    if found.task.marks is not None:
        _marks(axes, np.asarray(found.task.marks), found.task.axes)


def _marks(axes: Any, places: Any, angles: Any) -> None:
    """The places asked for: crosses, or of poses the two axes of the body; few have numbers, of many the ends."""
    low, high = axes.get_xlim()
    if angles is None:
        axes.plot(places.real, places.imag, "x", color=LOAD_COLOUR, mew=1.6, ms=5, zorder=PATHS + 1)
    else:
        for place, angle in zip(places, angles, strict=True):
            arm = 0.07 * (high - low) * np.exp(1j * angle)
            corner = np.array([place + arm, place, place + 0.6j * arm])
            axes.plot(corner.real, corner.imag, color=LOAD_COLOUR, lw=1.6, zorder=PATHS + 1)
    numbers = range(1, len(places) + 1) if len(places) <= MOST_NUMBERS else (1, 2, len(places))
    for index in numbers if len(places) > 2 else ():
        at = places[index - 1]
        axes.annotate(str(index), (at.real, at.imag), (4, 4), textcoords="offset points", color=INK, size=8,
                      zorder=PATHS + 2)  # fmt: skip
