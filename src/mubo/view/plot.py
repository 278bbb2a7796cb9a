"""One call for every picture: which one follows from the columns asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.errors import ResultError, nearest
from mubo.laws.number_text import number
from mubo.results import Run
from mubo.view.charts import Panel, draw_over_time, draw_reference, joint_panels, over_column, write_corner_note
from mubo.view.diagnostics import (
    draw_energy,
    draw_newton,
    draw_newton_totals,
    draw_newton_violation,
    draw_residuals,
    draw_transmission,
)
from mubo.view.gait import SIZE, SPACE_SIZE, draw_gait, draw_walk
from mubo.view.orbit import draw_orbit, orbits_of
from mubo.view.painters.stage import draw_mechanism, proportion
from mubo.view.painters.style import figure_style, picture_target, save_figure, title
from mubo.view.refinement import original_rows, pose_columns, refine_rows
from mubo.view.scene import Scene, scene_of
from mubo.view.scene.arrows import frame_at, largest_force_time, with_forces
from mubo.view.scene.build import are_equilibria, equilibrium_title, number_equilibria
from mubo.view.scene.frames import with_frames
from mubo.view.strength import beams_of, draw_beams, draw_envelopes, first_stresses
from mubo.view.vectors import draw_hodograph, draw_path, draw_phase, draw_polar, draw_space_path, first_forces

ACROSS = {"path": draw_path, "phase": draw_phase, "hodograph": draw_hodograph, "orbit": draw_orbit}
OVER_TIME = {
    "newton": draw_newton,
    "newton-violation": draw_newton_violation,
    "transmission": draw_transmission,
    "residuals": draw_residuals,
}
STRENGTH = ("beams", "envelope")
GAIT = {"gait": SIZE, "walk": (13.0, 2.8)}
KINDS = ("mechanism", "time", "energy", "polar", *STRENGTH, *GAIT, *ACROSS, *OVER_TIME, "newton-totals")
MOST_CHARTS = 9  # in one picture, where no column is asked for
MOST_MEASURES = 4  # of them
WIDE, HIGHEST = 7.2, 9.0  # inches
FEPS = tuple(10.0**-k for k in range(2, 13))


def plot(
    run: Run,
    columns: list[str],
    path: str | Path | None = None,
    kind: str | None = None,
    rerun: Callable[[float, str], Run] | None = None,
    over: str | None = None,
    reference: str | Path | None = None,
    **shown: Any,
) -> Any:
    """Draws and, with `path`, writes a picture.

    Without columns: the mechanism. With "P.x", "P.y": the path of P. With other columns: charts over time, or `over` a
    driver or another column; with columns of a `reference` table dashed beside them. `rerun`
    computes the run again for another tolerance and predictor, which only "newton-totals" needs. `shown` is for the
    mechanism: `at` (a time; the first if left out, with `forces` that of the largest reaction), `strobe` (so many
    positions), `view` (azimuth and elevation in degrees), `forces`, `frames`.
    """
    target = picture_target(path)
    if kind is not None and kind not in KINDS:
        raise ResultError(f'there is no picture "{kind}". {nearest(kind, KINDS)}')
    kind = kind or _kind(columns)
    run = number_equilibria(run)
    if kind not in ("path", "hodograph", "polar", "orbit"):
        for name in columns:
            run[name]  # an unknown column is refused before anything is drawn
    _require(run, kind, shown)
    if over is not None and kind != "time":
        raise ResultError(f'"over" is for charts of columns, not for "{kind}"')
    if reference is not None and (kind != "time" or over is not None):
        raise ResultError("a reference table is drawn into charts over time: name columns, such as P.y, and no --over")
    axis = "t" if over is None else over_column(run, over)
    with figure_style() as figure_class:
        figure = _draw(figure_class, run, columns, kind, rerun, axis, shown)
        if reference is not None:
            draw_reference(figure.axes, run, [names[0] for names in _panels(run, columns)], reference)
        save_figure(figure, target)
    return figure


def _require(run: Run, kind: str, shown: dict[str, Any]) -> None:
    if len(run) == 0:
        raise ResultError("there is nothing to draw: the result has no rows")
    given = [word for word, value in shown.items() if value]
    if given and kind != "mechanism":
        raise ResultError(f'"{given[0]}" is for a picture of the mechanism, not for "{kind}"')
    strobe = shown.get("strobe")
    if strobe is not None and not 2 <= strobe <= 200:
        raise ResultError(f"a stroboscope shows 2 to 200 positions; asked for {strobe}")


def _within(run: Run, at: float) -> float:
    """A time of the run, up to where its motion stopped; others are refused."""
    start, end = run["t"][[0, -1]]
    if not start <= at <= end:
        asked, last = run.units.time_text(at), run.units.time_text(end)
        raise ResultError(f"the run has no time {asked}: it goes from {start:g} to {last}")
    return at


def _drawn_columns(run: Run, columns: list[str], kind: str, over: str) -> list[str]:
    """The columns whose curves a picture shows."""
    if kind == "mechanism":
        return pose_columns(run)
    if kind == "time":
        return [*columns, over]
    if kind == "orbit":
        bodies = {body for one, two, _ in orbits_of(run.model).values() for body, _ in (one, two)}
        return [column.name for column in run.columns.schema if column.owner in bodies and column.kind == "body"]
    if kind in ("energy", "transmission"):
        return [column.name for column in run.columns.of_kind(kind)]
    if kind in ACROSS or kind == "polar":
        heads = {run.columns.column(name).owner if name in run.columns else name for name in columns}
        return [c.name for c in run.columns.schema if c.owner in heads] if heads else list(run.columns)
    return []


def _kind(columns: list[str]) -> str:
    if not columns:
        return "mechanism"
    heads = {name.rpartition(".")[0] for name in columns}
    tails = [name.rpartition(".")[2] for name in columns]
    return "path" if len(heads) == 1 and tails in (["x", "y"], ["x", "y", "z"]) else "time"


def _gait(figure_class: Any, run: Run, kind: str) -> Any:
    """The cycles of a walk, or the walk itself."""
    deep = kind == "gait" and run.model.dimension == 3
    figure = figure_class(figsize=SPACE_SIZE if deep else GAIT[kind])
    draw_gait(figure, run) if kind == "gait" else draw_walk(figure.subplots(), run)
    return figure


def _draw(
    figure_class: Any, run: Run, columns: list[str], kind: str, rerun: Any, over: str, shown: dict[str, Any]
) -> Any:
    panels = _panels(run, columns) if kind == "time" else []
    columns = columns or [name for names in panels for name in names]
    shown = _choose_time(run, kind, shown)
    solved, at = run, shown.get("at")
    run = refine_rows(run, _drawn_columns(run, columns, kind, over), () if at is None else (at,))
    if kind == "mechanism":
        at = run["t"][0] if at is None else _within(run, at)
        arrows, frames = shown.pop("forces", None), bool(shown.pop("frames", False))
        scene = frame_at(with_frames(with_forces(scene_of(run), arrows), frames), float(at))
        return _mechanism(figure_class, run, scene, shown)
    if kind == "time":
        figure = _charts(figure_class, run, panels, over)
    elif kind == "energy":
        figure = figure_class(figsize=(WIDE, 5.4))
        draw_energy(figure, run)
    elif kind == "path" and run.model.dimension == 3:
        scene = scene_of(run)
        figure = figure_class(figsize=(WIDE, min(WIDE * proportion(scene), HIGHEST)))
        draw_space_path(figure.subplots(), run, columns, scene)
    elif kind == "polar":
        figure = figure_class(figsize=(1.35 * WIDE, 5.4))
        draw_polar(figure, run, columns, scene_of(run), original_rows(solved, run))
    elif kind in GAIT:
        figure = _gait(figure_class, solved, kind)
    elif kind in STRENGTH:
        figure = _strength(figure_class, solved, kind)
    elif kind in ACROSS:
        figure = figure_class(figsize=(WIDE, 5.4))
        ACROSS[kind](figure.subplots(), run, columns, scene_of(run), original_rows(solved, run))
    elif kind in OVER_TIME:
        elements = len(run.summary.get("residual_per_element", ())) if kind == "residuals" else 0
        figure = figure_class(figsize=(WIDE, float(np.clip(1.6 + 0.32 * elements, 3.6, HIGHEST))))
        OVER_TIME[kind](figure.subplots(), solved if kind.startswith("newton") else run)
    else:
        if rerun is None:
            raise ResultError("newton-totals needs the model: use `mubo plot MODEL --kind newton-totals`")
        figure = figure_class(figsize=(WIDE, 5.4))
        totals = {p: {f: int(rerun(f, p).record.corrections.sum()) for f in FEPS} for p in ("previous", "taylor")}
        draw_newton_totals(figure.subplots(), totals)
    write_corner_note(figure, solved)
    return figure


def _choose_time(run: Run, kind: str, shown: dict[str, Any]) -> dict[str, Any]:
    """The settings with the time of the largest reaction, where arrows are asked for and no time is."""
    free = kind == "mechanism" and shown.get("at") is None and not shown.get("strobe")
    return {**shown, "at": largest_force_time(run)} if free and shown.get("forces") else shown


def _strength(figure_class: Any, run: Run, kind: str) -> Any:
    """Links at their worst instants, or swept areas of bodies."""
    if kind == "beams":
        figure = figure_class(figsize=(max(WIDE, 3.4 * len(beams_of(run))), HIGHEST))
        draw_beams(figure, run, scene_of(run))
        return figure
    figure = figure_class(figsize=(1.3 * WIDE, 6.2))
    draw_envelopes(figure.subplots(), run, scene_of(run))
    return figure


def _mechanism(figure_class: Any, run: Run, scene: Scene, shown: dict[str, Any]) -> Any:
    high = WIDE * proportion(scene, shown.get("view")) + 0.4
    figure = figure_class(figsize=(WIDE, float(np.clip(high, 2.8, HIGHEST))))
    axes = figure.subplots()
    time, unit = shown.get("at"), run.unit("t")
    subtitle = "" if time is None else f", t = {number(time, 4)} {unit}".rstrip()
    if are_equilibria(run):
        shown, subtitle = {**shown, "strobe": len(run) if time is None else None}, f", {equilibrium_title(run, time)}"
        scene = replace(scene, points=())  # no path leads from one to the next
    elif shown.get("strobe"):
        subtitle += f", {shown['strobe']} positions"
    axes.set_title(title(run.model.name) + subtitle)
    stage = draw_mechanism(axes, scene, **shown)
    write_corner_note(figure, run, stage.painter.notes)
    return figure


def _charts(figure_class: Any, run: Run, panels: list[Panel], over: str) -> Any:
    figure = figure_class(figsize=(WIDE, 1.2 + 1.6 * len(panels)))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    draw_over_time(axes, run, panels, scene_of(run), over)
    return figure


def _panels(run: Run, columns: list[str]) -> list[Panel]:
    """The columns of each chart: one that is asked for, or those drawn by default, of a joint together."""
    return [(name,) for name in columns] if columns else joint_panels(run, first_columns(run))


def first_columns(run: Run) -> list[str]:
    """Columns that are drawn by default: stresses, forces, else the named measures, then the motion."""
    if (stresses := first_stresses(run)) is not None:
        return [*stresses, *first_forces(run)][:MOST_CHARTS]
    measures = [column.name for column in run.columns.of_kind("measure") if column.order == 0]
    if run.record.forces is not None and (forces := first_forces(run)):
        return [*forces, *measures[:MOST_MEASURES]][:MOST_CHARTS]
    return [*measures[:MOST_MEASURES], *_motion_columns(run)][:MOST_CHARTS]


def _motion_columns(run: Run) -> list[str]:
    """The coordinate that moves more, with its derivatives, of the first point of interest or the last body.

    A simulation shows the coordinates of its joints, where it has any.
    """
    joints = [column.name for column in run.columns.of_kind("joint") if column.order == 0]
    if run.record.study == "simulate" and joints:
        return joints[:MOST_CHARTS]
    moving = [name for name in run.model.points if max(_reach(run, name).values()) > 0]
    name = next(iter(moving), None) or list(run.model.bodies)[-1]
    reach = _reach(run, name)
    if run.model.dimension == 3:
        far = max(reach, key=lambda letter: reach[letter])
        return [f"{name}.{far}", f"{name}.v{far}", f"{name}.a{far}"]
    x, y = reach.values()
    # For comparable motions y is shown, as in the KABIOS manual.
    return [f"{name}.{c}" for c in (("y", "vy", "ay") if y > 0.03 * x else ("x", "vx", "ax"))]


def _reach(run: Run, name: str) -> dict[str, float]:
    """The travel of a point along each axis; 0 where only rounding moves it."""
    out = {}
    for letter in "xyz"[: run.model.dimension]:
        values = run[f"{name}.{letter}"]
        span = float(np.nanmax(values) - np.nanmin(values))
        out[letter] = span if span > 1e-9 * float(np.nanmax(np.abs(values))) else 0.0
    return out
