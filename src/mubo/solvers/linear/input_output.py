"""Input and output of the linearised motion: B of the loads, and the derivatives of every column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.results import Column
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.forces.applied_loads import wrench_per_load_size
from mubo.solvers.linear.matrices import Reduced, along_accelerations, along_positions, along_rates
from mubo.solvers.linear.reduced_coordinates import Vicinity

KINDS = ("body", "joint", "point", "measure")


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of every column by y, ẏ and ÿ (3 × degrees of freedom) in its unit, the radians in that unit, and
    its label; and what measures leave out."""

    of: dict[str, Array]
    factors: dict[str, float]
    units: dict[str, str]
    notes: tuple[str, ...]


def load_effects(near: Vicinity) -> dict[str, Array]:
    """Per load with a law, what a unit of its size does along the degrees of freedom: Wᵀ ∂Q/∂size."""
    rest = near.rest
    states = near.states(near.q[None], near.rates[None], np.zeros((1, near.count)))
    effects = wrench_per_load_size(rest.form, states, near.columns(states))
    count = len(rest.form.free)
    return {name: np.asarray(near.basis @ on[:count].ravel()) for name, on in effects.items()}


def column_slopes(small: Reduced) -> Slopes:
    """Derivatives of every column of bodies, joints, points and measures."""
    near = small.near
    one = near.columns(near.states(near.q[None], near.rates[None], small.accelerations[None]))
    known = [column for column in one.schema if column.kind in KINDS]

    def values(states: Array) -> Array:
        columns = near.columns(states)
        return np.stack([columns.raw(column.name) for column in known], 1)

    parts = (
        along_positions(near, small.accelerations, values),
        along_rates(near, small.accelerations, small.rate, values),
        along_accelerations(near, small.accelerations, small.rate, values),
    )
    factors = {column.name: one.units.factor(column.holds) for column in known}
    slopes = np.stack(parts, 0).transpose(2, 0, 1)
    found = {column.name: _cleared(slopes[k], column, small) / factors[column.name] for k, column in enumerate(known)}
    left_out = add_measures(near.rest.form.model, one.replaced({}))
    return Slopes(found, factors, {column.name: one.unit(column.name) for column in known}, tuple(left_out))


def _cleared(slopes: Array, column: Column, small: Reduced) -> Array:
    """Without what is only rounding of the differences: beside the largest slope, rates counted in typical ones."""
    per = small.rate ** np.arange(3.0)[:, None]
    sizes = slopes * per * small.near.sizes
    return np.where(np.abs(sizes) <= 1e-9 * np.max(np.abs(sizes), initial=0.0), 0.0, slopes)
