"""The data of the page's script: strokes or solids with their motion, and the columns of the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans, is_among
from mubo.laws.number_text import unit_text
from mubo.results import Run
from mubo.results.rounding import chart_of
from mubo.view.beside import measured_samples
from mubo.view.curves import drawn_rows
from mubo.view.diagnostics import column_limits
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.report.figures import drawing_data
from mubo.view.report.first_charts import chart_groups, first_axis, first_charts
from mubo.view.report.free_bodies import actions_data, beams_data, masses_data
from mubo.view.report.numbers import keep_bits, pack_base64
from mubo.view.report.reference import Beside, curve_data
from mubo.view.report.shapes import solids_data, strokes_data
from mubo.view.scene import Scene, SceneJoint, SceneReach
from mubo.view.scene.actions import as_end
from mubo.view.scene.arrows import largest_force_time
from mubo.view.scene.legend import scale_data
from mubo.view.scene.texts import lines_to_clear

MANY = ("body", "point", "joint")  # kinds of which a model may have any number
BITS, ARROW_BITS = 22, 15  # binary digits of numbers between the rows of the table, and of arrows and rates
STEADY = 1e-2  # a smaller part of its values is a column's range where it hardly changes
MOST_COLUMNS = 6_000  # that have charts; of more, those of the first bodies, joints and points
MOST_NUMBERS = 4_000_000  # in all charts together: some 43 MB of the page


def charted_columns(run: Run, shown: list[str]) -> list[str]:
    """The columns that the page has: all, or of a large model as many as a list can offer, each owner's together."""
    most = min(MOST_COLUMNS, MOST_NUMBERS // min(len(run), MOST_ROWS))
    if len(run.columns) <= most:
        return list(run.columns)
    first = {run.columns.column(name).owner for name in shown or first_charts(run)}
    kept: list[str] = []
    for name, column in ((one.name, one) for one in run.columns.schema):
        if column.owner in first or column.kind not in MANY or len(kept) < most:
            first.add(column.owner)
            kept.append(name)
    return kept


def scene_data(run: Run, scene: Scene, kept: list[str]) -> dict[str, Any]:
    """The drawing and its motion, by the form of docs/scene.md; `kept` are the columns that the page has."""
    drawn = {"solids": solids_data(scene)} if scene.ambient.solid else {"strokes": strokes_data(scene)}
    lines = [{"frame": frame, "points": line.tolist()} for frame, line in lines_to_clear(scene.shapes)]
    reaches = [_reach(reach) for reach in scene.reaches]
    joints = [_joint(joint) for joint in scene.joints]
    events = [{"t": e.t, "kind": e.kind, "message": e.message, "passed": e.passed} for e in run.events]
    more = {"lines": lines, "reaches": reaches, "events": events, "forces": _forces(run, scene), "joints": joints}
    more |= drawing_data(run)
    acting = {
        "actions": actions_data(run, scene, kept),
        "beams": beams_data(run, scene),
        "masses": masses_data(run, scene),
    }
    units = {
        "radians": run.units.angle_factor(),
        "effort_units": {w: unit_text(run.units.unit_of(w)) for w in ("force", "torque")},
    }
    return {**scene.static_json(), **drawn, **more, **acting, **units, **_motion(run, scene, kept)}


def run_data(run: Run, scene: Scene, shown: list[str], rows: Array, kept: list[str], beside: Beside) -> dict[str, Any]:
    """The kept columns as base64 doubles, thinned to what a pixel can show; `shown` are the charts to begin with,
    `rows` the times of the table, among which others may stand for drawing, what stands `beside` the run."""
    t, first = run["t"], shown or first_charts(run)
    groups = {} if shown else chart_groups(run, first)
    columns = []
    for name in kept:
        if name == "t":
            continue
        times, values, known = drawn_rows(run, name)
        values = _seen_between(values, is_among(times, rows))
        numbers = {"scale": run.columns.scale(name), "v": pack_base64(values, "<f8")}
        numbers |= {} if known.all() else {"gaps": np.flatnonzero(~known).tolist()}
        column = {**column_entry(run, name), **groups.get(name, {}), "colour": scene.colour(name), **numbers}
        column |= {} if (samples := measured_samples(run, name)) is None else {"samples": curve_data(samples)}
        column |= {"reference": beside.curves[name]} if name in beside.curves else {}
        columns.append(column if len(times) == len(t) else {**column, "t": pack_base64(times, "<f8")})
    return {
        "times": pack_base64(t if len(t) <= MOST_ROWS else t[:0], "<f8"),  # thinned columns have times of their own
        "rows": pack_base64(rows, "<f8"),
        "columns": columns,
        "shown": first,
        "axis": first_axis(run),
        **({"reference_times": beside.times} if beside.times else {}),
    }


def column_entry(run: Run, name: str) -> dict[str, Any]:
    """Name, owner, word, unit and order of a column, the chart it shares with others, and its derivative's name."""
    column, derivative = run.columns.column(name), run.columns.derivative(name)
    words: dict[str, Any] = {"name": name, "owner": column.owner, "word": column.label, "unit": run.unit(name)}
    words |= {"order": column.order, "group": f"{column.owner}.{chart_of(column)}.{column.order}"}
    words |= {"extremes": ends} if (ends := _ends(run, name)) else {}
    words |= {"limits": limits} if (limits := column_limits(run, name)) is not None else {}
    if derivative is None:
        return words
    rate = run.columns.column(derivative)
    per = run.units.factor(rate.holds, rate.order) / run.units.factor(column.holds, column.order)
    return {**words, "derivative": derivative, **({"per": per} if per != 1.0 else {})}


def _ends(run: Run, name: str) -> list[float] | None:
    """Least value and its time, greatest and its time, where they were searched between rows."""
    entry = run.summary.get("extremes", {}).get(name, {})
    ends = [*entry.get("min", ()), *entry.get("max", ())]
    return [float(end) for end in ends] if len(ends) == 4 and np.isfinite(ends).all() else None


def _reach(reach: SceneReach) -> dict[str, Any]:
    ends: dict[str, Any] = {"name": reach.name, "first": as_end(reach.first)}
    if reach.second is not None:
        return {**ends, "second": as_end(reach.second)}
    assert reach.along is not None
    ends |= {"along": _pack_seen(reach.along)} | ({} if reach.start is None else {"start": _pack_seen(reach.start)})
    return {**ends, "to_scale": True, "on": reach.on} if reach.to_scale else ends


def _seen_between(values: Array, own: Booleans) -> Array:
    """Values with fewer digits at rows that are not the table's own.

    All digits are kept where they hardly change: the curve of a constant would show its rounding.
    """
    known = values[np.isfinite(values)]
    if not len(known) or np.ptp(known) < STEADY * np.max(np.abs(known)):
        return values
    return np.where(own, values, keep_bits(values, BITS))


def _pack_seen(values: Array) -> str:
    """Numbers that are only drawn, and never read."""
    return pack_base64(keep_bits(values, ARROW_BITS, "<f4"), "<f4")


def _forces(run: Run, scene: Scene) -> dict[str, Any] | None:
    """The scale of the arrows, and the time of the largest reaction, at which the page opens."""
    scale, time = scale_data(scene), largest_force_time(run)
    return scale if scale is None or time is None else {**scale, "largest": time}


def _joint(joint: SceneJoint) -> dict[str, Any]:
    """A joint where it is on its second body, to be picked."""
    between = [joint.first.body, joint.second.body]
    second = as_end(joint.second)
    return {"name": joint.name, "body": second["body"], "at": second["at"], "between": between, "driven": joint.driven}


def _motion(run: Run, scene: Scene, kept: list[str]) -> dict[str, Any]:
    """Poses by the names of their columns, which the page has; apart where the table has not each of them."""
    rates = {name: _pack_seen(rate) for name, rate in scene.rates.items()}
    words = run.model.ambient.pose
    columns = {name: [f"{name}.{word}" for word in words] for name in scene.poses}
    whole = len(scene.times) == len(run) <= MOST_ROWS
    if whole and {column for names in columns.values() for column in names}.issubset(kept):
        return {"poses": columns, "rates": rates}
    poses = {name: pack_base64(pose, "<f8") for name, pose in scene.poses.items()}
    return {"poses": poses, "times": pack_base64(scene.times, "<f8"), "rates": rates}
