"""Equilibria within a range: those at which coordinates, columns or measures lie between two values.

The value of an angle counts up to full turns: an equilibrium at 270 deg lies between −100 deg and −80 deg.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.errors import ModelError, SimulationError
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.event_target import kind_of_value, watched_column
from mubo.note import Note
from mubo.results import Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.statics.equilibrium_search import EquilibriumSearch

TURN = 2 * np.pi
Range = tuple[Column, float, float]  # in the numbers of the core: angles in radians


def read_within(texts: Sequence[str]) -> dict[str, str]:
    """{name: "FROM:TO"} of texts such as "A=0 deg:90 deg"."""
    out: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise ModelError(f'a range is written NAME=FROM:TO, such as "A=0 deg:90 deg"; found "{text}"')
        out[name] = value
    return out


def read_range(model: ModelDefinition, name: str, given: Any) -> Range:
    """The column that is meant and its two bounds."""
    column = watched_column(model, name)
    pair = given.split(":") if isinstance(given, str) else given
    if not isinstance(pair, Sequence) or len(pair) != 2:
        raise ModelError(f"within {name}: a range has two ends, FROM:TO; found {given!r}")
    kind = kind_of_value(column)
    low, high = (model.units.read(_plain(end), kind) for end in pair)
    if not low < high:
        raise ModelError(f"within {name}: the first end must be below the second; found {given!r}")
    return column, low, high


def _plain(end: Any) -> Any:
    """A text that is a number as that number: "0.5" of a command is in the model's unit."""
    try:
        return float(end)
    except (TypeError, ValueError):
        return end.strip() if isinstance(end, str) else end


def equilibria_within(search: EquilibriumSearch, ranges: Mapping[str, Range]) -> EquilibriumSearch:
    """The search with the equilibria in all ranges, and a note on those outside; raises where none is left."""
    columns = _columns(search)
    inside = np.ones(len(search.equilibria), bool)
    for column, low, high in ranges.values():
        if column.name not in columns:
            raise ModelError(f"within {column.name}: an equilibrium has no such column")
        inside &= _between(columns.raw(column.name), low, high, column)
    asked = [_describe(columns, *one) for one in ranges.values()]
    if not inside.any():
        found = "; ".join(_values(columns, column) for column, _, _ in ranges.values())
        raise SimulationError(
            f"no equilibrium with {' and '.join(asked)} was found; others have {found}",
            suggestion="Widen the range, or search from more positions with --starts N.",
        )
    left_out = int((~inside).sum())
    kept = [one for one, keep in zip(search.equilibria, inside, strict=True) if keep]
    notes = [Note("statics.outside_ranges", count=left_out, ranges=asked)] if left_out else []
    return replace(search, equilibria=kept, outside=(*notes, *search.outside))


def _columns(search: EquilibriumSearch) -> Columns:
    """Columns of positions and measures, a row for each equilibrium."""
    rows = []
    for one in search.equilibria:
        columns = search.problem.at_rest(one.state.q[None])[1].replaced({})
        add_measures(search.problem.form.model, columns)
        rows.append(columns)
    return rows[0].replaced({name: np.concatenate([row.raw(name) for row in rows]) for name in rows[0]})


def _between(values: Array, low: float, high: float, column: Column) -> Booleans:
    if column.holds == "angle" and column.order == 0:
        values = low + np.mod(values - low, TURN)
    return np.asarray((values >= low) & (values <= high))


def _describe(columns: Columns, column: Column, low: float, high: float) -> str:
    factor, unit, _ = columns.units.unit(column.holds, column.order)
    return f"{column.name} between {low / factor:.4g} and {high / factor:.4g} {unit}".rstrip()


def _values(columns: Columns, column: Column) -> str:
    listed = ", ".join(f"{value:.4g}" for value in columns[column.name][:6])
    return f"{column.name} = {listed} {columns.unit(column.name)}".rstrip()
