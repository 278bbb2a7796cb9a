"""The number that an objective is of a run; extremes are searched between its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.design.drive_numbers import energy_swing, kind_of_inertia, mean_of, missing, reflected_inertia
from mubo.design.paths import gaps_of
from mubo.errors import ModelError, ResultError, nearest
from mubo.laws.expression import evaluate, parse
from mubo.laws.jet import Jet
from mubo.mappings import found_once
from mubo.model import GROUND, ModelDefinition
from mubo.model.objectives import EXPRESSION, OF_COLUMN, PATH, TIMED, Objective
from mubo.results import Columns, Run
from mubo.solvers.search.extremes import ExtremeValues
from mubo.solvers.search.reported_quantities import column_quantity, output_columns

OF_EXTREMES = ("max", "min", "largest", "range", "fluctuation")
EMPTY = 1e-12  # of the range of a column: a mean that is rounding


def value_of(objective: Objective, run: Run) -> float:
    """The objective of a run, in the model's units."""
    if objective.how in OF_COLUMN:
        return _of_column(objective, run)
    return _OTHERS[objective.how](objective, run)


def unit_of(objective: Objective, run: Run) -> str:
    """Its unit; "" where the model declares none."""
    if objective.how in OF_COLUMN:
        return "" if objective.how == "fluctuation" else run.unit(_column(objective, run))
    if objective.how == "stroke":
        return run.unit(output_of(objective, run))
    if objective.how == "transmission":
        return str(run.summary["transmission"]["unit"]) if run.units.declared else ""
    if objective.how == "reflected inertia":
        return run.units.unit_of(kind_of_inertia(run, f"{next(iter(run.model.drivers))}.rate"))
    kinds = {"pin load": "force", "energy swing": "energy", "mass": "mass", PATH: "length", TIMED: "length"}
    return run.units.unit_of(kinds[objective.how]) if objective.how in kinds else ""


def extreme(run: Run, name: str) -> dict[str, Any]:
    """`min` and `max` of a column with their times, searched between rows: from the summary if it has been asked for
    them, else now, for this column alone."""
    extremes: dict[str, Any] = run.summary.known("extremes") or {}
    if name in extremes and "min" in extremes[name]:
        entry: dict[str, Any] = extremes[name]
        return entry
    if name not in run.summary.found_extremes:
        find_extremes(run, [name])
    if name not in run.summary.found_extremes:
        raise ResultError(f'"{name}" has no finite value in this run')
    found: dict[str, Any] = run.summary.found_extremes[name]
    return found


def find_extremes(run: Run, names: Sequence[str]) -> None:
    """Search the extremes of some columns of a run together, and keep them with it."""
    known = {**(run.summary.known("extremes") or {}), **run.summary.found_extremes}
    subjects = [column_quantity(run.columns, name) for name in names if name not in known]
    if not subjects:
        return
    found = ExtremeValues(run.model, run.columns, subjects, run.record.between, run.events)
    run.summary.found_extremes.update(found.summarize())


def find_extremes_of(objectives: Sequence[Objective], run: Run) -> None:
    """Search the extremes of all columns that some objectives of a run need, as far as it has them, together."""
    names = [o.of for o in objectives if o.how in OF_EXTREMES and o.of in run.columns]
    for objective in objectives:
        if objective.how == "stroke":
            try:
                names.append(output_of(objective, run))
            except ModelError:  # its value says why
                continue
    find_extremes(run, list(dict.fromkeys(names)))


def search_extremes(model: ModelDefinition, columns: Columns, name: str) -> dict[str, Any]:
    """Extremes of one column, between its rows by interpolation."""
    found = ExtremeValues(model, columns, [column_quantity(columns, name)], None).summarize()
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
    if how == "fluctuation":
        mean = float(mean_of(columns, name, squared=False))
        if not abs(mean) > EMPTY * (high - low):
            raise ResultError(f'"fluctuation {name}": its mean is zero')
        return float(high - low) / abs(mean)
    return float({"max": high, "min": low, "range": high - low, "largest": max(abs(low), abs(high))}[how])


def _column(objective: Objective, run: Run) -> str:
    if objective.of not in run.columns:
        raise ModelError(missing(objective, run), names=[objective.of])
    return objective.of


def output_of(objective: Objective, run: Run) -> str:
    """The coordinate of the output meant: of the joint named, or the only one there is."""
    outputs = _outputs(run)
    named = [name for name in outputs if not objective.of or name in (objective.of, f"{objective.of}.q")]
    if len(named) == 1:
        return named[0]
    if objective.of in run.columns:
        return objective.of
    if objective.of:
        raise ModelError(f'"{objective.text}": no output is called so. {nearest(objective.of, outputs)}')
    has = f"several outputs, {', '.join(outputs)}: say which" if outputs else "no output that a driver moves"
    raise ModelError(f'"{objective.text}": the model has {has}, such as "{objective.how} of D.q"')


def _outputs(run: Run) -> list[str]:
    """The coordinates that count as outputs: the same in every variant, of which some may be fixed in one study."""
    if not run.model.drivers:
        return []
    key = f"outputs of {run.record.study}"
    return found_once(
        run.model.structure, key, lambda: [column.name for column in output_columns(run.model, run.columns)]
    )


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


def _expression(objective: Objective, run: Run) -> float:
    return float(jet_of_expression(objective, [value_of(part, run) for part in objective.parts]).v)


def jet_of_expression(objective: Objective, values: Sequence[float], along: int = -1) -> Jet:
    """The value of an expression of objectives and its derivative by the one numbered `along`."""
    none = np.zeros(())
    names = {f"m{k}": Jet(np.asarray(float(value)), none + (k == along), none) for k, value in enumerate(values)}
    with np.errstate(all="ignore"):
        found = evaluate(parse(objective.of), {**names, "t": Jet(none, none, none)}, objective.text)
    if not np.isfinite(found.v):
        raise ResultError(f'"{objective.text}" is not a number: its parts are {", ".join(f"{x:.4g}" for x in values)}')
    return found


def _mass(objective: Objective, run: Run) -> float:
    return float(sum(body.whole.mass or 0.0 for body in run.model.bodies.values())) / run.units.factor("mass")


def _path_error(objective: Objective, run: Run) -> float:
    return gaps_of(objective, run.model, run.columns).rms


_OTHERS: dict[str, Callable[[Objective, Run], float]] = {
    "stroke": _stroke,
    "time ratio": _time_ratio,
    "transmission": _transmission,
    "pin load": _pin_load,
    "energy swing": energy_swing,
    "reflected inertia": reflected_inertia,
    EXPRESSION: _expression,
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
