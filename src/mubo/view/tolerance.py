"""Tolerances drawn: limits and contributions of every measure, or bands round the paths of points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ResultError
from mubo.formats.atomic import replacing
from mubo.view.bands import bands
from mubo.view.style import COLOURS, INK, styled, tint

if TYPE_CHECKING:
    from mubo.design.tolerances import Tolerances

BINS = 30


def plot_tolerances(
    found: Tolerances, points: Sequence[str], path: str | Path | None, magnify: float | None = None
) -> Any:
    """The figure, written to `path` where one is given."""
    if magnify is not None and not magnify > 0:
        raise ResultError(f"a band is magnified by a positive number; found {magnify:g}")
    with styled() as figure:
        drawn = bands(figure, found, points, magnify) if points else _measures(figure, found)
        if path is not None:
            with replacing(Path(path)) as temporary:
                drawn.savefig(temporary)
    return drawn


def _measures(figure: Any, found: Tolerances) -> Any:
    """Of every measure its limits beside the samples, and the contributions in percent."""
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
        ax.set_title("contributions")
    return fig


def _limits(ax: Any, found: Tolerances, k: int, name: str) -> None:
    told, unit = found[name], found.stack.slopes.units[name]
    low, high = told["nominal"] - told["worst"], told["nominal"] + told["worst"]
    if found.spread is not None:
        values = found.spread.values[:, k]
        values = values[np.isfinite(values)]
        ax.hist(values, BINS, color=tint(COLOURS[0], 0.55), density=True)
        low, high = min(low, float(np.min(values))), max(high, float(np.max(values)))
    wide = (high - low) or abs(told["nominal"]) or 1.0
    if told["three sigma"] > 0:
        x = np.linspace(low - 0.05 * wide, high + 0.05 * wide, 300)
        sigma = found.sigma[k]
        y = np.exp(-0.5 * ((x - told["nominal"]) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))
        ax.plot(x, y, color=COLOURS[0], label="first order")
    for sign in (-1, 1):
        ax.axvline(told["nominal"] + sign * told["three sigma"], color=COLOURS[2], ls=(0, (4, 3)), lw=1.2,
                   label="three sigma" if sign > 0 else None)  # fmt: skip
        ax.axvline(told["nominal"] + sign * told["worst"], color=COLOURS[1], lw=1.2,
                   label="worst case" if sign > 0 else None)  # fmt: skip
    ax.set_xlim(low - 0.08 * wide, high + 0.08 * wide)
    ax.set_ylim(bottom=0)
    ax.set_yticks([])
    ax.grid(False, axis="y")
    ax.ticklabel_format(axis="x", useOffset=False)
    ax.set_xlabel(f"{name} [{unit}]" if unit else name)
    ax.set_title(f"{name} = {told['nominal']:.5g} ± {told['worst']:.3g} {unit}".rstrip())
    if k == 0:
        ax.legend(frameon=True, framealpha=1.0, edgecolor="none", fontsize=8.5, loc="upper right")
