"""Numbers of what drives a machine, of the columns of its run: means, energy that swings, inertia at the driver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, ResultError, nearest
from mubo.laws.tangent import as_array
from mubo.model.objectives import Objective
from mubo.results import Columns, Run

ANALYSES = {
    "inverse": ("effort", "power", "f", "fx", "fy", "m", "pin load", "kinetic"),
    "simulate": ("energy",),
}


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


def energy_swing(objective: Objective, run: Run) -> float:
    """The range of ∫ (P − P̄) dt of a driver's power P: what a flywheel on its shaft has to store and give back.

    Norton, Design of Machinery, 5th ed., section 11.11. P is solved at quarters of the steps; between them a spline
    is integrated, whose extremes are where P is its mean.
    """
    from scipy.interpolate import CubicSpline

    drivers = [column.owner for column in run.columns.of_kind("driver") if column.quantity == "power"]
    if not drivers:
        raise ModelError(missing(replace(objective, of=f"{objective.of or 'DRIVER'}.power"), run))
    if objective.of not in drivers and (objective.of or len(drivers) > 1):
        raise ModelError(f'"{objective.text}": say of which driver. {nearest(objective.of, drivers)}')
    rows = run.columns.raw("t")
    if len(rows) < 2:
        raise ResultError(f'"{objective.text}": the run has no time in which energy flows')
    times = (rows[:-1, None] + np.diff(rows)[:, None] * np.arange(4) / 4).ravel()
    found = run.at(np.append(times, rows[-1]))
    t, power = found.raw("t"), found.raw(f"{objective.of or drivers[0]}.power")
    work = CubicSpline(t, power).antiderivative()
    mean = float(work(t[-1])) / (t[-1] - t[0])
    left = CubicSpline(t, power - mean)
    at = np.concatenate([t, left.roots(extrapolate=False)])
    return float(np.ptp(left.antiderivative()(at))) / run.units.factor("energy")


def reflected_inertia(objective: Objective, run: Run) -> float:
    """2 mean(T)/mean(ω²): the constant inertia at the driver with the same mean kinetic energy."""
    drivers = list(run.model.drivers)
    if "energy.kinetic" not in run.columns:
        raise ModelError(missing(replace(objective, of="energy.kinetic"), run))
    if len(drivers) != 1 or objective.of not in ("", drivers[0]):
        raise ModelError(f'"{objective.text}": it is defined at the only driver. {nearest(objective.of, drivers)}')
    rate = f"{drivers[0]}.rate"
    square = float(mean_of(run.columns, rate, squared=True)) * run.units.factor(_holds(run, rate), 1)
    if not square > 0:
        raise ResultError(f'"{objective.text}": the driver {drivers[0]} does not move')
    energy = float(mean_of(run.columns, "energy.kinetic", squared=False)) * run.units.factor("energy")
    return 2 * energy / square**2 / run.units.factor(kind_of_inertia(run, rate))


def _holds(run: Run, name: str) -> str:
    return str(run.columns.column(name).holds)


def kind_of_inertia(run: Run, rate: str) -> str:
    """The kind of a reflected inertia: a moment of inertia, or a mass at a driver of a length."""
    return "mass*length^2" if _holds(run, rate) == "angle" else "mass"
