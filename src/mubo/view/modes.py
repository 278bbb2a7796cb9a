"""Assembly modes side by side, each with the paths of its points along the circuit, all to one scale."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from mubo.formats.atomic import replacing
from mubo.model import GROUND
from mubo.results import Trajectory
from mubo.studies.columns import trajectory_columns
from mubo.studies.mode_report import Mode, ModeReport
from mubo.view.mechanism import draw_mechanism
from mubo.view.plot import picture_target
from mubo.view.style import colour_of, styled

MOST_PANELS = 36
MOST_PATHS = 3  # points whose paths are drawn; more would hide the mechanism
TALLEST, WIDEST = 1.6, 2.5  # a panel's height over its width, and the other way
WIDTH = 3.2  # inches of a panel


def draw_modes(report: ModeReport, path: str | Path | None = None) -> Any:
    """One panel per mode; with `path` the picture is written there, else the matplotlib figure is returned."""
    target = None if path is None else picture_target(path)
    shown = report.modes[:MOST_PANELS]
    columns = min(len(shown), 2 if len(shown) in (2, 4) else 3 if len(shown) < 8 else 4)
    rows = math.ceil(len(shown) / columns)
    with styled() as figure_class:
        figure = figure_class(figsize=(WIDTH * columns, 1.0))
        panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for axes, mode in zip(panels.flat, shown, strict=False):
            _draw_panel(axes, report, mode)
        for axes in panels.flat[len(shown) :]:
            axes.set_visible(False)
        height = _one_scale(list(panels.flat[: len(shown)]))
        figure.set_size_inches(WIDTH * columns + 0.5, rows * ((WIDTH - 0.2) * height + 0.7) + 1.2)
        left_out = len(report.modes) - len(shown)
        name = report.compiled.model.name.replace("$", r"\$")
        figure.suptitle(f"{name}: " + (f"{left_out} more modes are not drawn" if left_out else "assembly modes"))
        _legend(figure, report, columns)
        if target is not None:
            with replacing(target) as temporary:
                figure.savefig(temporary)
    return figure


def _draw_panel(axes: Any, report: ModeReport, mode: Mode) -> None:
    row = mode.row if _has_path(report, mode) else 0
    draw_mechanism(axes, _run(report, mode), row)
    for text in list(axes.texts):  # one legend names the bodies of all panels
        text.remove()
    axes.label_outer()
    axes.set_title(f"mode {mode.number}", pad=20)
    words = mode.range_words(report.unit, digits=5) if report.driver else "stands still"
    axes.text(0, 1.02, f"circuit {mode.circuit} · {words}", transform=axes.transAxes, va="bottom", size=9)


def _legend(figure: Any, report: ModeReport, columns: int) -> None:
    from matplotlib.lines import Line2D

    names = [name for name in report.compiled.model.bodies if name != GROUND]
    lines = [Line2D([], [], color=colour_of(name, names), lw=3.2, label=name) for name in names]
    figure.legend(handles=lines, loc="outside lower center", ncols=min(len(names), 2 * columns), frameon=False)


def _has_path(report: ModeReport, mode: Mode) -> bool:
    """Whether the paths of the points along the circuit are drawn: few, and of finite length."""
    endless = {mode.low.kind, mode.high.kind} & {"endless", "far"}
    return not endless and len(report.compiled.model.points) <= MOST_PATHS


def _run(report: ModeReport, mode: Mode) -> Trajectory:
    """The positions along the mode's circuit as a result, or the mode alone."""
    model = report.compiled.model
    path = mode.path if _has_path(report, mode) else mode.path[mode.row : mode.row + 1]
    states = np.zeros((len(path), 3, path.shape[1]))
    states[:, 0] = path
    columns = trajectory_columns(report.compiled, np.full(len(path), report.time), states)
    return Trajectory(columns, model.units, model, [], {})


def _one_scale(panels: list[Any]) -> float:
    """The same limits for all panels; answers their height over their width."""
    limits = np.array([[*axes.get_xlim(), *axes.get_ylim()] for axes in panels])
    x0, y0 = limits[:, 0].min(), limits[:, 2].min()
    x1, y1 = limits[:, 1].max(), limits[:, 3].max()
    wider, higher = max(0.0, (y1 - y0) / TALLEST - (x1 - x0)) / 2, max(0.0, (x1 - x0) / WIDEST - (y1 - y0)) / 2
    x0, x1, y0, y1 = x0 - wider, x1 + wider, y0 - higher, y1 + higher
    for axes in panels:
        axes.set_xlim(x0, x1)
        axes.set_ylim(y0, y1)
    return float((y1 - y0) / (x1 - x0))
