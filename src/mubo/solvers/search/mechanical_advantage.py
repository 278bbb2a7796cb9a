"""Mechanical advantage: output effort per driver effort of a lossless machine.

Power in is power out, so output effort / driver effort = driver rate / output rate (Norton, Design of Machinery,
section 6.4). Angular rates are in radians.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition
from mubo.numerics.extremum_search import Sample, maximize_bracketed, run_searches
from mubo.results import Column, Columns
from mubo.solvers.search.extremes import Solve
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
    head, _, tail = output.rpartition(".")
    rate, given = columns.column(f"{head}.{RATES[tail]}" if head else f"{output}.v"), columns.column(f"{name}.rate")
    ratio = _ratio(columns, given.name, rate.name)
    length = model.units.of("length")
    unit = "" if rate.holds == given.holds or not length else f"1/{length}" if given.holds == "angle" else length
    summary: dict[str, Any] = {"driver": name, "output": output, "unit": unit}  # force per moment, or back
    if np.any(np.isfinite(ratio)) or np.any(np.isinf(ratio)):
        coordinate = next(
            c for c in columns.of_kind(rate.kind, rate.owner) if (c.quantity, c.order) == (rate.quantity, 0)
        )
        dead, _ = find_reversals(model, columns, coordinate, solve)
        least = _smallest_advantage(columns, ratio, given.name, rate.name, solve)
        summary["minimum"] = _place(columns, name, least, solve)
        if dead:
            summary["maximum"] = _place(columns, name, Sample(dead[0].t, np.inf), solve)
            summary["infinite_at"] = [_place(columns, name, Sample(p.t, np.inf), solve) for p in dead[:MOST_PLACES]]
        else:
            most = _largest_advantage(columns, ratio, given.name, rate.name, solve)
            summary["maximum"] = _place(columns, name, most, solve)
    columns.extend([(Column("transmission.advantage", "transmission", output, "advantage"), ratio)])
    return summary


def _ratio(columns: Columns, given: str, rate: str) -> Array:
    """Ratio |driver rate / output rate|: infinite where the output is at rest, NaN where the driver is."""
    speed, driven = columns.raw(rate), columns.raw(given)
    still = np.abs(driven) <= STILL * np.max(np.abs(driven), initial=0.0)
    small = 1e-12 * np.max(np.abs(speed), initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.abs(speed) <= small, np.inf, np.abs(driven / speed))
    ratio[still] = np.nan
    return np.asarray(ratio)


def _smallest_advantage(columns: Columns, ratio: Array, given: str, rate: str, solve: Solve) -> Sample:
    """Smallest advantage, where the output is fastest relative to the driver."""
    place = _largest_ratio(columns, 1 / ratio, lambda found: np.abs(found.raw(rate) / found.raw(given)), solve)
    return Sample(place.t, 1 / place.value)


def _largest_advantage(columns: Columns, ratio: Array, given: str, rate: str, solve: Solve) -> Sample:
    return _largest_ratio(columns, ratio, lambda found: np.abs(found.raw(given) / found.raw(rate)), solve)


def _largest_ratio(columns: Columns, values: Array, value: Callable[[Columns], Array], solve: Solve) -> Sample:
    """Largest value of a ratio, on the rows and between them."""
    t, k = columns.raw("t"), int(np.nanargmax(values))
    row = Sample(float(t[k]), float(values[k]))
    if not 0 < k < len(t) - 1 or not np.all(np.isfinite(values[k - 1 : k + 2])):
        return row

    def read(found: Columns) -> Array:
        with np.errstate(all="ignore"):
            ratio = value(found)
        return np.stack([ratio, np.full_like(ratio, np.nan), np.full_like(ratio, np.nan)])

    def at(times: Array) -> tuple[Array, Columns]:
        found = solve(times)
        return found.raw("t"), found

    three = [Sample(float(t[j]), float(values[j])) for j in (k - 1, k, k + 1)]
    return run_searches([(maximize_bracketed(three), read)], at)[0]


def _place(columns: Columns, driver: str, place: Sample, solve: Solve) -> dict[str, Any]:
    found = solve(np.array([place.t]))
    values = found[f"{driver}.value"]
    row = int(np.argmin(np.abs(columns["t"] - place.t)))
    value = float(values[0]) if len(values) else float(columns[f"{driver}.value"][row])
    return {"value": place.value, "t": place.t, "drivers": {driver: value}}
