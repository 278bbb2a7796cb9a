"""Assembly modes side by side, each with the paths of its points along the circuit, all to one scale."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.modes import Mode, ModeReport
from mubo.formats.atomic import replacing
from mubo.results import Record, Run
from mubo.view.painters.plane import PATHS, PlanePainter
from mubo.view.painters.stage import path_of
from mubo.view.panels import WIDTH, body_legend, columns_of, one_frame
from mubo.view.plot import picture_target
from mubo.view.scene import Scene, pose_at, scene_of
from mubo.view.style import styled, title

MOST_PANELS = 36
MOST_PATHS = 3  # points whose paths are drawn; more would hide the mechanism


def draw_modes(report: ModeReport, path: str | Path | None = None) -> Any:
    """One panel per mode; with `path` the picture is written there, else the matplotlib figure is returned."""
    target = None if path is None else picture_target(path)
    shown = report.modes[:MOST_PANELS]
    columns = columns_of(len(shown))
    rows = math.ceil(len(shown) / columns)
    scenes = [scene_of(_run(report, mode)) for mode in shown]
    low, high = one_frame(scenes)
    height = (WIDTH - 0.2) * float((high - low)[1] / (high - low)[0])
    with styled() as figure_class:
        figure = figure_class(figsize=(WIDTH * columns + 0.6, rows * (height + 0.75) + 1.5))
        panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for axes in panels.flat:
            axes.set_xlim(low[0], high[0])
            axes.set_ylim(low[1], high[1])
            axes.set_aspect("equal")
        for axes, mode in zip(panels.flat, shown, strict=False):
            _title(axes, report, mode)
        for axes in panels.flat[len(shown) :]:
            axes.set_visible(False)
        left_out = len(report.modes) - len(shown)
        name = title(report.subject.model.name)
        figure.suptitle(f"{name}: " + (f"{left_out} more modes are not drawn" if left_out else "assembly modes"))
        body_legend(figure, scenes[0], columns)
        figure.draw_without_rendering()  # then sizes on paper are known
        for axes, mode, scene in zip(panels.flat, shown, scenes, strict=False):
            _draw_panel(axes, report, mode, scene)
        if target is not None:
            with replacing(target) as temporary:
                figure.savefig(temporary)
    return figure


def _title(axes: Any, report: ModeReport, mode: Mode) -> None:
    unit = report.subject.model.units.length
    axes.set_xlabel(f"x [{unit}]" if unit else "x")
    axes.set_ylabel(f"y [{unit}]" if unit else "y")
    axes.label_outer()
    axes.set_title(f"mode {mode.number}", pad=20)
    words = mode.range_words(report.unit, digits=5) if report.driver else "stands still"
    axes.text(0, 1.02, f"circuit {mode.circuit} · {words}", transform=axes.transAxes, va="bottom", size=9)


def _draw_panel(axes: Any, report: ModeReport, mode: Mode, scene: Scene) -> None:
    row = mode.row if _has_path(report, mode) else 0
    for dot in scene.points if len(scene.points) <= MOST_PATHS else [dot for dot in scene.points if dot.named]:
        line = path_of(scene, dot, scene.poses, len(scene.times))
        axes.plot(*line.T, color=scene.frame_colour(dot.body), lw=1.2, zorder=PATHS)
    pose = pose_at(scene, float(scene.times[row]))
    PlanePainter(axes, scene, labels=False).show(pose)


def _has_path(report: ModeReport, mode: Mode) -> bool:
    """Whether the paths of the points along the circuit are drawn: few, and of finite length."""
    endless = {mode.low.kind, mode.high.kind} & {"endless", "far"}
    model = report.subject.model
    few = len(model.points) if model.linkage is None else len(model.linkage.paths)
    return not endless and few <= MOST_PATHS


def _run(report: ModeReport, mode: Mode) -> Run:
    """The positions along the mode's circuit as a result, or the mode alone."""
    model = report.subject.model
    path = mode.path if _has_path(report, mode) else mode.path[mode.row : mode.row + 1]
    columns = report.subject.columns(path).replaced(
        {"t": np.arange(len(path), dtype=float)}
    )  # places along the circuit
    record = Record(model, "modes", "loops", (0.0, float(len(path) - 1), 1.0), inspection=report.subject.inspection)
    return Run(columns, [], {}, record)
