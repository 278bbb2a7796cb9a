"""Columns of a result: their descriptions and their numbers.

A column is a quantity of an owner (a body, a joint, a driver …), or its first or second derivative by time. Numbers are
stored as they were solved, angles in radians; indexing by name converts them to the model's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mubo.arrays import Array
from mubo.model import Units
from mubo.model.column_names import Column


class Columns(Mapping[str, Array]):
    """All columns of a result, in order. `columns["crank.phi"]` is in the model's units."""

    def __init__(self, units: Units, entries: Iterable[tuple[Column, Array]] = ()) -> None:
        self.units = units
        self._schema: dict[str, Column] = {}
        self._values: dict[str, Array] = {}
        self._names: dict[tuple[str, str, str, int], str] = {}  # by kind, owner, quantity, order
        self._owned: dict[tuple[str, str], list[Column]] = {}  # by kind and owner, built at first use
        self.extend(entries)

    def extend(self, entries: Iterable[tuple[Column, Array]]) -> None:
        """Append columns."""
        self._owned.clear()
        for column, values in entries:
            self._schema[column.name] = column
            self._values[column.name] = values
            self._names[column.kind, column.owner, column.quantity, column.order] = column.name

    def __getitem__(self, name: str) -> Array:
        values = self._values[name]
        factor = self.units.factor(self._schema[name].holds)
        return values if factor == 1.0 else values / factor

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{len(self)} columns: {', '.join(self)}>"

    def column(self, name: str) -> Column:
        """Return the description of a column."""
        return self._schema[name]

    def raw(self, name: str) -> Array:
        """Return the numbers as they were solved: angles in radians."""
        return self._values[name]

    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none."""
        column = self._schema[name]
        return self.units.unit_of(column.holds, column.order)

    @property
    def schema(self) -> tuple[Column, ...]:
        """Descriptions of all columns, in their order."""
        return tuple(self._schema.values())

    def of_kind(self, kind: str, owner: str | None = None) -> list[Column]:
        """Return the columns of one kind of owner, or of one owner."""
        if owner is None:
            return [column for column in self._schema.values() if column.kind == kind]
        if not self._owned:
            for column in self._schema.values():
                self._owned.setdefault((column.kind, column.owner), []).append(column)
        return list(self._owned.get((kind, owner), ()))

    def derivative(self, name: str) -> str | None:
        """Return the name of the derivative of a column by time, or None."""
        column = self._schema[name]
        return self._names.get((column.kind, column.owner, column.quantity, column.order + 1))

    def replaced(self, values: Mapping[str, Any]) -> Columns:
        """Return the columns with other raw numbers in some of them."""
        numbers = {**self._values, **values}
        return Columns(self.units, ((column, numbers[name]) for name, column in self._schema.items()))
