"""Entries of the summary of a run: transmission, extremes and residuals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.model import ModelDefinition, Units
from mubo.numerics.singularity import NEAR_SINGULAR
from mubo.results import Columns, Event
from mubo.solvers.search.extremes import ExtremeValues, Solve
from mubo.solvers.search.reported_quantities import column_quantity, columns_of_quantities, reported_quantities
from mubo.solvers.search.toggle_positions import toggle_summary
from mubo.solvers.structure.grashof import four_bars

if TYPE_CHECKING:
    from mubo.solvers.search.transmission_extremes import MotionTransmission

ORDERS = ("position", "velocity", "acceleration")
EXTREMES = ("extremes", "extremes_left_out", "outputs", "four_bars")  # what `extremes_summary` may give


def transmission_summary(
    quality: MotionTransmission, units: Units, drivers: Callable[[Array], dict[str, float]]
) -> dict[str, Any]:
    """The worst transmission of every group, and of all: value, time, drivers. Angles are in the model's unit.

    `drivers` gives the values of the drivers from a line of their motion.
    """
    factor, unseen = units.angle_factor(), quality.transmission.unseen
    places, count = quality.worst()
    laws = quality.motion(np.array([worst.place.t for worst in places])) if places else ()
    groups = []
    for (place, *ends), law in zip(places, laws, strict=True):
        entry = {"group": place.group.name, "measure": place.group.measure, "minimum": place.sigma}
        if place.group.angle is not None:
            entry |= {"minimum": place.grade / factor, "range": [end / factor for end in ends]}
        groups.append({**entry, "t": place.t, "drivers": drivers(law)})
    out: dict[str, Any] = {**(groups[0] if groups else {}), "unit": units.angle or "rad"}
    out |= {"near_singular_below": NEAR_SINGULAR, "groups": groups}
    if count > quality.most:
        out["groups_left_out"] = count - quality.most
    return {**out, "unseen": unseen} if unseen else out


def extremes_summary(
    model: ModelDefinition,
    columns: Columns,
    solve: Solve | None = None,
    events: Sequence[Event] = (),
    few: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Least and greatest value of every column, the toggle positions, and the class of every four-bar; or of a `few`
    columns alone.

    Without `solve` the columns are interpolated between rows.
    """
    if few is not None:
        wanted = [column_quantity(columns, name) for name in few if name in columns]
        return {"extremes": ExtremeValues(model, columns, wanted, solve or _between(columns), events).summarize()}
    subjects, left_out = reported_quantities(model, columns)
    if solve is None:
        columns = columns_of_quantities(model, columns, subjects)
        solve = _between(columns)
    out: dict[str, Any] = {"extremes": ExtremeValues(model, columns, subjects, solve, events).summarize()}
    if left_out:
        out["extremes_left_out"] = left_out
    if model.drivers:
        out["outputs"] = toggle_summary(model, columns, solve)
    bars = four_bars(model)
    return {**out, "four_bars": bars} if bars else out


def _between(columns: Columns) -> Solve:
    """Return a function that interpolates the columns between their rows."""
    from mubo.solvers.search.interpolation import interpolate_columns

    return lambda times: interpolate_columns(columns, times)


def residuals_per_element(owners: Sequence[str], largest: Array) -> dict[str, dict[str, float]]:
    """The largest residuals of every joint and driver."""
    out: dict[str, dict[str, float]] = {}
    for owner, *values in zip(owners, *largest, strict=True):
        residual = out.setdefault(owner, dict.fromkeys(ORDERS, 0.0))
        for name, value in zip(ORDERS, values, strict=True):
            residual[name] = max(residual[name], float(value))
    return out
