"""Columns of a result: their descriptions and their numbers.

A column is a quantity of an owner (a body, a joint, a driver …), or its first or second derivative by time. Numbers are
stored as they were solved, in internal units with angles in radians; indexing by name converts them to the model's
units, and a unit in brackets behind the name to that unit: "rocker.omega [rpm]".

All numbers of a result must be finite: an overflow is an error, not a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans, Integers
from mubo.errors import ResultError, SimulationError
from mubo.model import Units
from mubo.model.column_names import Column
from mubo.note import Note
from mubo.results.rounding import column_scales

_NAME_OF, _BASE_OF = attrgetter("name"), attrgetter("base")


class Columns(Mapping[str, Array]):
    """All columns of a result, in order. `columns["crank.phi"]` is in the model's units."""

    def __init__(self, units: Units, entries: Iterable[tuple[Column, Array]] = ()) -> None:
        self.units = units
        self._schema: dict[str, Column] = {}
        self._values: dict[str, Array] = {}
        # Built at first use: names by kind, owner, quantity and order; columns by kind and owner.
        self._names: dict[tuple[str, str, str, int], str] = {}
        self._owned: dict[tuple[str, str], list[Column]] = {}
        self._scales: dict[str, float] = {}  # likewise
        self._finite: bool | None = None  # likewise
        self.extend(entries)

    def extend(self, entries: Iterable[tuple[Column, Array]]) -> None:
        """Append columns."""
        self._names.clear()
        self._owned.clear()
        self._scales.clear()
        self._finite = None
        columns, values = tuple(zip(*entries, strict=True)) or ((), ())
        names = tuple(map(_NAME_OF, columns))  # without a loop, because every question has many columns
        self._schema.update(zip(names, columns, strict=True))
        self._values.update(zip(names, values, strict=True))

    def __getitem__(self, name: str) -> Array:
        return self._in_unit_of(name, self._values[self._asked_unit(name)[0]])

    def __contains__(self, name: object) -> bool:
        return name in self._values or (isinstance(name, str) and name.endswith("]") and super().__contains__(name))

    def _in_unit_of(self, name: str, values: Array) -> Array:
        """Raw numbers in the unit of a column, or in the unit that is asked for behind its name."""
        base, asked = self._asked_unit(name)
        column = self._schema[base]
        factor = self.units.factor(column.holds, column.order)
        own = values if factor == 1.0 else values / factor
        return own * self._conversion(base, asked) if asked else own

    def select_rows(self, rows: Integers) -> Columns:
        """Some rows of all columns."""
        if len(rows) == len(self.raw("t")):
            return self
        return Columns(self.units, ((column, self.raw(column.name)[rows]) for column in self.schema))

    def coherent(self, name: str) -> Array:
        """Return the numbers in coherent units, which follow from those of length, angle, mass and time alone."""
        column = self._schema[name]
        factor = self.units.coherent_factor(column.holds, column.order)
        return self._values[name] if factor == 1.0 else self._values[name] / factor

    def _asked_unit(self, name: str) -> tuple[str, str]:
        """The name of a column and the unit that is asked for behind it, "" for the model's."""
        if name in self._schema or not name.endswith("]"):
            return name, ""
        from mubo.formats.column_units import split_unit

        return split_unit(name)

    def _conversion(self, name: str, unit: str) -> float:
        column = self._schema[name]
        factor = self.units.conversion(column.holds, column.order, unit)
        if factor is None:
            own = Units.declare("SI").unit_of(column.holds, column.order) or "no unit"
            raise ResultError(f"column {name} has no unit {unit}", suggestion=f"Ask for a unit of the kind of {own}.")
        return factor

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{len(self)} columns: {', '.join(self)}>"

    def column(self, name: str) -> Column:
        """Return the description of a column."""
        return self._schema[self._asked_unit(name)[0]]

    def raw(self, name: str) -> Array:
        """Return the numbers as they were solved: angles in radians."""
        found = self._values.get(name)
        return found if found is not None else self._values[self._asked_unit(name)[0]]

    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none."""
        base, asked = self._asked_unit(name)
        column = self._schema[base]
        return asked or self.units.unit_of(column.holds, column.order)

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
        if not self._names:
            self._names = {(one.kind, one.owner, one.quantity, one.order): one.name for one in self._schema.values()}
        base, asked = self._asked_unit(name)
        column = self._schema[base]
        found = self._names.get((column.kind, column.owner, column.quantity, column.order + 1))
        return f"{found} [{asked}/{self.units.time or 's'}]" if found and asked else found

    def slope(self, name: str) -> Array | None:
        """Return the derivative of a column by time in its own unit per unit of time, or None.

        The column of the derivative may be in another unit: deg and rpm.
        """
        rate = self.derivative(self._asked_unit(name)[0])
        return None if rate is None else self._in_unit_of(name, self._values[rate])

    def scale(self, name: str) -> float:
        """The size of the kind of a column, in its unit: numbers far below it are rounding."""
        if not self._scales:
            self._scales.update(column_scales(self.schema, self._values, self.units))
        base, asked = self._asked_unit(name)
        return self._scales[base] * (self._conversion(base, asked) if asked else 1.0)

    @property
    def all_finite(self) -> bool:
        """Whether all numbers are finite of the arrays to which the columns belong; a column alone may still be."""
        if self._finite is None:
            bases = [*map(_BASE_OF, self._values.values())]  # of some hundred columns a few arrays
            wholes = dict(zip(map(id, bases), bases, strict=True)).values()
            kind = np.ndarray
            arrays = [whole for whole in wholes if isinstance(whole, kind)]
            if len(arrays) < len(wholes):
                pairs = zip(self._values.values(), bases, strict=True)
                arrays += [one for one, base in pairs if not isinstance(base, kind)]
            self._finite = all(np.logical_and.reduce(np.isfinite(one), axis=None) for one in arrays)
        return self._finite

    def replaced(self, values: Mapping[str, Any]) -> Columns:
        """Return the columns with other raw numbers in some of them."""
        numbers = {**self._values, **values}
        return Columns(self.units, ((column, numbers[name]) for name, column in self._schema.items()))


_MOVING = ("time", "body", "point", "joint", "driver")  # other kinds may be infinite or undefined at some positions
_EXERTED = ("reaction", "contact", "shaking")
TOO_LARGE = "A length, a mass or a law of the model is too large to compute with: check its units."
_REPORTED_ELSEWHERE = ("transmission", *_EXERTED, "equilibrium")  # by events and pages of their own


def require_finite(columns: Columns) -> None:
    """Refuse a result with infinite or undefined numbers, naming the column, the time and the value.

    Rates of Euler angles are not defined (NaN) where the angles are singular, reactions where the mechanism is; the
    run reports that in a note.
    """
    if columns.all_finite:
        return
    for column in columns.schema:
        values = columns.raw(column.name)
        if column.kind not in (*_MOVING, *_EXERTED):
            continue
        may_be_undefined = column.kind in _EXERTED or (column.kind == "joint" and column.order > 0)
        bad = np.isinf(values) if may_be_undefined else ~np.isfinite(values)
        if bad.any():
            raise _not_finite(columns, column, int(np.argmax(bad)), TOO_LARGE)


def _not_finite(columns: Columns, column: Column, k: int, suggestion: str) -> SimulationError:
    when, found = columns.units.time_text(columns["t"][k]), columns.raw(column.name)[k]
    return SimulationError(
        f"column {column.name} is not a finite number at t = {when}: {found}",
        names=[column.owner],
        numbers={"t": float(columns["t"][k])},
        suggestion=suggestion,
    )


def undefined_notes(columns: Columns) -> Iterator[Note]:
    """Notes on rates of angles, measures, loads, energies and cam angles that are not finite at some rows.

    A column, other than a rate, that is not finite at any of several rows is refused. The radius of curvature of a cam
    may be infinite, and its pressure angle undefined where other joints keep the contact closed.
    """
    if columns.all_finite:
        return
    yield from _singular_angles(columns)
    for column in columns.schema:
        if column.kind in (*_MOVING, *_REPORTED_ELSEWHERE):
            continue
        values = columns.raw(column.name)
        cam = column.kind == "cam"
        bad = np.isnan(values) if cam else ~np.isfinite(values)
        if not bad.any():
            continue
        k = int(np.argmax(bad))
        if bad.all() and len(values) > 1 and not cam and not column.name.startswith(f"{column.owner}.rate"):
            raise _not_finite(columns, column, k, "It has no value at any row: look at what it divides by.")
        value = "NaN" if np.isnan(values[k]) else "infinite"
        yield Note("columns.not_finite", column=column.name, value=value, **_where(columns, bad))


def _singular_angles(columns: Columns) -> Iterator[Note]:
    """Notes on joints whose Euler angles are singular at some rows, where they have no rates."""
    lost: dict[str, Booleans] = {}
    for column in columns.schema:
        if column.kind != "joint" or column.order == 0:
            continue
        if (bad := np.isnan(columns.raw(column.name))).any():
            lost[column.owner] = lost.get(column.owner, False) | bad
    for joint, bad in lost.items():
        yield Note("columns.singular_angles", joint=joint, **_where(columns, bad))


def _where(columns: Columns, bad: Booleans) -> dict[str, Any]:
    """Number of the bad rows, of all rows, and the first time, with its units."""
    first = float(columns["t"][int(np.argmax(bad))])
    return {"count": int(bad.sum()), "rows": len(bad), "t": first, "units": columns.units}
