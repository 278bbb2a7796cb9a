"""Sizes of loads along a motion: values of their laws at the rows of its columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws import Law
from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads
from mubo.mechanism.loads import NamedLoad
from mubo.model import ModelDefinition
from mubo.model.column_laws import ColumnLaw
from mubo.model.load_check import own_sizes
from mubo.quantities.formula import Size, size_of
from mubo.results import Columns
from mubo.solvers.forces.reaction_friction import rows_at_rest


def load_sizes(
    model: ModelDefinition,
    made: AbsoluteLoads,
    states: Array,
    columns: Columns,
    near: Array | None,
    friction: Mapping[str, Array],
) -> Array:
    """Values of the laws of all loads that have one, rows × laws, in the model's units.

    `friction` are sizes of friction that depend on a reaction; a friction that is not among them has none.
    """
    t, coordinates = columns["t"], None
    if any(load.own and isinstance(load.law, ColumnLaw) for load in made.loads):
        coordinates = made.core.coordinates(states, made.fixed, near)
    sizes = np.zeros((len(t), len(made.with_law)))
    laws = iter(range(len(made.with_law)))
    for k, load in enumerate(made.loads):
        if not load.has_law:
            continue
        values: Array | float = 0.0
        if load.reaction_friction is not None:
            values = friction.get(load.name, 0.0)
        elif isinstance(load.law, ColumnLaw):
            own = None if coordinates is None else coordinates[:, k]
            values = _column_law_values(model, load, load.law, columns, own)
        elif load.law is not None:
            values = _time_law_values(load, load.law, t)
        sizes[:, next(laws)] = np.where(rows_at_rest(load, columns), 0.0, values)
    return sizes


class _ColumnsWithCoordinate(Mapping[str, Array]):
    """The columns of a run and the load's own coordinate beside them; each column is read once."""

    def __init__(self, columns: Mapping[str, Array], own: Mapping[str, Array]) -> None:
        self._columns, self._known = columns, dict(own)

    def __getitem__(self, name: str) -> Array:
        if name not in self._known:
            self._known[name] = self._columns[name]
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._columns), **self._known})

    def __len__(self) -> int:
        return len(list(iter(self)))


def _column_law_values(
    model: ModelDefinition, load: NamedLoad, law: ColumnLaw, columns: Columns, own: Array | None
) -> Array:
    """Law values by the columns of a run and the load's own coordinate under its own name, all in the model's units."""
    sizes = {} if own is None else own_sizes(model, model.forces[load.name])
    ours = {} if own is None else dict(zip(sizes, own.T, strict=False))  # one that acts along nothing has no names
    names = _ColumnsWithCoordinate(
        columns, {name: part / _unit_factor(model, sizes[name]) for name, part in ours.items()}
    )
    for name in law.names:
        if name not in names:
            raise ModelError(f"force {load.name}: this run has no column {name}", names=[load.name])
        if name not in sizes:
            sizes[name] = size_of(columns.column(name).holds, columns.column(name).order)
    try:
        values = law.values(names, sizes, model.units.angle_factor())
    except ModelError as error:
        raise ModelError(f"force {load.name}: {error}", names=[load.name], numbers=error.numbers) from None
    return _require_finite(load, values, columns["t"])


def _unit_factor(model: ModelDefinition, size: Size) -> float:
    """Divisor that converts a solved coordinate to the model's units: radians are solved."""
    return model.units.angle_factor() if size.powers and size.powers[1] else 1.0


def _time_law_values(load: NamedLoad, law: Law, t: Array) -> Array:
    first, last = law.domain
    slack = 1e-9 * (last - first) if math.isfinite(last - first) else 0.0
    outside = (t < first - slack) | (t > last + slack)
    if np.any(outside):
        at = float(t[np.argmax(outside)])
        raise ModelError(
            f"force {load.name}: its data covers t = {first:g} to {last:g}; t = {at:g} is asked for",
            names=[load.name],
            numbers={"t": at},
            suggestion="Shorten the analysis, or give data for the whole of it.",
        )
    return _require_finite(load, law.values(t), t)


def _require_finite(load: NamedLoad, values: Array, t: Array) -> Array:
    """Refuse a law that has no value somewhere."""
    bad = ~np.isfinite(values)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise ModelError(
            f"force {load.name}: its size at t = {t[row]:g} is {values[row]}",
            names=[load.name],
            numbers={"t": float(t[row])},
            suggestion=f"Its size is {load.law.words if load.law else 'not given'}: give one with a value all along.",
        )
    return values
