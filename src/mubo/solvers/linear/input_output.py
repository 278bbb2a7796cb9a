"""Input and output of the linearised motion: B of the loads, and the derivatives of every column."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.note import Note
from mubo.results import Column
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.forces.applied_loads import wrench_per_load_size
from mubo.solvers.linear.matrices import LinearMatrices, along_accelerations, along_positions, along_rates
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates

KINDS = ("body", "joint", "point", "measure")


@dataclass(frozen=True, eq=False)
class InputOutput:
    """Generalised forces of a unit of every load with a law; derivatives of every column by y, ẏ and ÿ (3 × DOFs) in
    its unit, the factor and label of that unit, and the factor of an effort along it."""

    loads: dict[str, Array]
    columns: dict[str, Array]
    factors: dict[str, float]
    effort_factors: dict[str, float]
    units: dict[str, str]


def _load_effects(reduced: ReducedCoordinates) -> dict[str, Array]:
    """Input matrix: for each load with a law the generalised force of a unit of its size, Wᵀ ∂Q/∂size."""
    problem = reduced.problem
    units = problem.form.model.units
    factors = {load.name: units.factor(load.holds) for load in problem.form.loads.loads}
    states = reduced.states(reduced.q[None], reduced.rates[None], np.zeros((1, reduced.count)))
    effects = wrench_per_load_size(problem.form, states, reduced.columns(states))
    count = len(problem.form.free)
    return {name: np.asarray(reduced.basis @ on[:count].ravel()) * factors[name] for name, on in effects.items()}


def measure_notes(reduced: ReducedCoordinates) -> tuple[Note, ...]:
    """Notes on measures that are left out."""
    model = reduced.problem.form.model
    if not model.measures:
        return ()
    rest = np.zeros((1, reduced.count))
    return tuple(add_measures(model, reduced.columns(reduced.states(reduced.q[None], reduced.rates[None], rest))))


def input_output(matrices: LinearMatrices) -> InputOutput:
    """Effects of the loads, and derivatives of every column of bodies, joints, points and measures."""
    reduced = matrices.reduced
    one = reduced.columns(reduced.states(reduced.q[None], reduced.rates[None], matrices.accelerations[None]))
    known = [column for column in one.schema if column.kind in KINDS]

    def values(states: Array) -> Array:
        columns = reduced.columns(states)
        return np.stack([columns.raw(column.name) for column in known], 1)

    parts = (
        along_positions(reduced, matrices.accelerations, values)[: reduced.count],
        along_rates(reduced, matrices.accelerations, matrices.rate, values),
        along_accelerations(reduced, matrices.accelerations, matrices.rate, values),
    )
    factors = {column.name: one.units.factor(column.holds, column.order) for column in known}
    efforts = {column.name: one.units.factor("torque" if column.holds == "angle" else "force") for column in known}
    derivatives = np.stack(parts, 0).transpose(2, 0, 1)
    found = {
        column.name: _without_rounding(derivatives[k], column, matrices) / factors[column.name]
        for k, column in enumerate(known)
    }
    units = {column.name: one.unit(column.name) for column in known}
    return InputOutput(_load_effects(reduced), found, factors, efforts, units)


def _without_rounding(derivatives: Array, column: Column, matrices: LinearMatrices) -> Array:
    """Set to zero derivatives that are only rounding beside the largest one, rates being relative to a typical rate."""
    per = matrices.rate ** np.arange(3.0)[:, None]
    sizes = derivatives * per * matrices.reduced.sizes
    return np.where(np.abs(sizes) <= 1e-9 * np.max(np.abs(sizes), initial=0.0), 0.0, derivatives)
