"""The number that an objective is of a run; extremes are searched between its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.paths import gaps_of
from mubo.errors import ModelError, ResultError, nearest
from mubo.laws.tangent import as_array
from mubo.model import GROUND, ModelDefinition
from mubo.model.objectives import OF_COLUMN, PATH, TIMED, Objective
from mubo.results import Columns, Run
from mubo.solvers.search.extremes import ExtremeValues
from mubo.solvers.search.interpolation import interpolate_columns
from mubo.solvers.search.reported_quantities import column_quantity, output_columns

ANALYSES = {"inverse": ("effort", "power", "f", "fx", "fy", "m", "pin load"), "simulate": ("energy",)}


def value_of(objective: Objective, run: Run) -> float:
    """The objective of a run, in the model's units."""
    if objective.how in OF_COLUMN:
        return _of_column(objective, run)
    return _OTHERS[objective.how](objective, run)


def unit_of(objective: Objective, run: Run) -> str:
    """Its unit; "" where the model declares none."""
    if objective.how in OF_COLUMN:
        return run.unit(_column(objective, run))
    if objective.how == "stroke":
        return run.unit(output_of(objective, run))
    if objective.how == "transmission":
        return str(run.summary["transmission"]["unit"]) if run.units.declared else ""
    kinds = {"pin load": "force", "mass": "mass", PATH: "length", TIMED: "length"}
    return run.units.unit_of(kinds[objective.how]) if objective.how in kinds else ""


def extreme(run: Run, name: str) -> dict[str, Any]:
    """`min` and `max` of a column with their times, searched between rows: from the summary if it has been asked for
    them, else now, for this column alone."""
    extremes: dict[str, Any] = run.summary.known("extremes") or {}
    if name in extremes and "min" in extremes[name]:
        entry: dict[str, Any] = extremes[name]
        return entry
    return search_extremes(run.model, run.columns, name, run.record.between, run.events)


def search_extremes(
    model: ModelDefinition,
    columns: Columns,
    name: str,
    solve: Callable[[Array], Columns] | None = None,
    events: Any = (),
) -> dict[str, Any]:
    """Extremes of one column, between its rows by `solve`, else by interpolation."""

    def between(times: Array) -> Columns:
        return interpolate_columns(columns, times)

    found = ExtremeValues(model, columns, [column_quantity(columns, name)], solve or between, events).summarize()
    if name not in found:
        raise ResultError(f'"{name}" has no finite value in this run')
    return found[name]


def _of_column(objective: Objective, run: Run) -> float:
    name = _column(objective, run)
    return number_of(objective.how, run.columns, name, lambda: extreme(run, name))


def number_of(how: str, columns: Columns, name: str, extremes: Callable[[], dict[str, Any]]) -> float:
    """One number of a column; `extremes` finds its least and greatest value."""
    if how in ("first", "last"):
        return float(columns[name][0 if how == "first" else -1])
    if how in ("mean", "rms"):
        return float(mean_of(columns, name, squared=how == "rms"))
    entry = extremes()
    low, high = entry["min"][0], entry["max"][0]
    return float({"max": high, "min": low, "range": high - low, "largest": max(abs(low), abs(high))}[how])


def _column(objective: Objective, run: Run) -> str:
    if objective.of not in run.columns:
        raise ModelError(missing(objective, run), names=[objective.of])
    return objective.of


def missing(objective: Objective, run: Run) -> str:
    """Why a run has no such column, and which analysis would."""
    name, last = objective.of, objective.of.rpartition(".")[2] or objective.how
    study = next((study for study, words in ANALYSES.items() if last in words and study != run.record.study), "")
    cure = f"Use the analysis that has it: --analysis {study}." if study else nearest(name, run.columns)
    return f'"{objective.text}": this analysis ({run.record.study}) has no column "{name}". {cure}'


def mean_of(columns: Columns, name: str, squared: bool) -> Array:
    """∫ x dt / T, of each step by the trapezium with the corrections of Euler and Maclaurin where rates are known."""
    t, x = columns.raw("t"), columns[name]
    if len(t) < 2:
        return as_array(abs(x[0]) if squared else x[0])
    h = np.diff(t)
    v = columns.slope(name)
    if squared:
        x, v = x * x, None if v is None else 2 * x * v
    whole = np.sum(h * (x[:-1] + x[1:]) / 2)
    if v is not None:
        whole += np.sum(h * h * (v[:-1] - v[1:]) / 12)
    mean = whole / (t[-1] - t[0])
    return as_array(np.sqrt(np.maximum(mean, 0.0)) if squared else mean)


def output_of(objective: Objective, run: Run) -> str:
    """The coordinate of the output meant: of the joint named, or the only one there is."""
    outputs = [column.name for column in output_columns(run.model, run.columns)] if run.model.drivers else []
    named = [name for name in outputs if not objective.of or name in (objective.of, f"{objective.of}.q")]
    if len(named) == 1:
        return named[0]
    if objective.of in run.columns:
        return objective.of
    if objective.of:
        raise ModelError(f'"{objective.text}": no output is called so. {nearest(objective.of, outputs)}')
    has = f"several outputs, {', '.join(outputs)}: say which" if outputs else "no output that a driver moves"
    raise ModelError(f'"{objective.text}": the model has {has}, such as "{objective.how} of D.q"')


def _stroke(objective: Objective, run: Run) -> float:
    entry = extreme(run, output_of(objective, run))
    return float(entry["max"][0] - entry["min"][0])


def _time_ratio(objective: Objective, run: Run) -> float:
    name = output_of(objective, run)
    output = run.summary.get("outputs", {}).get(name, {})
    if "time_ratio" not in output:
        raise ResultError(f'"{objective.text}": {name} does not go to and fro within the run')
    return float(output["time_ratio"])


def _transmission(objective: Objective, run: Run) -> float:
    transmission = run.summary.get("transmission", {})
    if "minimum" not in transmission:
        raise ModelError(f'"{objective.text}": this analysis ({run.record.study}) has no transmission angles')
    return float(transmission["minimum"])


def _pin_load(objective: Objective, run: Run) -> float:
    loads = [c.name for c in run.columns.of_kind("reaction") if c.quantity == "f" and objective.of in ("", c.owner)]
    if not loads:
        raise ModelError(missing(objective, run) if not run.columns.of_kind("reaction") else _no_joint(objective, run))
    return max(float(extreme(run, name)["max"][0]) for name in loads)


def _no_joint(objective: Objective, run: Run) -> str:
    joints = {column.owner for column in run.columns.of_kind("reaction")}
    return f'"{objective.text}": there is no joint "{objective.of}" with a reaction. {nearest(objective.of, joints)}'


def _mass(objective: Objective, run: Run) -> float:
    return float(sum(body.whole.mass or 0.0 for body in run.model.bodies.values())) / run.units.factor("mass")


def _path_error(objective: Objective, run: Run) -> float:
    return gaps_of(objective, run.model, run.columns).rms


_OTHERS: dict[str, Callable[[Objective, Run], float]] = {
    "stroke": _stroke,
    "time ratio": _time_ratio,
    "transmission": _transmission,
    "pin load": _pin_load,
    "mass": _mass,
    PATH: _path_error,
    TIMED: _path_error,
}


def objectives_by_columns(objectives: Sequence[Objective], run: Run) -> tuple[Objective, ...]:
    """The objectives with a stroke of a hinge in the frame as what it is: the range of the angle of its body."""
    return tuple(_by_column(objective, run) for objective in objectives)


def _by_column(objective: Objective, run: Run) -> Objective:
    if objective.how != "stroke":
        return objective
    name = output_of(objective, run)
    joint = run.model.joints.get(name.rpartition(".")[0])
    bodies = [end.partition(".")[0] for end in joint.between] if joint is not None else []
    if GROUND not in bodies or len(bodies) != 2 or run.columns.column(name).holds != "angle":
        return objective
    moving = next((body for body in bodies if body != GROUND), GROUND)
    return Objective(objective.name, "range", f"{moving}.phi")
