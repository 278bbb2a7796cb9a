"""The summary of a run: what was solved, how well, and what to know about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.model import Units
from mubo.results import Event
from mubo.studies.motion.law_notes import law_notes
from mubo.studies.motion.round_trip import RoundTrip
from mubo.studies.quality.transmission import NEAR

if TYPE_CHECKING:
    from mubo.studies.motion.way import Rows, Way
    from mubo.studies.quality.worst import Quality

MOST_GROUPS = 20  # told in the summary, worst first
ORDERS = ("position", "velocity", "acceleration")


def transmission_summary(
    quality: Quality, units: Units, drivers: Callable[[Array], dict[str, float]]
) -> dict[str, Any]:
    """The worst transmission of every group, and of all: value, time, drivers. Angles are in the model's unit.

    `drivers` gives the values of the drivers from a line of their motion.
    """
    factor, unseen = units.angle_factor(), quality.transmission.unseen
    places, count = quality.worst(MOST_GROUPS)
    laws = quality.motion(np.array([place.t for place in places])) if places else ()
    groups = []
    for place, law in zip(places, laws, strict=True):
        entry = {"group": place.group.name, "measure": place.group.measure, "minimum": place.sigma}
        if place.group.angle is not None:
            ends = (np.min(place.group.angle), np.max(place.group.angle), place.angle)
            entry |= {"minimum": place.grade / factor, "range": [float(end(ends)) / factor for end in (min, max)]}
        groups.append({**entry, "t": place.t, "drivers": drivers(law)})
    out: dict[str, Any] = {**(groups[0] if groups else {}), "unit": units.angle or "rad"}
    out |= {"near_miss_below": NEAR, "groups": groups}
    if count > MOST_GROUPS:
        out["groups_left_out"] = count - MOST_GROUPS
    return {**out, "unseen": unseen} if unseen else out


def summary_of(
    way: Way,
    rows: Rows,
    trip: RoundTrip,
    events: list[Event],
    transmission: dict[str, Any],
    notes: list[str],
) -> dict[str, Any]:
    """The promised summary: what was solved, how well, and what to know about it."""
    owners, largest = way.residuals(rows)
    return {
        "status": "ok" if all(event.passed for event in events) else "stopped",
        "model": way.model.name,
        "formulation": way.name,
        "rows": len(rows.t),
        "tolerance": way.settings.tolerance,
        "mobility": way.mobility(),
        "residual": {name: float(np.max(line, initial=0.0)) for name, line in zip(ORDERS, largest, strict=True)},
        "residual_per_element": _per_element(owners, largest),
        "there_and_back": trip.apart,
        "transmission": transmission,
        "newton_iterations": int(rows.corrections.sum()),
        "motion": law_notes(way.model),
        **way.more(rows),
        "events": [event.as_dict() for event in events],
        "warnings": notes,
        "files": [],
    }


def _per_element(owners: Sequence[str], largest: Array) -> dict[str, dict[str, float]]:
    """The largest residuals of every joint and driver."""
    out: dict[str, dict[str, float]] = {}
    for owner, *values in zip(owners, *largest, strict=True):
        residual = out.setdefault(owner, dict.fromkeys(ORDERS, 0.0))
        for name, value in zip(ORDERS, values, strict=True):
            residual[name] = max(residual[name], float(value))
    return out
