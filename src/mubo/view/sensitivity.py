"""A sensitivity drawn: what one percent of a parameter changes of each measure, as bars; or of columns, over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.describe.design import is_rounding
from mubo.errors import ResultError
from mubo.laws.number_text import number, signed_number
from mubo.view.charts import plot_rows
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure
from mubo.view.scene.colours import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from mubo.design.sensitivity import Sensitivity

ACROSS = 2  # measures beside each other
BAR = 0.34  # inches of a bar


def plot_sensitivity(found: Sensitivity, columns: Sequence[str], path: str | Path | None) -> Any:
    """The figure, written to `path` where one is given. Without `columns` the measures are drawn as bars."""
    if not columns and not found.measures:
        raise ResultError("no measure was asked for: there is nothing to draw")
    target = picture_target(path)
    with figure_style() as figure:
        drawn = _over_time(figure, found, columns) if columns else _bars(figure, found)
        save_figure(drawn, target)
    return drawn


def _bars(figure: Any, found: Sensitivity) -> Any:
    """Bars of each measure, the greatest effect on top; bars to the left make it smaller."""
    across = min(len(found.measures), ACROSS)
    down = -(-len(found.measures) // across)
    fig = figure(figsize=(1.0 + 4.4 * across, down * (1.5 + BAR * len(found.parameters))))
    axes = np.atleast_1d(fig.subplots(down, across, squeeze=False)).ravel()
    for ax, measure in zip(axes, found.measures, strict=False):
        own = [line for line in found.lines if line.measure == measure][::-1]
        sizes = np.array([0.0 if is_rounding(line, own) else line.per_percent for line in own])
        ax.barh(range(len(own)), sizes, color=[COLOURS[0] if x >= 0 else COLOURS[1] for x in sizes], height=0.62)
        reach = float(np.max(np.abs(sizes))) or 1.0
        for row, (line, size) in enumerate(zip(own, sizes, strict=True)):
            side = -1 if size < 0 else 1
            text = signed_number(size, 3) if size else "0"
            if line.nominal_is_zero:  # one percent of it is nothing
                text = f"{signed_number(line.derivative, 3)} {line.unit_of_derivative}; nominal value 0"
            ax.text(size + 0.03 * side * reach, row, text, va="center",
                    ha="right" if side < 0 else "left", fontsize=8.5, color=INK)  # fmt: skip
        low, high = min(float(np.min(sizes)), 0.0), max(float(np.max(sizes)), 0.0)
        ax.set_xlim(low - 0.4 * reach * (low < 0) - 0.04 * reach, high + 0.4 * reach * (high > 0) + 0.04 * reach)
        ax.set_yticks(range(len(own)), [line.parameter for line in own])
        ax.axvline(0.0, color=INK, lw=0.8)
        ax.locator_params(axis="x", nbins=5)
        ax.grid(False, axis="y")
        ax.set_xlabel(axis_text("change per 1 % of the parameter", own[0].unit))
        ax.set_title(f"{measure} = {number(own[0].value, 4)} {own[0].unit}".rstrip())
    for ax in axes[len(found.measures) :]:
        ax.remove()
    return fig


def _over_time(figure: Any, found: Sensitivity, columns: Sequence[str]) -> Any:
    """Sensitivities of columns over the motion, each times one percent of its parameter."""
    fig = figure(figsize=(7.6, 1.1 + 2.4 * len(columns)))
    axes = np.atleast_1d(fig.subplots(len(columns), 1, sharex=True))
    t = found.run["t"]
    for ax, name in zip(axes, columns, strict=True):
        for k, parameter in enumerate(found.parameters):
            part = abs(float(found.run.model.parameters[parameter].value)) / 100
            plot_rows(ax, t, found[name][k] * part, color=COLOURS[k % len(COLOURS)], label=parameter)
        ax.axhline(0.0, color=QUIET, lw=0.8)
        ax.set_ylabel(axis_text(name, found.run.unit(name)))
        ax.margins(x=0)
    axes[0].legend(frameon=False, fontsize=8.5, ncols=min(len(found.parameters), 6), loc="lower right",
                   bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)  # fmt: skip
    axes[0].set_title("change per 1 % of a parameter", loc="left")
    axes[-1].set_xlabel(axis_text("t", found.run.unit("t")))
    return fig
