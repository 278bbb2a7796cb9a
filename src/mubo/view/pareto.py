"""A Pareto front drawn: every goal over every other one, with its designs numbered and all that were tried."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ResultError
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from mubo.design.pareto.result import ParetoFront

ACROSS = 2
ROOM = 0.08  # of the range of the front: what is drawn around it


def plot_front(found: ParetoFront, path: str | Path | None) -> Any:
    """The figure, written to `path` where one is given: a panel for each pair of goals."""
    if not len(found):
        raise ResultError("the front has no design: there is nothing to draw")
    target = picture_target(path)
    pairs = list(itertools.combinations(found.goals, 2))
    across = min(len(pairs), ACROSS)
    down = -(-len(pairs) // across)
    with figure_style() as figure_class:
        figure = figure_class(figsize=(1.0 + 5.0 * across, 1.2 + 3.6 * down))
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for axes, pair in zip(panels, pairs, strict=False):
            _panel(axes, found, *pair)
        for axes in panels[len(pairs) :]:
            axes.set_axis_off()
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
        figure.suptitle(f"{title(found.asked.problem.work.model.name)}: {len(found)} designs")
        save_figure(figure, target)
    return figure


def _panel(axes: Any, found: ParetoFront, across: str, up: str) -> None:
    """One goal over another; a design that was tried far from the front is left out."""
    x, y = found[across], found[up]
    tried = np.array([[found.number(t, across), found.number(t, up)] for t in found.pool if t.ran]).reshape(-1, 2)
    first = [found.number(found.asked.first, name) for name in (across, up)]
    axes.plot(*tried.T, ".", color=QUIET, ms=3, label="tried")
    axes.plot(*first, "o", mfc="white", mec=INK, ms=6, label="the model")
    axes.plot(x, y, "o", color=COLOURS[0], ms=5.5, label="front")
    for k, place in enumerate(zip(x, y, strict=True), 1):
        axes.annotate(str(k), place, (5, 4), textcoords="offset points", fontsize=8, color=INK)
    for set_limits, values, start in ((axes.set_xlim, x, first[0]), (axes.set_ylim, y, first[1])):
        low, high = float(np.min(values)), float(np.max(values))
        wide = (high - low) or abs(high) or 1.0
        low, high = min(low, max(start, low - wide)), max(high, min(start, high + wide))
        set_limits(low - ROOM * (high - low or wide), high + ROOM * (high - low or wide))
    for set_label, name in ((axes.set_xlabel, across), (axes.set_ylabel, up)):
        word = "least" if found.goals[name] == "minimize" else "greatest"
        set_label(f"{axis_text(name, found.unit(name))}, {word} wanted")
