"""A design before and after it was optimised: the mechanism to one scale, and what was aimed at over the motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.design.optimize.problem import is_path
from mubo.design.paths import curve_of
from mubo.results import Run
from mubo.view.charts import plot_curve
from mubo.view.painters.plane import PATHS, PlanePainter
from mubo.view.painters.stage import path_of
from mubo.view.painters.style import figure_style, picture_target, save_figure, title
from mubo.view.panels import body_legend, one_frame
from mubo.view.refinement import pose_columns, refine_rows
from mubo.view.scene import Scene, pose_at, scene_of
from mubo.view.scene.colours import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from mubo.design.optimize.optimum import Optimum

MOST_CHARTS = 3
WIDTH = 4.3  # inches of a panel


def draw_optimum(found: Optimum, path: str | Path | None = None) -> Any:
    """The figure, written to `path` where one is given."""
    target = picture_target(path)
    flat = found.run.model.dimension == 2
    charts = _columns(found)
    drawn = [*pose_columns(found.run), *charts]
    runs = (refine_rows(found.first_run, drawn), refine_rows(found.run, drawn))
    scenes = [scene_of(run) for run in runs] if flat else []
    low, high = one_frame(scenes) if flat else (np.zeros(2), np.ones(2))
    tall = WIDTH * float((high - low)[1] / (high - low)[0]) + 0.9 if flat else 0.0
    heights = [tall] * flat + [1.5] * len(charts)
    with figure_style() as figure_class:
        figure = figure_class(figsize=(2 * WIDTH + 0.4, sum(heights) + 1.1))
        grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
        panels = [figure.add_subplot(grid[0, k]) for k in range(2)] if flat else []
        for axes, words in zip(panels, ("before", "after"), strict=False):
            axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
            axes.set_title(words)
        for k, name in enumerate(charts):
            _chart(figure.add_subplot(grid[flat + k, :]), runs, name, k == 0, k == len(charts) - 1)
        figure.suptitle(f"{title(found.run.model.name)}: {title(_headline(found))}")
        if flat:
            body_legend(figure, scenes[0], 2)
            figure.draw_without_rendering()  # then sizes on paper are known
            for axes, scene in zip(panels, scenes, strict=True):
                _panel(axes, scene, found)
        save_figure(figure, target)
    return figure


def _headline(found: Optimum) -> str:
    """The goal, before and after."""
    before, after = found.aim
    problem = found.asked.problem
    if problem.fits:
        return f"relative misfit {before:.3g} → {after:.3g}"
    text = problem.wanted[0].term.text
    unit = f" {found.asked.units[text]}" * bool(found.asked.units[text])
    text += f" (worst of {len(problem.wanted)} cases)" * (len(problem.wanted) > 1)
    return f"{text} {before:.4g} → {after:.4g}{unit}"


def _panel(axes: Any, scene: Scene, found: Optimum) -> None:
    for dot in (dot for dot in scene.points if dot.named):
        line = path_of(scene, dot, scene.poses, len(scene.times))
        axes.plot(*line.T, color=scene.frame_colour(dot.body), lw=1.4, zorder=PATHS)
    for wanted in found.asked.problem.wanted:
        if is_path(wanted.term) and wanted.term.objective is not None:
            _, points = curve_of(wanted.term.objective, found.run.model)
            axes.plot(*points.T, "o", mfc="white", mec=INK, ms=4, zorder=PATHS + 0.1)
    PlanePainter(axes, scene, labels=False).show(pose_at(scene, float(scene.times[0])))


def _columns(found: Optimum) -> list[str]:
    """The columns that goals and limits are numbers of, as far as they change over the motion."""
    out: dict[str, None] = {}
    for one in (*found.asked.problem.wanted, *found.asked.problem.limits):
        objective = one.term.objective
        if objective is None or is_path(one.term):
            continue
        names = (objective.of, f"{objective.of}.q")
        out |= dict.fromkeys(name for name in names if name in found.run.columns)
    return [name for name in out if np.ptp(found.run[name]) > 0 and not name.endswith(".value")][:MOST_CHARTS]


def _chart(axes: Any, runs: tuple[Run, Run], name: str, first: bool, last: bool) -> None:
    for run, colour, words in zip(runs, (QUIET, COLOURS[0]), ("before", "after"), strict=True):
        plot_curve(axes, run, name, color=colour, label=words, ls="-" if words == "after" else (0, (5, 2)))
    axes.set_ylabel(runs[1].header([name])[0])
    if first:
        axes.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1)
    if last:
        axes.set_xlabel(runs[1].header(["t"])[0])
    else:
        axes.tick_params(labelbottom=False)
