"""Two results on their common columns: d(t) = RESULT − REFERENCE, its largest size, where, and its standard deviation.

    max |d|,    std d = sqrt(mean((d − mean d)²))    over the times compared (population form, as numpy.std)

A constant offset shows in the maximum only, scatter in both. REFERENCE is converted to the units of RESULT.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from mubo.applications.compare.comparison import ColumnDifference, Comparison, counted, some_of
from mubo.applications.compare.same_times import coarse_change, same_times, span
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.column_units import conversion
from mubo.formats.result_tables import ImportedTable, read_result
from mubo.quantities.unit_algebra import measure
from mubo.results import Run

ROUNDING = 1e-12  # of the largest number of a column: changes below are no sign of interpolation
TURN = 1e-3  # of a turn: angles that differ by whole turns up to this are pointed out

Source = str | Path | Run


def compare(
    result: Source, reference: Source, mapping: Mapping[str, str] | None = None, over: str | None = None
) -> Comparison:
    """Compares two tables or runs; `mapping` gives the names in REFERENCE of columns that are called differently, with
    * for any part of a name; `over` is a column of RESULT that orders the rows in place of time."""
    one, other = _table(result), _table(reference)
    if over is not None:
        one = _ordered_by(one, one.find(over, "RESULT"))
    pairs, other_time = _pairs(one, other, mapping or {})
    other = _ordered_by(other, other_time)
    factors, unit_notes = _conversions(one, other, {one.time: other_time, **pairs})
    meeting = same_times(one.columns[one.time], other.columns[other_time] * factors[one.time])
    for a, b in pairs.items():
        _check_numbers(one.columns[a], one.columns[one.time], f'"{a}" of RESULT')
        _check_numbers(other.columns[b][meeting.rows], meeting.t, f'"{b}" of REFERENCE')
    matrix = np.column_stack([one.columns[a] for a in pairs])
    values = meeting.at_times(matrix)
    differences = {
        a: values[:, k] - other.columns[b][meeting.rows] * factors[a] for k, (a, b) in enumerate(pairs.items())
    }
    rows = tuple(_difference(a, b, one.units[a] or other.units[b], differences[a], meeting.t) for a, b in pairs.items())
    partners = set(pairs.values())
    return Comparison(
        result=one.name,
        reference=other.name,
        sizes=(_size(one, one.time), _size(other, other_time)),
        rows=rows,
        t=meeting.t,
        differences=differences,
        time_unit=one.units[one.time] or other.units[other_time],
        times=meeting.description,
        interpolated=meeting.interpolated,
        doubtful=_doubtful(one.columns[one.time], matrix, rows) if meeting.interpolated else (),
        only_in_result=tuple(a for a in one.columns if a not in pairs and a != one.time),
        only_in_reference=tuple(b for b in other.columns if b not in partners and b != other_time),
        over=one.time,
        notes=(*one.notes, *other.notes, *unit_notes, *_whole_turns(rows, differences)),
    )


def _table(source: Source) -> ImportedTable:
    if isinstance(source, Run):
        units = {name: source.unit(name) for name in source.columns}
        return ImportedTable(source.model.name, source.columns, units, "t")
    return read_result(source)


def _pairs(one: ImportedTable, other: ImportedTable, mapping: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Columns of RESULT with their partners in REFERENCE, in the order of RESULT; and the time of REFERENCE."""
    named = [pair for a, b in mapping.items() for pair in _named(one, other, a, b)]
    asked = dict(named)
    if len(asked) < len(named):
        raise ResultError("a column of RESULT is mapped twice: " + ", ".join(mapping))
    time = asked.pop(one.time, one.time if one.time in other.columns else other.time)
    pairs = {}
    for name in one.columns:
        partner = asked.get(name, name)
        if name != one.time and partner in other.columns and (partner != time or name in asked):
            pairs[name] = partner
    if not pairs:
        names = [[name for name in table.columns if name != table.time] for table in (one, other)]
        raise ResultError(
            f"RESULT and REFERENCE have no column in common: RESULT ({one.name}) has {some_of(names[0])}; "
            f"REFERENCE ({other.name}) has {some_of(names[1])}",
            suggestion="State which belong together: --map NAME=REFNAME, in Python mapping={NAME: REFNAME}.",
        )
    return pairs, time


def _named(one: ImportedTable, other: ImportedTable, a: str, b: str) -> list[tuple[str, str]]:
    """The pair of columns that a mapping names, or all pairs of a pattern with one *."""
    if "*" not in a and "*" not in b:
        return [(one.find(a, "RESULT"), other.find(b, "REFERENCE"))]
    if a.count("*") != 1 or b.count("*") != 1:
        raise ResultError(f'"{a}={b}" is no pattern: it needs one * in each name, such as *.x=*_X')
    pattern = re.compile(re.escape(a).replace(r"\*", "(.+)"))
    found = [(name, b.replace("*", match[1])) for name in one.columns if (match := pattern.fullmatch(name))]
    pairs = [(name, partner) for name, partner in found if partner in other.columns]
    if not pairs:
        tried = f": {some_of(partner for _, partner in found)}" if found else ""
        raise ResultError(
            f'"{a}={b}" joins no columns: RESULT has {counted(len(found), "column")} of this form, and REFERENCE '
            f"({other.name}) has none of their partners{tried}",
            suggestion=f"REFERENCE has {some_of(other.columns)}.",
        )
    return pairs


def _ordered_by(table: ImportedTable, column: str) -> ImportedTable:
    """The table with another column in place of its time; rows are reversed where it decreases."""
    values = table.columns[column]
    falls = len(values) > 1 and bool(np.all(np.diff(values) < 0))
    columns = {name: table.columns[name][::-1] for name in table.columns} if falls else table.columns
    return replace(table, columns=columns, time=column)


def _conversions(
    one: ImportedTable, other: ImportedTable, pairs: Mapping[str, str]
) -> tuple[dict[str, float], list[str]]:
    """Factor of each column of REFERENCE, and notes on units converted and units that only one table has."""
    factors: dict[str, float] = {}
    converted: dict[str, int] = {}
    bare: dict[str, list[str]] = {"RESULT": [], "REFERENCE": []}
    for a, b in pairs.items():
        into, unit = one.units[a], other.units[b]
        factor = conversion(unit, into) if unit and into else 1.0
        if factor is None:
            unknown = [u for u in (into, unit) if measure(u) is None]
            raise ResultError(
                f'column "{a}" is in [{into}] in RESULT and in [{unit}] in REFERENCE: these do not convert'
                + (f', "{unknown[0]}" is not a unit that mubo knows' if unknown else ""),
                suggestion="Compare columns of one kind, or mend the unit in the header.",
            )
        if factor != 1.0:
            converted[f"{unit} to {into}"] = converted.get(f"{unit} to {into}", 0) + 1
        if bool(unit) != bool(into):
            bare["REFERENCE" if into else "RESULT"].append(a)
        factors[a] = factor
    notes = [
        f"{which} gives no unit of {counted(len(names), 'column')}; compared as numbers: {some_of(names)}"
        for which, names in bare.items()
        if names
    ]
    if converted:
        changes = [f"{change} ({counted(n, 'column')})" for change, n in converted.items()]
        notes.insert(0, f"REFERENCE converted from {', '.join(changes)}")
    return factors, notes


def _check_numbers(values: Array, t: Array, what: str) -> None:
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise ResultError(
            f"column {what} has no finite number at t = {t[bad[0]]:g} ({len(bad)} of {counted(len(values), 'row')})",
            suggestion="Fill the cells, or take the column or the rows out of the table.",
        )


def _difference(name: str, partner: str, unit: str, difference: Array, t: Array) -> ColumnDifference:
    with np.errstate(over="ignore", invalid="ignore"):
        size, std = np.abs(difference), float(np.std(difference))
    if not math.isfinite(std):
        raise ResultError(f'column "{name}": its difference is too large for a number')
    worst = int(np.argmax(size))
    return ColumnDifference(name, partner, unit, float(size[worst]), float(t[worst]), std)


def _doubtful(t: Array, matrix: Array, rows: Iterable[ColumnDifference]) -> tuple[str, ...]:
    """Columns whose differences may come from interpolation: half as many rows would change them by as much."""
    changes, noise = coarse_change(t, matrix), ROUNDING * np.max(np.abs(matrix), axis=0)
    return tuple(
        row.column for row, change, low in zip(rows, changes, noise, strict=True) if change > max(row.maximum, low)
    )


def _whole_turns(rows: Iterable[ColumnDifference], differences: Mapping[str, Array]) -> list[str]:
    """A note on angles that differ by whole turns only, which is no error of a mechanism."""
    turned = []
    for row in rows:
        phi = row.column.rpartition(".")[2].lower() == "phi"
        known = measure(row.unit or ("rad" if phi else ""))
        if known is None or known[1] != {"angle": 1}:
            continue
        turns = differences[row.column] * known[0] / (2 * np.pi)
        if np.max(np.abs(turns)) > 0.5 and np.max(np.abs(turns - np.round(turns))) < TURN:
            turned.append(row.column)
    return [f"whole turns are all that differs in {some_of(turned)}, up to {TURN:g} of a turn"] if turned else []


def _size(table: ImportedTable, time: str) -> str:
    unit = table.units[time]
    return f"{counted(len(table.columns[time]), 'row')}, {span(table.columns[time])}" + (f" {unit}" if unit else "")
