"""The largest difference of two tables on their common rows and columns, beside the largest of each kind of column."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.model.column_names import Column
from mubo.results import Columns

MOTION = ("body", "point", "joint", "driver")
LEAST = 1e-5  # of the largest of any order, of ω² for α: what rests or moves uniformly has no size of its own


@dataclass(frozen=True)
class TableDifference:
    """The largest difference with its column and time, and the largest of every common row."""

    largest: float
    column: str
    when: str
    rows: Array
    times: Array

    @property
    def where(self) -> str:
        return f"largest of {self.column} at t = {self.when}" if self.largest > 0 else "no difference"


def max_difference(
    one: Columns, two: Columns, size: float, kinds: Iterable[str] = MOTION, words: Iterable[str] = ()
) -> TableDifference:
    """The largest difference of columns of some kinds (and of those, the quantities `words`) at common times.

    Full turns and the sign of a quaternion are no difference. `size` is that of the mechanism.
    """
    mine, theirs = _common(one.raw("t"), two.raw("t"))
    named = set(words)
    both = [
        column
        for column in one.schema
        if column.kind in set(kinds)
        and column.name in two
        and column.unique
        and column.quantity in (named or {column.quantity})
        and not (column.kind == "joint" and column.holds == "number")  # a ball: its body has the same orientation
    ]
    times = one.raw("t")[mine]
    rows, worst = np.zeros(len(times)), (0.0, "nothing", float(times[0]) if len(times) else 0.0)
    scales = scales_of(one, both, size)
    for column in both:
        away = _difference(one, two, column, mine, theirs) / scales[kind_of(column)]
        if not len(away):
            continue
        rows = np.fmax(rows, away)
        at = int(np.argmax(away))
        worst = max(worst, (float(away[at]), column.name, float(times[at])))
    largest, name, t = worst
    return TableDifference(largest, name, one.units.time_text(t, 6), rows, times)


def _common(one: Array, two: Array) -> tuple[Integers, Integers]:
    """Numbers of the rows that both tables have; a time that a table has twice determines no row."""
    if not len(one) or not len(two):
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    at = np.clip(np.searchsorted(two, one), 1, max(len(two) - 1, 1))
    at = np.where(np.abs(two[at - 1] - one) < np.abs(two[np.minimum(at, len(two) - 1)] - one), at - 1, at)
    at = np.minimum(at, len(two) - 1)
    same = np.abs(two[at] - one) <= 1e-12 * (1 + np.abs(one))
    once = same & (_times_found(one, one) == 1) & (_times_found(two, one) == 1)
    return np.flatnonzero(once).astype(np.int32), at[once].astype(np.int32)


def _times_found(times: Array, wanted: Array) -> Integers:
    """How often each wanted time is among others, which ascend."""
    near = 1e-12 * (1 + np.abs(wanted))
    ends = np.searchsorted(times, wanted + near, "right"), np.searchsorted(times, wanted - near, "left")
    return (ends[0] - ends[1]).astype(np.int32)


def kind_of(column: Column) -> tuple[str, int]:
    return column.holds, column.order


def scales_of(columns: Columns, both: Iterable[Column], size: float) -> dict[tuple[str, int], float]:
    """The largest number of every kind of column; of positions the size of the mechanism, of angles a radian."""
    units = {"length": size, "angle": 1.0, "number": 1.0}
    largest: dict[tuple[str, int], float] = {}
    for column in both:
        values = np.abs(columns.raw(column.name))
        key = kind_of(column)
        largest[key] = max(largest.get(key, 0.0), float(np.nanmax(values, initial=0.0)))
    fastest = [max((v / units.get(h, 1.0) for (h, o), v in largest.items() if o == k), default=0.0) for k in range(3)]
    fastest[2] = max(fastest[2], fastest[1] ** 2)
    out = {}
    for (holds, order), value in largest.items():
        unit = units.get(holds)
        out[holds, order] = value or 1.0
        if unit is not None:
            out[holds, order] = unit if order == 0 else max(value, LEAST * fastest[order] * unit) or 1.0
    return out


def _difference(one: Columns, two: Columns, column: Column, mine: Integers, theirs: Integers) -> Array:
    a, b = one.raw(column.name)[mine], two.raw(column.name)[theirs]
    if column.holds == "angle" and column.order == 0:
        turns = np.remainder(a - b + np.pi, 2 * np.pi) - np.pi
        away = np.abs(turns)
    elif column.holds == "number" and column.kind == "body":  # of a quaternion, whose sign has no meaning
        away = np.abs(a - b * _sign(one, two, column.owner, mine, theirs))
    else:
        away = np.abs(a - b)
    away = np.where(np.isnan(a) & np.isnan(b), 0.0, away)
    return np.asarray(np.where(np.isnan(away), np.inf, away))


def _sign(one: Columns, two: Columns, body: str, mine: Integers, theirs: Integers) -> Array:
    """1 where the quaternions of a body point in one direction, −1 where they point against each other."""
    names = [f"{body}.q{letter}" for letter in "wxyz"]
    along = sum((one.raw(name)[mine] * two.raw(name)[theirs] for name in names), np.zeros(len(mine)))
    return np.where(along < 0, -1.0, 1.0)
