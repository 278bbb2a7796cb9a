"""Mechanical advantage: output effort per driver effort of a lossless machine.

Power in is power out, so output effort / driver effort = driver rate / output rate (Norton, Design of Machinery,
section 6.4). Angular rates are in radians.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition
from mubo.numerics.extremum_search import Sample, maximize_around_rows, value_reader
from mubo.results import Column, Columns
from mubo.solvers.search.extremes import Solve, search_columns
from mubo.solvers.search.toggle_positions import MOST_PLACES, find_reversals

RATES = {"x": "vx", "y": "vy", "phi": "omega"}
STILL = 1e-9  # of its largest rate: a slower driver is at rest


def require_output(model: ModelDefinition, output: str) -> None:
    """Refuse an output that has no rate, and models with other than one driver."""
    if len(model.drivers) != 1:
        raise ModelError(
            f"the mechanical advantage is defined for one driver; the model has {len(model.drivers)}",
            names=list(model.drivers),
        )
    known = [
        name for name, joint in model.joints.items() if model.kinds[joint.kind].coordinate and len(joint.between) == 2
    ]
    known += [f"{name}.{c}" for name in model.bodies for c in RATES]
    known += [f"{name}.{c}" for name in model.points for c in ("x", "y")]
    if output not in known:
        raise ModelError(
            f'the output "{output}" is neither a coordinate of a body or point nor a joint. {nearest(output, known)}',
            names=[output],
        )


def add_advantage(model: ModelDefinition, columns: Columns, output: str, solve: Solve) -> dict[str, Any]:
    """Add the column |driver rate / output rate|, NaN where the driver is at rest; returns its extremes.

    Where the output reverses while the driver moves the advantage is infinite: each such position is listed.
    """
    (name,) = model.drivers
    given, rate = _rates(model, columns, output)
    column, ratio = advantage_column(model, columns, output, columns)
    length = model.units.unit_of("length")
    unit = "" if rate.holds == given.holds or not length else f"1/{length}" if given.holds == "angle" else length
    summary: dict[str, Any] = {"driver": name, "output": output, "unit": unit}  # force per moment, or back
    if np.any(np.isfinite(ratio)) or np.any(np.isinf(ratio)):
        coordinate = next(
            c for c in columns.of_kind(rate.kind, rate.owner) if (c.quantity, c.order) == (rate.quantity, 0)
        )
        reversals, _ = find_reversals(model, columns, coordinate, solve)
        fastest = _largest_ratio(columns, 1 / ratio, rate.name, given.name, solve)
        summary["minimum"] = _place(columns, name, Sample(fastest.t, 1 / fastest.value), solve)
        if reversals:
            infinite = [Sample(place.t, np.inf) for place in reversals[:MOST_PLACES]]
            summary["infinite_at"] = [_place(columns, name, place, solve) for place in infinite]
            summary["maximum"] = summary["infinite_at"][0]
        else:
            most = _largest_ratio(columns, ratio, given.name, rate.name, solve)
            summary["maximum"] = _place(columns, name, most, solve)
    columns.extend([(column, ratio)])
    return summary


def advantage_column(model: ModelDefinition, columns: Columns, output: str, run: Columns) -> tuple[Column, Array]:
    """Column |driver rate / output rate|: infinite where the output is at rest, NaN where the driver is.

    The largest rates of the run decide what is at rest.
    """
    given, rate = (column.name for column in _rates(model, columns, output))
    speed, driven = columns.raw(rate), columns.raw(given)
    still = np.abs(driven) <= STILL * np.max(np.abs(run.raw(given)), initial=0.0)
    small = 1e-12 * np.max(np.abs(run.raw(rate)), initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.abs(speed) <= small, np.inf, np.abs(driven / speed))
    ratio[still] = np.nan
    return Column("transmission.advantage", "transmission", output, "advantage"), np.asarray(ratio)


def _rates(model: ModelDefinition, columns: Columns, output: str) -> tuple[Column, Column]:
    """The rates of the driver and of the output."""
    (name,) = model.drivers
    head, _, tail = output.rpartition(".")
    return columns.column(f"{name}.rate"), columns.column(f"{head}.{RATES[tail]}" if head else f"{output}.v")


def _largest_ratio(columns: Columns, values: Array, above: str, below: str, solve: Solve) -> Sample:
    """Largest value of a ratio |above / below|, on the rows and between them."""
    read = value_reader(lambda found: np.abs(found.raw(above) / found.raw(below)))
    return search_columns([(maximize_around_rows(columns.raw("t"), values), read)], solve)[0]


def _place(columns: Columns, driver: str, place: Sample, solve: Solve) -> dict[str, Any]:
    found = solve(np.array([place.t]))
    values = found[f"{driver}.value"]
    row = int(np.argmin(np.abs(columns["t"] - place.t)))
    value = float(values[0]) if len(values) else float(columns[f"{driver}.value"][row])
    return {"value": place.value, "t": place.t, "drivers": {driver: value}}
