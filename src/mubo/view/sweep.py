"""A sweep drawn: a line over one parameter, contours over two, parallel coordinates of more; and the curves of variants
over each other, coloured by a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ResultError
from mubo.view.charts import plot_curve, plot_rows
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure
from mubo.view.refinement import refine_rows
from mubo.view.scene.colours import COLOURS, INK, QUIET
from mubo.view.vectors import column_path

if TYPE_CHECKING:
    from mubo.design.sweep import Sweep

MOST_CURVES = 25
MAP = "viridis"
LEVELS = 11
FINE = 8  # drawn places of a map for each step between its variants
TICKS = 5  # numbers on an axis of parallel coordinates
HALO = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6}


def plot_sweep(sweep: Sweep, columns: Sequence[str], path: str | Path | None, over: str | None = None) -> Any:
    """The figure, written to `path` where one is given. `columns` are drawn of variants; none draws the objectives."""
    if not np.any(sweep.ok):
        raise ResultError("no variant ran to its end: there is nothing to draw", suggestion="Their status says why.")
    target = picture_target(path)
    with figure_style() as figure:
        if columns:
            drawn = _curves(figure, sweep, columns, over)
        elif len(sweep.points.names) == 1:
            drawn = _lines(figure, sweep)
        elif len(sweep.points.names) == 2:
            drawn = _contours(figure, sweep)
        else:
            drawn = _parallel(figure, sweep)
        save_figure(drawn, target)
    return drawn


def _label(sweep: Sweep, name: str) -> str:
    return axis_text(name, sweep.units.get(name, ""))


def _lines(figure: Any, sweep: Sweep) -> Any:
    """Each objective over the parameter; variants that did not run are crosses on the axis."""
    (name,), objectives = sweep.points.names, [o.name for o in sweep.work.objectives]
    fig = figure(figsize=(7.2, 1.2 + 2.3 * len(objectives)))
    axes = np.atleast_1d(fig.subplots(len(objectives), 1, sharex=True))
    order = np.argsort(sweep[name])
    x = sweep[name][order]
    for k, (ax, objective) in enumerate(zip(axes, objectives, strict=True)):
        y = sweep[objective][order]
        plot_rows(ax, x, y, marked=len(x) < 60, color=COLOURS[k % len(COLOURS)])
        ax.set_ylabel(_label(sweep, objective))
        ax.axvline(sweep.nominal[name], color=QUIET, lw=1, ls=(0, (4, 3)))
        if k == 0:
            ax.annotate("as in the model", (sweep.nominal[name], 1.0), (4, 2), xycoords=("data", "axes fraction"),
                        textcoords="offset points", color=QUIET, fontsize=8.5)  # fmt: skip
        lost = x[~sweep.ok[order]]
        if len(lost):
            ax.plot(lost, np.zeros(len(lost)), "x", color="#B3003C", ms=5, transform=ax.get_xaxis_transform(),
                    clip_on=False, label=f"{len(lost)} did not run" if k == 0 else None)  # fmt: skip
            if k == 0:
                ax.legend(frameon=False, fontsize=8.5)
    axes[-1].set_xlabel(_label(sweep, name))
    axes[0].set_title(sweep.model.name, pad=16)
    return fig


def _contours(figure: Any, sweep: Sweep) -> Any:
    """A map of each objective over two parameters."""
    first, second = sweep.points.names
    objectives = [o.name for o in sweep.work.objectives]
    across = min(len(objectives), 2)
    down = -(-len(objectives) // across)
    fig = figure(figsize=(5.6 * across, 4.4 * down))
    axes = np.atleast_1d(fig.subplots(down, across, squeeze=False)).ravel()
    x, y = sweep[first], sweep[second]
    ok = sweep.ok
    for ax, objective in zip(axes, objectives, strict=False):
        z = sweep[objective]
        good = ok & np.isfinite(z)
        ax.grid(False)
        if np.ptp(z[good]) > 0 and len(distinct(x[good])) > 1 and len(distinct(y[good])) > 1 and np.sum(good) > 3:
            shown = _map(ax, sweep, x, y, np.where(good, z, np.nan))
        else:
            shown = ax.scatter(x[good], y[good], c=z[good], cmap=MAP)
        fig.colorbar(shown, ax=ax, pad=0.02).ax.tick_params(labelsize=8.5)
        if np.any(~ok):
            ax.plot(x[~ok], y[~ok], "x", color="#B3003C", ms=4, clip_on=False, label=f"{int(np.sum(~ok))} did not run")
            ax.legend(frameon=True, fontsize=8.5, loc="best")
        here = sweep.nominal[first], sweep.nominal[second]
        ax.plot(*here, "o", mfc="white", mec=INK, ms=6)
        ax.annotate("the model", here, (0, 8), textcoords="offset points", ha="center", fontsize=8.5, bbox=HALO)
        ax.set(xlabel=_label(sweep, first), ylabel=_label(sweep, second))
        ax.set_title(_label(sweep, objective))
    for ax in axes[len(objectives) :]:
        ax.remove()
    return fig


def _map(ax: Any, sweep: Sweep, x: Array, y: Array, z: Array) -> Any:
    if sweep.points.counts and min(sweep.points.counts) > 1:
        grid = [values.reshape(sweep.points.counts) for values in (x, y, z)]
        order = [np.argsort(grid[0][:, 0]), np.argsort(grid[1][0])]
        grid = [values[order[0]][:, order[1]] for values in grid]
        grid = _refined(*grid)
        shown = ax.contourf(*grid, LEVELS, cmap=MAP)
        lines = ax.contour(*grid, shown.levels[::2], colors="white", linewidths=0.6)
        ax.clabel(lines, fontsize=8, fmt="%.4g")
        return shown
    good = np.isfinite(z)
    shown = ax.tricontourf(x[good], y[good], z[good], LEVELS, cmap=MAP)
    ax.plot(x[good], y[good], ".", color="white", ms=2)
    return shown


def _refined(x: Array, y: Array, z: Array) -> list[Array]:
    """A map on a finer grid by the cubic spline through all its variants; where one has no value, the map as it is."""
    if not np.all(np.isfinite(z)) or min(z.shape) < 4:
        return [x, y, z]
    from scipy.interpolate import RectBivariateSpline

    ends = [np.linspace(side[0], side[-1], FINE * (len(side) - 1) + 1) for side in (x[:, 0], y[0])]
    return [*np.meshgrid(*ends, indexing="ij"), RectBivariateSpline(x[:, 0], y[0], z, s=0)(*ends)]


def _parallel(figure: Any, sweep: Sweep) -> Any:
    """A line per variant across an axis per parameter and objective, coloured by the last objective."""
    names = sweep.names
    values = np.stack([sweep[name] for name in names], -1)[sweep.ok]
    values = values[np.all(np.isfinite(values), axis=1)]
    low, high = values.min(axis=0), values.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    heights = np.where(high > low, (values - low) / width, 0.5)
    fig = figure(figsize=(1.9 + 1.5 * len(names), 4.6))
    ax = fig.subplots()
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    order = np.argsort(heights[:, -1])
    shade = max(0.15, min(0.9, 120 / len(values)))
    for k in order:
        ax.plot(range(len(names)), heights[k], color=colormaps[MAP](heights[k, -1]), lw=1.0, alpha=shade)
    for k, name in enumerate(names):
        ax.axvline(k, color=QUIET, lw=1)
        for at in np.linspace(0, 1, TICKS) if high[k] > low[k] else (0.5,):
            ax.annotate(f"{low[k] + at * (high[k] - low[k]):.4g}", (k, at), (-4, 0), ha="right", va="center",
                        textcoords="offset points", fontsize=8.5, color=INK, bbox=HALO)  # fmt: skip
        ax.annotate(_label(sweep, name), (k, 1.0), (0, 8), textcoords="offset points", ha="center", va="bottom",
                    fontsize=9.5, fontweight="bold" if k >= len(sweep.points.names) else "normal")  # fmt: skip
    scale = Normalize(low[-1], low[-1] + width[-1])
    bar = fig.colorbar(ScalarMappable(scale, MAP), ax=ax, label=_label(sweep, names[-1]), pad=0.02)
    bar.ax.tick_params(labelsize=8.5)
    ax.set_title(f"{sweep.model.name}, {len(values)} variants", pad=30)
    ax.set(xlim=(-0.45, len(names) - 0.75), ylim=(-0.03, 1.02), xticks=[], yticks=[])
    ax.grid(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return fig


def _curves(figure: Any, sweep: Sweep, columns: Sequence[str], over: str | None) -> Any:
    """Columns over time, or the path of two columns x and y, of up to MOST_CURVES variants."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    by = over or sweep.points.names[0]
    tint = sweep[by]
    ran = np.flatnonzero(sweep.ok)
    chosen = ran[np.argsort(tint[ran], kind="stable")]
    chosen = chosen[distinct(np.linspace(0, len(chosen) - 1, min(len(chosen), MOST_CURVES)).round().astype(int))]
    path = len(columns) == 2 and columns[0][:-1] == columns[1][:-1] and (columns[0][-1], columns[1][-1]) == ("x", "y")
    fig = figure(figsize=(6.6, 5.2) if path else (7.4, 1.2 + 2.4 * len(columns)))
    axes = np.atleast_1d(fig.subplots(1 if path else len(columns), 1, sharex=True))
    scale = Normalize(float(np.min(tint[chosen])), float(np.max(tint[chosen])))
    for k in chosen:
        run, colour = refine_rows(sweep.run(int(k)), columns), colormaps[MAP](scale(tint[k]))
        if path:
            line, alone = column_path(run, (columns[0], columns[1]))
            axes[0].plot(*line.T, color=colour, lw=1.2)
            axes[0].plot(run[columns[0]][alone], run[columns[1]][alone], "o", color=colour, ms=2.0)
        else:
            for ax, name in zip(axes, columns, strict=True):
                plot_curve(ax, run, name, color=colour, lw=1.2)
    if path:
        axes[0].set_aspect("equal", adjustable="datalim")
        axes[0].set(xlabel=run.header([columns[0]])[0], ylabel=run.header([columns[1]])[0])
    else:
        for ax, name in zip(axes, columns, strict=True):
            ax.set_ylabel(run.header([name])[0])
        axes[-1].set_xlabel(run.header(["t"])[0])
    fig.colorbar(ScalarMappable(scale, MAP), ax=list(axes), label=_label(sweep, by), pad=0.02)
    left = f", {len(chosen)} of {len(ran)} variants" if len(chosen) < len(ran) else ""
    axes[0].set_title(f"{sweep.model.name}{left}")
    return fig
