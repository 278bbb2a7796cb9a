"""Toggle (limit) positions of outputs: where an output reverses while the drivers move; and the time ratio of a quick
return.

The time ratio is the time of the slow stroke over that of the quick one, of an output that reverses twice during one
revolution of a steadily turning driver (Norton, Design of Machinery, section 3.4).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.numerics.extremum_search import ExtremumSearch, Sample, find_stationary_point, known_extremum, samples_of
from mubo.results import Column, Columns
from mubo.solvers.search.extremes import Solve, search_columns
from mubo.solvers.search.reported_quantities import column_quantity, output_columns

MOST_PLACES = 12  # reported positions of one output
MOST_SEARCHES = 24
STILL = 1e-9  # of the largest rate: a slower coordinate is at rest
STEADY = 1e-9  # relative change of the rate of a steady driver


def toggle_summary(model: ModelDefinition, columns: Columns, solve: Solve) -> dict[str, dict[str, Any]]:
    """Toggle positions of each output with their drivers, and its time ratio where it has one, by output coordinate."""
    out: dict[str, dict[str, Any]] = {}
    period = _period(model, columns)
    for column in output_columns(model, columns):
        places, count = find_reversals(model, columns, column, solve)
        entry: dict[str, Any] = {"toggle_positions": _toggle_entry(model, columns, column, places[:MOST_PLACES], solve)}
        if count > MOST_PLACES:
            entry["toggle_positions_left_out"] = count - MOST_PLACES
        strokes = period if _turns_back(columns, column) else None
        ratio = _time_ratio([place.t for place in places], columns.raw("t"), strokes)
        if ratio is not None:
            entry["time_ratio"] = ratio
        out[column.name] = entry
    return out


def find_reversals(model: ModelDefinition, columns: Columns, column: Column, solve: Solve) -> tuple[list[Sample], int]:
    """Samples where the rate of a column changes its sign while a driver moves, in order, and their number.

    The first MOST_SEARCHES of them are searched.
    """
    subject, t = column_quantity(columns, column.name), columns.raw("t")
    rate = columns.raw(columns.derivative(column.name) or column.name)
    sign = np.where(np.abs(rate) <= STILL * np.nanmax(np.abs(rate), initial=0.0), 0.0, np.sign(rate))
    moving = np.zeros(len(t), bool)
    for name in model.drivers:
        driven = np.abs(columns.raw(f"{name}.rate"))
        moving |= driven > STILL * np.max(driven, initial=0.0)
    between = np.flatnonzero((sign[:-1] * sign[1:] < 0) & (moving[:-1] | moving[1:]))
    beside = np.concatenate([[0.0], sign, [0.0]])
    before, after = beside[:-2], beside[2:]
    rest = np.cumsum(np.append(0, (sign[1:] == 0) != (sign[:-1] == 0)))  # rests and motions of the column, numbered
    waits = np.isin(rest, rest[(sign == 0) & ~moving])  # rests in which the drivers stand too
    on_row = np.flatnonzero((sign == 0) & (before * after <= 0) & (before != after) & moving & ~waits)
    searches: list[ExtremumSearch] = []
    for row in np.sort(np.concatenate([between, on_row]))[:MOST_SEARCHES]:
        data = subject.read(columns.select_rows(np.arange(row, min(row + 2, len(t)), dtype=np.int32)))
        two = samples_of(t[row:], data, range(data.shape[1]))
        searches.append(known_extremum(two[0]) if sign[row] == 0 else find_stationary_point(two))
    places = search_columns([(search, subject.read) for search in searches], solve)
    return places, len(between) + len(on_row)


def _turns_back(columns: Columns, column: Column) -> bool:
    """Whether a column moves in both senses: a Geneva wheel, which waits between steps in one sense, has no strokes."""
    rate = columns.raw(columns.derivative(column.name) or column.name)
    still = STILL * np.nanmax(np.abs(rate), initial=0.0)
    return bool(np.nanmax(rate, initial=0.0) > still and np.nanmin(rate, initial=0.0) < -still)


def _toggle_entry(
    model: ModelDefinition, columns: Columns, column: Column, places: list[Sample], solve: Solve
) -> list[dict[str, Any]]:
    if not places:
        return []
    found = solve(np.array([place.t for place in places]))
    factor = columns.units.factor(column.holds, column.order)
    out = []
    for place in places:
        row = int(np.searchsorted(found.raw("t"), place.t))
        drivers = {}
        if row < len(found.raw("t")) and found.raw("t")[row] == place.t:
            drivers = {name: float(found[f"{name}.value"][row]) for name in model.drivers}
        out.append({"t": place.t, "value": place.value / factor, "drivers": drivers})
    return out


def _period(model: ModelDefinition, columns: Columns) -> float | None:
    """Time of one revolution of the only driver, where that turns steadily."""
    names = [name for name in model.drivers if f"{name}.rate" in columns]
    if len(model.drivers) != 1 or not names or columns.column(f"{names[0]}.rate").holds != "angle":
        return None
    rate = columns.raw(f"{names[0]}.rate")
    size = float(np.max(np.abs(rate), initial=0.0))
    return 2 * np.pi / size if size > 0 and float(np.ptp(rate)) <= STEADY * size else None


def _time_ratio(times: list[float], t: Array, period: float | None) -> float | None:
    """Time ratio of two toggle positions in one revolution; None for an incomplete revolution or another number."""
    if period is None or t[-1] - t[0] < (1 - 1e-9) * period:
        return None
    start, slack = float(t[0]), 1e-9 * period
    inside = [time for time in times if time < start + period - slack]
    again = [time for time in times if time >= start + period - slack]
    if len(inside) != 2:
        return None
    for time in again:  # what follows must repeat them
        if min(abs(time - s - period * round((time - s) / period)) for s in inside) > 1e-6 * period:
            return None
    one = inside[1] - inside[0]
    return max(one, period - one) / min(one, period - one)
