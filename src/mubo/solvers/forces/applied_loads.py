"""Applied loads along a motion: their wrenches on every body, their power and their energy.

Along a known motion every load is known but friction, whose size depends on the reaction: it is given that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SimulationError, status_text
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads, absolute_loads
from mubo.results import Columns
from mubo.solvers.forces.load_sizes import load_sizes


@dataclass(frozen=True)
class AppliedLoads:
    """Loads at every time, by name of the force where not stated otherwise.

    `on` is what all loads together exert on every body, moving ones first, then those that stand still: times × bodies
    × components, about the body's origin, in ground axes. `outside` is the part of loads that push no other body off.
    """

    on: Array
    outside: Array
    holds: Mapping[str, str]  # "force" or "torque"
    values: Mapping[str, Array]  # the size of the load
    power: Mapping[str, Array]
    potential: Mapping[str, Array]
    dissipated: Mapping[str, Array]  # power turned into heat
    supplied: Mapping[str, Array]  # power brought in from outside
    sizes: Array  # of the loads with a law, in their order: times × laws
    near: Array | None = None  # angles with their full turns, where loads in space act along some


def applied_loads(
    form: Absolute, states: Array, columns: Columns, friction: Mapping[str, Array] | None = None
) -> AppliedLoads:
    """The loads at the rows of `columns` (motion, with measures), whose absolute states are times × 3 × unknowns.

    `friction` is the size of friction where it depends on a reaction: force or torque over the rows.
    """
    made = form.loads
    states, near = np.ascontiguousarray(states), _unwrapped_angles(made, columns)
    sizes = load_sizes(form.model, made, states, columns, near, friction or {})
    status, row, where, on, outside, values, exchanged = made.core.along(states, made.fixed, sizes, near)
    if status != Status.done:
        raise _load_error(made, status, where, float(columns["t"][row]))
    signs = np.array([-1.0 if load.pulls else 1.0 for load in made.loads])
    names = [load.name for load in made.loads]
    potential, power, dissipated, supplied = (dict(zip(names, exchanged[:, :, k].T, strict=True)) for k in range(4))
    held = {load.name: load.holds for load in made.loads}
    by_name = dict(zip(names, (signs * values).T, strict=True))
    return AppliedLoads(on, outside, held, by_name, power, potential, dissipated, supplied, sizes, near)


def wrenches_by_load(form: Absolute, states: Array, loads: AppliedLoads) -> dict[str, Array]:
    """Wrench of every single load on every body, as `on` of all together: times × bodies × components."""
    out, laws, states = {}, iter(loads.sizes.T), np.ascontiguousarray(states)
    for k, load in enumerate(form.loads.loads):
        made = absolute_loads(form.mechanism, only=(load,))
        size = np.array(next(laws) if load.has_law else np.zeros((0, len(states)))).reshape(-1, len(states)).T
        near = None if loads.near is None else np.ascontiguousarray(loads.near[:, k : k + 1])
        out[load.name] = made.core.along(states, made.fixed, np.ascontiguousarray(size), near)[3]
    return out


def wrench_per_load_size(form: Absolute, states: Array, columns: Columns) -> dict[str, Array]:
    """Wrench on every body by a unit of the size of every load with a law at one row: bodies × components."""
    made = form.loads
    states, near = np.ascontiguousarray(states), _unwrapped_angles(made, columns)
    lines = len(made.with_law) + 1
    sizes = np.vstack([np.zeros(lines - 1), np.eye(lines - 1)])
    repeated = None if near is None else np.repeat(near, lines, 0)
    status, _, where, on, *_ = made.core.along(np.repeat(states, lines, 0), made.fixed, sizes, repeated)
    if status != Status.done:
        raise _load_error(made, status, where, float(columns["t"][0]))
    return {load.name: on[k + 1] - on[0] for k, load in enumerate(made.with_law)}


def _unwrapped_angles(made: AbsoluteLoads, columns: Columns) -> Array | None:
    """Angles along which loads in space act, with their revolutions."""
    if not any(made.near):
        return None
    none = np.zeros(len(columns["t"]))
    return np.column_stack([columns.raw(name) if name else none for name in made.near])


def _load_error(made: AbsoluteLoads, status: Status, where: int, t: float) -> SimulationError:
    name = made.loads[where].name
    if status != Status.zero_length:
        return SimulationError(f"force {name}, t = {t:.9g}: {status_text(status)}", names=[name], numbers={"t": t})
    return SimulationError(
        f"force {name}: its two points meet at t = {t:.9g}, so that its direction is lost",
        names=[name],
        numbers={"t": t},
        suggestion="Move one of its points, or give it a force that vanishes with its length.",
    )
