"""Tolerances drawn: limits and contributions of every measure, or bands round the paths of points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.laws.tangent import value_of
from mubo.results import Run
from mubo.solvers.kinematics.sensitivity import column_derivatives
from mubo.view.painters.style import axis_text, figure_style, label_plane, picture_target, save_figure
from mubo.view.refinement import refine_rows
from mubo.view.scene.colours import COLOURS, INK, QUIET, tint

if TYPE_CHECKING:
    from mubo.design.tolerance_result import Tolerances


BINS = 30
LEGEND = 22  # points above the first axes for the legend


def plot_tolerances(
    found: Tolerances, points: Sequence[str], path: str | Path | None, magnify: float | None = None
) -> Any:
    """The figure, written to `path` where one is given."""
    if magnify is not None and not magnify > 0:
        raise ResultError(f"a band is magnified by a positive number; found {magnify:g}")
    target = picture_target(path)
    with figure_style() as figure:
        drawn = draw_bands(figure, found, points, magnify) if points else _measures(figure, found)
        save_figure(drawn, target)
    return drawn


def _measures(figure: Any, found: Tolerances) -> Any:
    """The limits of every measure beside the samples, and the contributions in percent."""
    count = len(found.measures)
    fig = figure(figsize=(9.6, 0.4 + count * max(2.4, 0.9 + 0.3 * len(found.sources))))
    axes = fig.subplots(count, 2, squeeze=False, width_ratios=(3, 2))
    for k, name in enumerate(found.measures):
        _limits(axes[k][0], found, k, name)
        order = np.argsort(found.shares[k], kind="stable")
        shares = 100 * found.shares[k][order]
        ax = axes[k][1]
        ax.barh(range(len(order)), shares, color=COLOURS[0], height=0.62)
        for row, share in enumerate(shares):
            ax.text(share + 1.5, row, f"{share:.3g} %", va="center", fontsize=8.5, color=INK)
        ax.set_yticks(range(len(order)), [found.sources[j] for j in order])
        ax.set_xlim(0, max(float(np.max(shares, initial=0.0)), 1.0) * 1.28)
        ax.grid(False, axis="y")
        ax.set_xlabel("of the variance [%]")
        ax.set_title("contributions", pad=LEGEND if k == 0 else 6)
    return fig


def _limits(ax: Any, found: Tolerances, k: int, name: str) -> None:
    measure, unit = found[name], found.stack.sensitivity.units[name]
    low, high = measure["nominal"] - measure["worst"], measure["nominal"] + measure["worst"]
    if found.spread is not None:
        values = found.spread.values[:, k]
        values = values[np.isfinite(values)]
        samples = f"{len(values)} samples"
        ax.hist(values, BINS, color=tint(COLOURS[0], 0.55), density=True, label=samples)
        low, high = min(low, float(np.min(values))), max(high, float(np.max(values)))
    wide = (high - low) or abs(measure["nominal"]) or 1.0
    if measure["three sigma"] > 0:
        x = np.linspace(low - 0.05 * wide, high + 0.05 * wide, 300)
        sigma = found.sigma[k]
        y = np.exp(-0.5 * ((x - measure["nominal"]) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))
        ax.plot(x, y, color=COLOURS[0], label="first order")
    for sign in (-1, 1):
        ax.axvline(measure["nominal"] + sign * measure["three sigma"], color=COLOURS[2], ls=(0, (4, 3)), lw=1.2,
                   label="three sigma" if sign > 0 else None)  # fmt: skip
        ax.axvline(measure["nominal"] + sign * measure["worst"], color=COLOURS[1], lw=1.2,
                   label="worst case" if sign > 0 else None)  # fmt: skip
    ax.set_xlim(low - 0.08 * wide, high + 0.08 * wide)
    ax.set_ylim(bottom=0)
    ax.set_yticks([])
    ax.grid(False, axis="y")
    ax.ticklabel_format(axis="x", useOffset=False)
    ax.set_xlabel(axis_text(name, unit))
    ax.set_title(
        f"{name} = {measure['nominal']:.5g} ± {measure['worst']:.3g} {unit}".rstrip(), pad=LEGEND if k == 0 else 6
    )
    if k == 0:
        ax.legend(frameon=False, fontsize=8.5, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0,
                  columnspacing=1.2, handlelength=1.4)  # fmt: skip


PIECES = 300  # of a band
SEEN = 0.05  # of the size of a path: how wide its band is drawn at least


def draw_bands(figure: Any, found: Tolerances, points: Sequence[str], magnify: float | None) -> Any:
    """Paths with the worst case and three sigma across them, drawn wider than they are where they could not be seen."""
    run = found.stack.sensitivity.run
    known = list(run.model.points)
    for point in points:
        if point not in known:
            raise ResultError(f'there is no point "{point}". {nearest(point, known)}', names=[point])
    if run.model.dimension != 2:
        raise ResultError("a band is drawn round paths in the plane")
    drawn = [(point, *_across(found, point)) for point in points]
    if magnify is None:
        magnify = _magnification(drawn)
    fig = figure(figsize=(7.2, 6.2))
    ax = fig.subplots()
    for k, (point, at, normal, worst, sigma) in enumerate(drawn):
        colour = COLOURS[k % len(COLOURS)]
        _fill(ax, at, normal * magnify * worst[:, None], tint(colour, 0.75), f"{point}: worst case")
        _fill(
            ax,
            at,
            normal * magnify * np.minimum(3 * sigma, worst)[:, None],
            tint(colour, 0.45),
            f"{point}: three sigma",
        )
        ax.plot(*at.T, color=colour, lw=1.3)
        ax.plot(*at[0], "o", color=colour, ms=4)
    unit = run.unit(f"{points[0]}.x")
    largest = max(float(np.nanmax(worst)) for _, _, _, worst, _ in drawn)
    times = f", drawn {magnify:g} times as wide" if magnify != 1 else ""
    ax.set_title(
        f"{', '.join(points)}: at most ± {largest:.3g} {unit}".rstrip() + f" across the path{times}", fontsize=10
    )
    label_plane(ax, unit)
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(frameon=False, fontsize=8.5, loc="best")
    ax.spines[["left", "bottom"]].set_color(QUIET)
    return fig


def _across(found: Tolerances, point: str) -> tuple[Array, Array, Array, Array]:
    """Places, normals, worst case and sigma across the path of a point where it moves, solved so densely that straight
    pieces between them are true."""
    sensitivity = found.stack.sensitivity
    names = [f"{point}.{word}" for word in ("x", "y", "vx", "vy")]
    columns = sensitivity.motion.columns_at(_times_of_band(sensitivity.run, names))
    at, velocity = (np.stack([value_of(columns[name]) for name in pair], 1) for pair in (names[:2], names[2:]))
    speed = np.linalg.norm(velocity, axis=1)
    moves = speed > 1e-9 * np.max(speed, initial=0.0)
    if not np.any(moves):
        raise ResultError(f"point {point} does not move: it has no path")
    normal = np.stack([-velocity[moves, 1], velocity[moves, 0]], 1) / speed[moves, None]
    by = [column_derivatives(columns, name, sensitivity.parameters).T for name in names[:2]]
    along = np.einsum("ti,tip->tp", normal, np.stack(by, 1)[moves])  # of times × 2 × parameters
    return at[moves], normal, found.stack.worst(along), found.stack.sigma(along)


def _times_of_band(run: Run, names: Sequence[str]) -> Array:
    """Times that determine the curves of the columns, each step divided so that there are at least PIECES."""
    t = np.unique(refine_rows(run, names)["t"])
    if len(t) < 2:
        return t
    parts = math.ceil(PIECES / (len(t) - 1))
    return np.append((t[:-1, None] + np.diff(t)[:, None] * np.arange(parts) / parts).ravel(), t[-1])


def _magnification(drawn: Any) -> float:
    """1, 2, 5, 10, … times, so that the widest band can be seen."""
    size = max(float(np.max(np.ptp(at, axis=0))) for _, at, *_ in drawn)
    widest = max(float(np.nanmax(worst)) for _, _, _, worst, _ in drawn)
    if not widest > 0 or 2 * widest >= SEEN * size:
        return 1.0
    wanted = SEEN * size / (2 * widest)
    decade = 10.0 ** math.floor(math.log10(wanted))
    return float(max(1.0, decade * next(k for k in (1, 2, 5, 10) if k * decade >= wanted)))


def _fill(ax: Any, at: Array, off: Array, colour: str, label: str) -> None:
    """The band from one side of the path to the other, step by step: it may cross itself."""
    left, right = at + off, at - off
    for k in range(len(at) - 1):
        quad = np.array([left[k], left[k + 1], right[k + 1], right[k]])
        ax.fill(*quad.T, color=colour, lw=0.6, ec=colour, label=label if k == 0 else None)
