"""Applied loads along a motion: their sizes, wrenches on every body, power and energy.

Along a known motion every load is known except friction whose size depends on a reaction: that size is an input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, status_text
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads, absolute_loads
from mubo.mechanism.loads import NamedLoad
from mubo.model import ModelDefinition, Units
from mubo.model.column_laws import ColumnLaw, calls_python
from mubo.model.load_check import own_sizes
from mubo.quantities.sizes import Size
from mubo.results import Columns
from mubo.solvers.forces.reaction_friction import rows_at_rest

CONTACTS = "contacts "  # no name of a force has a space


@dataclass(frozen=True)
class AppliedLoads:
    """Loads at every time, by name of the force where not stated otherwise.

    `on` is the wrench of all loads on every body, moving bodies first, then the fixed ones: times × bodies ×
    components, about the origin of the body, in ground axes. `external` is the part of loads without a reaction on
    another body.
    """

    on: Array
    external: Array
    holds: Mapping[str, str]  # "force" or "torque"
    values: Mapping[str, Array]  # size of the load
    power: Mapping[str, Array]
    potential: Mapping[str, Array]
    dissipated: Mapping[str, Array]  # dissipated power
    supplied: Mapping[str, Array]  # supplied power
    sizes: Array  # sizes of the loads with a law: times × laws
    near: Array | None = None  # angles with full turns, where loads in space act along angles


def applied_loads(
    form: Absolute, states: Array, columns: Columns, friction: Mapping[str, Array] | None = None
) -> AppliedLoads:
    """Loads at the rows of `columns` (motion, with measures), whose absolute states are times × 3 × unknowns.

    `friction` is the size of reaction friction, force or torque, over the rows; friction that is not in it is zero.
    A size of another load in it stands for its law.
    """
    core_loads = form.loads
    states, near = np.ascontiguousarray(states), _unwrapped_angles(core_loads, columns)
    sizes = _load_sizes(form.model, core_loads, states, columns, near, friction or {})
    status, row, where, on, external, values, exchanged = core_loads.core.along(states, core_loads.fixed, sizes, near)
    if status != Status.done:
        raise _load_error(core_loads, status, where, columns, row)
    signs = np.array([-1.0 if load.pulls else 1.0 for load in core_loads.loads])
    names = [load.name for load in core_loads.loads]
    potential, power, dissipated, supplied = (dict(zip(names, exchanged[:, :, k].T, strict=True)) for k in range(4))
    kinds = {load.name: load.holds for load in core_loads.loads}
    by_name = dict(zip(names, (signs * values).T, strict=True))
    return AppliedLoads(on, external, kinds, by_name, power, potential, dissipated, supplied, sizes, near)


def with_contacts(loads: AppliedLoads, on: Array, power: Array) -> AppliedLoads:
    """Loads together with the wrenches of contacts on every body and their power, which is counted under one name."""
    return replace(loads, on=loads.on + on, power={**loads.power, CONTACTS: power})


def wrenches_by_load(form: Absolute, states: Array, loads: AppliedLoads) -> dict[str, Array]:
    """Wrench of every single load on every body, as `on` of all together: times × bodies × components."""
    out, laws, states = {}, iter(loads.sizes.T), np.ascontiguousarray(states)
    for k, load in enumerate(form.loads.loads):
        core_loads = absolute_loads(form.mechanism, only=(load,))
        size = np.array(next(laws) if load.has_law else np.zeros((0, len(states)))).reshape(-1, len(states)).T
        near = None if loads.near is None else np.ascontiguousarray(loads.near[:, k : k + 1])
        out[load.name] = core_loads.core.along(states, core_loads.fixed, np.ascontiguousarray(size), near)[3]
    return out


def wrench_per_load_size(form: Absolute, states: Array, columns: Columns) -> dict[str, Array]:
    """Wrench on every body by a unit of the size of every load with a law at one row: bodies × components."""
    core_loads = form.loads
    states, near = np.ascontiguousarray(states), _unwrapped_angles(core_loads, columns)
    lines = len(core_loads.with_law) + 1
    sizes = np.vstack([np.zeros(lines - 1), np.eye(lines - 1)])
    repeated = None if near is None else np.repeat(near, lines, 0)
    status, _, where, on, *_ = core_loads.core.along(np.repeat(states, lines, 0), core_loads.fixed, sizes, repeated)
    if status != Status.done:
        raise _load_error(core_loads, status, where, columns)
    return {load.name: on[k + 1] - on[0] for k, load in enumerate(core_loads.with_law)}


def _unwrapped_angles(core_loads: AbsoluteLoads, columns: Columns) -> Array | None:
    """Angles along which loads in space act, with their revolutions."""
    if not any(core_loads.near):
        return None
    none = np.zeros(len(columns["t"]))
    return np.column_stack([columns.raw(name) if name else none for name in core_loads.near])


def _load_error(
    core_loads: AbsoluteLoads, status: Status, where: int, columns: Columns, row: int = 0
) -> SimulationError:
    name, t = core_loads.loads[where].name, float(columns["t"][row])
    when = columns.units.time_text(t)
    if status != Status.zero_length:
        return SimulationError(f"force {name}, t = {when}: {status_text(status)}", names=[name], numbers={"t": t})
    return SimulationError(
        f"force {name}: its two points meet at t = {when}, so that it has no direction",
        names=[name],
        numbers={"t": t},
        suggestion="Move one of its points, or give it a force that vanishes with its length.",
    )


def _load_sizes(
    model: ModelDefinition,
    core_loads: AbsoluteLoads,
    states: Array,
    columns: Columns,
    near: Array | None,
    friction: Mapping[str, Array],
) -> Array:
    """Sizes of all loads with a law, rows × laws, in the model's units."""
    t, coordinates = columns["t"], None
    if any(load.own and isinstance(load.law, ColumnLaw) for load in core_loads.loads):
        coordinates = core_loads.core.coordinates(states, core_loads.fixed, near)
    sizes = np.zeros((len(t), len(core_loads.with_law)))
    laws = iter(range(len(core_loads.with_law)))
    for k, load in enumerate(core_loads.loads):
        if not load.has_law:
            continue
        values: Array | float = 0.0
        if load.reaction_friction is not None or load.name in friction:
            values = friction.get(load.name, 0.0)
        elif isinstance(load.law, ColumnLaw):
            own = None if coordinates is None else coordinates[:, k]
            values = _column_law_values(model, load, load.law, columns, own)
        elif load.law is not None:
            values = _time_law_values(model.units, load, load.law, t)
        sizes[:, next(laws)] = np.where(rows_at_rest(load, columns), 0.0, values)
    return sizes


class _ColumnsWithCoordinate(Mapping[str, Array]):
    """Columns of a run with the load's own coordinate; each column is read once."""

    def __init__(self, read: Callable[[str], Array], columns: Mapping[str, Array], own: Mapping[str, Array]) -> None:
        self._read, self._columns, self._known = read, columns, dict(own)

    def __getitem__(self, name: str) -> Array:
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._columns), **self._known})

    def __len__(self) -> int:
        return len(list(iter(self)))


def _column_law_values(
    model: ModelDefinition, load: NamedLoad, law: ColumnLaw, columns: Columns, own: Array | None
) -> Array:
    """Law values by the columns of a run and the load's own coordinate under its own name, all in coherent units; a
    Python function has the columns in their own units."""
    sizes = {} if own is None else own_sizes(model, model.forces[load.name])
    ours = {} if own is None else dict(zip(sizes, own.T, strict=False))  # a load without a coordinate has no names
    python = calls_python(law)
    names = _ColumnsWithCoordinate(
        columns.__getitem__ if python else columns.coherent,
        columns,
        {name: part / _unit_factor(model, sizes[name], python) for name, part in ours.items()},
    )
    for name in law.names:
        if name not in names:
            raise ModelError(f"force {load.name}: this run has no column {name}", names=[load.name])
        if name not in sizes:
            sizes[name] = model.units.column_size(columns.column(name).holds, columns.column(name).order)
    try:
        values = law.values(names, sizes, model.units.own_sizes, model.units.column_size(load.holds))
    except ModelError as error:
        raise ModelError(f"force {load.name}: {error}", names=[load.name], numbers=error.numbers) from None
    return _require_finite(model.units, load, values, columns["t"])


def _unit_factor(model: ModelDefinition, size: Size, written: bool) -> float:
    """Divisor that converts a raw coordinate, in radians, to coherent units, or to those in which it is written."""
    coherent = model.units.angle_factor() if size.powers and size.powers[1] else 1.0
    return coherent * size.unit if written else coherent


def _time_law_values(units: Units, load: NamedLoad, law: Law, t: Array) -> Array:
    law.require_domain(f"force {load.name}", t, units.time_text)
    return _require_finite(units, load, law.values(t), t)


def _require_finite(units: Units, load: NamedLoad, values: Array, t: Array) -> Array:
    """Refuse a law that has no value somewhere."""
    bad = ~np.isfinite(values)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise ModelError(
            f"force {load.name}: its size at t = {units.time_text(t[row])} is {values[row]}",
            names=[load.name],
            numbers={"t": float(t[row])},
            suggestion=f"Its size is {load.law.description if load.law else 'not given'}: "
            "give one with a value throughout.",
        )
    return values
