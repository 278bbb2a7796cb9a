"""Columns of a result: what each one is, and its numbers.

A column belongs to an owner (a body, a joint, a driver …), is a quantity of it, or its first or second derivative by
time. Numbers are kept as they were solved, angles in radians; who asks by name gets them in the model's units.
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
        self._owned: dict[tuple[str, str], list[Column]] = {}  # by kind and owner, made when first asked for
        self.extend(entries)

    def extend(self, entries: Iterable[tuple[Column, Array]]) -> None:
        """Adds columns behind the others."""
        self._owned.clear()
        for column, values in entries:
            self._schema[column.name] = column
            self._values[column.name] = values
            self._names[column.kind, column.owner, column.quantity, column.order] = column.name

    def __getitem__(self, name: str) -> Array:
        values = self._values[name]
        factor = self._factor(name)
        return values if factor == 1.0 else values / factor

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{len(self)} columns: {', '.join(self)}>"

    def _factor(self, name: str) -> float:
        return self.units.factor(self._schema[name].holds)

    def column(self, name: str) -> Column:
        """What a column is."""
        return self._schema[name]

    def raw(self, name: str) -> Array:
        """The numbers as they were solved: angles in radians."""
        return self._values[name]

    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none."""
        column = self._schema[name]
        return self.units.of(column.holds, column.order)

    @property
    def schema(self) -> tuple[Column, ...]:
        """What all columns are, in their order."""
        return tuple(self._schema.values())

    def of_kind(self, kind: str, owner: str | None = None) -> list[Column]:
        """The columns of one kind of owner, or of one owner."""
        if owner is None:
            return [column for column in self._schema.values() if column.kind == kind]
        if not self._owned:
            for column in self._schema.values():
                self._owned.setdefault((column.kind, column.owner), []).append(column)
        return list(self._owned.get((kind, owner), ()))

    def derivative(self, name: str) -> str | None:
        """The column that is the derivative of another by time, where there is one."""
        column = self._schema[name]
        return self._names.get((column.kind, column.owner, column.quantity, column.order + 1))

    def replaced(self, values: Mapping[str, Any]) -> Columns:
        """The same columns with other numbers (as solved) in some of them."""
        numbers = {**self._values, **values}
        return Columns(self.units, ((column, numbers[name]) for name, column in self._schema.items()))
