"""The summary of a run: what was solved, how well, and what to know about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.model import Units
from mubo.results import Event
from mubo.studies.motion.formulation import Formulation
from mubo.studies.motion.march import Path
from mubo.studies.motion.near_miss import Lowest, Seeker
from mubo.studies.position.inspect import Inspection
from mubo.studies.position.singular import depends_at
from mubo.studies.quality.transmission import NEAR, Transmission

MOST_GROUPS = 20  # told in the summary, worst first


def _redundant(look: Inspection, states: Array, whole: bool) -> list[str]:
    """Dependent equations in words, and whether they stay so along the motion."""
    told = []
    samples = np.unique(np.linspace(0, len(states) - 1, 9).astype(int))
    for dependence in look.diagnosis.dependent:
        stays = whole and all(depends_at(look.form, dependence, states[k][0], look.motion) for k in samples)
        where = "everywhere along the motion" if stays else "but not all along the motion"
        told.append(f"{dependence.words(False)}, {where}")
    return told


def transmission_summary(
    found: Transmission,
    seeker: Seeker,
    misses: list[Lowest],
    units: Units,
    drivers: Callable[[Array], dict[str, float]],
) -> dict[str, Any]:
    """The worst transmission of every group, and of all: value, time, drivers. Angles are in the model's unit.

    `drivers` gives the values of the drivers from a line of their motion.
    """
    factor = units.angle_factor()
    groups, count = found.worst(MOST_GROUPS)
    places = [seeker.lowest(group) for group in groups]
    places[:1] = [seeker.between(group) for group in groups[:1]]
    for k, place in enumerate(places):  # what was located counts too
        located = [miss for miss in misses if miss.group.name == place.group.name]
        places[k] = min([place, *located, *seeker.singular(place.group)], key=lambda p: p.grade)
    places.sort(key=lambda place: place.grade)
    laws = seeker.motion(np.array([place.t for place in places])) if places else ()
    shown = []
    for place, law in zip(places, laws, strict=True):
        entry = {"group": place.group.name, "measure": place.group.measure, "minimum": place.sigma}
        if place.group.angle is not None:
            ends = (np.min(place.group.angle), np.max(place.group.angle), place.angle)
            entry |= {"minimum": place.grade / factor, "range": [float(end(ends)) / factor for end in (min, max)]}
        shown.append({**entry, "t": place.t, "drivers": drivers(law)})
    out: dict[str, Any] = {**(shown[0] if shown else {}), "unit": units.angle or "rad"}
    out |= {"near_miss_below": NEAR, "groups": shown}
    if count > MOST_GROUPS:
        out["groups_left_out"] = count - MOST_GROUPS
    return {**out, "unseen": found.unseen} if found.unseen else out


def summary_of(
    look: Inspection,
    way: Formulation,
    grid: Array,
    states: Array,
    path: Path,
    there_and_back: float,
    events: list[Event],
    corners: list[str],
    transmission: dict[str, Any],
) -> dict[str, Any]:
    """The promised summary: what was solved, how well, and what to know about it."""
    form, diagnosis = look.form, look.diagnosis
    largest = form.system.residuals(np.ascontiguousarray(states), form.motion(grid))
    owners = [equation.owner for equation in form.equations]
    names = ("position", "velocity", "acceleration")
    per_element: dict[str, dict[str, float]] = {}
    for owner, *values in zip(owners, *largest, strict=True):
        held = per_element.setdefault(owner, dict.fromkeys(names, 0.0))
        for name, value in zip(names, values, strict=True):
            held[name] = max(held[name], float(value))
    laws = {name: driver.motion.notes() for name, driver in form.model.drivers.items()}
    return {
        "status": "ok" if all(event.passed for event in events) else "stopped",
        "model": form.model.name,
        "formulation": way.name,
        "rows": len(grid),
        "tolerance": look.tolerance,
        "mobility": diagnosis.summary(),
        "residual": {name: float(np.max(line, initial=0.0)) for name, line in zip(names, largest, strict=True)},
        "residual_per_element": per_element,
        "there_and_back": there_and_back,
        "transmission": transmission,
        "newton_iterations": int(path.corrections[: len(grid)].sum()),
        "motion": {name: notes for name, notes in laws.items() if notes},
        "events": [event.as_dict() for event in events],
        "warnings": [*_redundant(look, states, path.status == Status.done), *corners, *form.mechanism.notes],
        "files": [],
    }
