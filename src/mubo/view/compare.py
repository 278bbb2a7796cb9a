"""The differences of two results over time: a chart per kind of column, a line per column."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from mubo.applications.compare.comparison import ColumnDifference, Comparison, counted, with_unit
from mubo.errors import ResultError
from mubo.laws.number_text import unit_text
from mubo.view.charts import plot_rows
from mubo.view.painters.style import figure_style, picture_target, save_figure
from mubo.view.scene.colours import COLOURS, QUIET

NAMED = 12  # lines with a colour and a name of their own in each chart: those with the largest differences
REST = "#bdbdbd"
FLAT = 0.3  # height of a chart without any difference
DECADES = 6  # lines smaller than the largest by more than this lie on the zero line; the legend has their size
SPREAD = 100.0  # of the sizes of the others: from here on the axis counts in decades
LONGEST = 30  # letters of a name in the legend


def draw_comparison(found: Comparison, path: str | Path | None = None, by: str = "kind") -> Any:
    """Draws a panel for each kind of column, or a row of panels `by` "point"; with `path` the picture is written."""
    target = picture_target(path)
    if by == "point":
        return _draw_points(found, target)
    kinds = {kind: [row for row in found.rows if row.kind == kind] for kind in found.overall()}
    heights = [1.0 if any(row.maximum for row in rows) else FLAT for rows in kinds.values()]
    with figure_style() as figure_class:
        figure = figure_class(figsize=(9.0, 1.1 + 2.3 * sum(heights)))
        stack = figure.subplots(len(kinds), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        for axes, (kind, rows) in zip(stack, kinds.items(), strict=True):
            _draw_kind(axes, found, kind, rows)
        stack[-1].set_xlabel(with_unit(found.over, found.time_unit))
        if np.ptp(found.t) > 0:
            stack[-1].set_xlim(np.min(found.t), np.max(found.t))
        figure.align_ylabels(stack)
        figure.suptitle(_title(found), fontsize=10)
        save_figure(figure, target)
    return figure


def _draw_points(found: Comparison, target: Any) -> Any:
    """A row of panels for each point or body, a column of panels for each kind; all panels of a kind have one scale."""
    kinds = [kind for kind in found.overall() if kind != "others"]
    owners = [name for name in found.deviations() if name != "Overall"]
    if not owners:
        raise ResultError("no column belongs to a point: a panel for each needs names such as A.x")
    with figure_style() as figure_class:
        figure = figure_class(figsize=(1.0 + 3.4 * len(kinds), 1.2 + 1.15 * len(owners)))
        grid = figure.subplots(len(owners), len(kinds), sharex=True, sharey="col", squeeze=False)
        for (i, owner), (k, kind) in product(enumerate(owners), enumerate(kinds)):
            axes = grid[i, k]
            rows = [row for row in found.rows if row.column.rpartition(".")[0] == owner and row.kind == kind]
            axes.axhline(0.0, color=QUIET, lw=0.8, zorder=1)
            for colour, row in zip(COLOURS, rows, strict=False):
                word = row.column.rpartition(".")[2]
                plot_rows(axes, found.t, found.differences[row.column], color=colour, lw=1.0, label=word)
            axes.yaxis.set_major_formatter(lambda value, _: _short(value))
            if rows:
                axes.legend(loc="upper right", frameon=False, fontsize=7, ncols=3, borderaxespad=0.1, handlelength=1.2)
            if i == 0:
                units = ", ".join(dict.fromkeys(_superscript(row.unit) for row in rows if row.unit))
                axes.set_title(with_unit(f"difference of {kind}", units))
        for axes, owner in zip(grid[:, 0], owners, strict=True):
            axes.set_ylabel(_name(owner))
        for axes in grid[-1]:
            axes.set_xlabel(with_unit(found.over, found.time_unit))
        figure.align_ylabels(grid[:, 0])
        figure.suptitle(_title(found), fontsize=10)
        save_figure(figure, target)
    return figure


def _draw_kind(axes: Any, found: Comparison, kind: str, rows: list[ColumnDifference]) -> None:
    worst = max(rows, key=lambda row: row.maximum)
    axes.axhline(0.0, color=QUIET, lw=0.8, zorder=1)
    if worst.maximum == 0:
        axes.set_title(f"{kind}: no difference in {counted(len(rows), 'column')}")
        axes.plot(found.t, 0 * found.t, color=COLOURS[0])
        axes.set_yticks([0.0], ["0"])
        axes.set_ylim(-1.0, 1.0)
        return
    _draw_lines(axes, found, rows)
    _scale(axes, [row.maximum for row in rows])
    time, size = (
        f"{worst.t:.4g} {found.time_unit}".rstrip(),
        f"{_short(worst.maximum)} {_superscript(worst.unit)}".rstrip(),
    )
    axes.set_title(f"{kind}: at most {size}, {_name(worst.column)} at {found.over} = {time}")
    units = ", ".join(dict.fromkeys(_superscript(row.unit) for row in rows if row.unit))
    axes.set_ylabel(with_unit("difference", units))


def _draw_lines(axes: Any, found: Comparison, rows: list[ColumnDifference]) -> None:
    """The largest differences in colour, the rest in grey behind them; names and sizes beside the chart."""
    named = sorted(rows, key=lambda row: -row.maximum)[:NAMED]
    marked = len(found.t) <= 60
    for row in (row for row in rows if row not in named):
        plot_rows(axes, found.t, found.differences[row.column], marked, color=REST, lw=0.8, zorder=2)
    handles = []
    for k, row in enumerate(row for row in rows if row in named):
        style: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "ls": "-" if k < len(COLOURS) else "--"}
        label = f"{_name(row.column)}  {_short(row.maximum)}"
        differences = found.differences[row.column]
        handles.append(plot_rows(axes, found.t, differences, marked, lw=1.2, zorder=3, label=label, **style))
    if len(rows) > NAMED:
        smaller = max(row.maximum for row in rows if row not in named)
        label = f"... and {len(rows) - NAMED} more, up to {_short(smaller)}"
        handles += axes.plot([], [], color=REST, label=label)
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.02),
        title="column, max",
        title_fontsize=7.5,
        alignment="left",
        frameon=False,
        fontsize=7.5,
        labelspacing=0.25,
        handlelength=1.8,
        borderaxespad=0.0,
    )


def _scale(axes: Any, sizes: list[float]) -> None:
    """A plain axis if the lines that can be seen are of one size; decades on both sides of zero if not."""
    largest = max(sizes)
    smallest = min(size for size in sizes if size >= largest * 10.0**-DECADES)
    if largest <= SPREAD * smallest:
        axes.yaxis.set_major_formatter(lambda value, _: _short(value))
        return
    low, high = math.floor(math.log10(smallest)), math.ceil(math.log10(largest))
    axes.set_yscale("symlog", linthresh=10.0**low)
    limits = axes.get_ylim()
    powers = range(high, low - 1, -math.ceil((high - low + 1) / 4))
    ticks = [(sign * 10.0**k, f"${'-' if sign < 0 else ''}10^{{{k}}}$") for sign in (-1, 1) for k in powers]
    axes.set_yticks([0.0, *(value for value, _ in ticks)], ["0", *(label for _, label in ticks)])
    axes.set_ylim(limits)
    axes.minorticks_off()


def _short(value: float) -> str:
    """ "0.25", "−2.5e−12"."""
    text = f"{value:.3g}"
    if "e" in text or 0 < abs(value) < 1e-3:
        mantissa, exponent = f"{value:.2e}".split("e")
        text = f"{float(mantissa):g}e{int(exponent)}"
    return text.replace("-", "−")


def _superscript(unit: str) -> str:
    return unit_text(unit)


def _name(name: str) -> str:
    return name if len(name) <= LONGEST else "…" + name[-LONGEST + 1 :]


def _title(found: Comparison) -> str:
    one, other = Path(found.result).name, Path(found.reference).name
    if one == other:
        one, other = found.result, found.reference
    return "\n".join(line for line in (f"RESULT {one} − REFERENCE {other}", found.times, found.doubt) if line)
