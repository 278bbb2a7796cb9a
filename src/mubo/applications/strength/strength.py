"""From motion to metal: the strength of pins and links along a prescribed motion, and the room that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mubo.analyses.inverse import COLUMNS_OF_A_BODY, force_problem
from mubo.analyses.kinematics import require_settings, settings_of, solve_motion, time_grid
from mubo.applications.clearance.clearance import ClearancePair, space_budget
from mubo.applications.strength.beams import beam_of
from mubo.applications.strength.closing import closing_note
from mubo.applications.strength.force_history import Course, Seen
from mubo.applications.strength.links import Link, Peaks, Worst, link_checks, worst_of
from mubo.applications.strength.pins import Pin, Worked, pin_checks, pins_of
from mubo.applications.strength.report import Strength
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.column_names import TIME
from mubo.model.details import material_of
from mubo.numerics.quadrature import integrate_samples
from mubo.results import Columns, Event, Run
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.kinematics.run_notes import law_corner_notes
from mubo.solvers.search.extremes import ExtremeValues
from mubo.solvers.search.reported_quantities import column_quantity
from mubo.studies.options import WithForces

NEAR = 1e-6  # of the steps around it: how well a worst instant is known; its value by the square of that
LOOSE = 1e-4  # of an integral: what it may be wrong by without a note
Item = Pin | Link | ClearancePair


def strength(
    model: ModelDefinition,
    start: float,
    end: float,
    step: float,
    settings: Settings | None = None,
    length_scale: float | None = None,
) -> Strength:
    """Inverse dynamics along the motion, and what pins, links and room are by it."""
    settings = settings or Settings()
    require_details(model)
    require_settings(model, settings)
    grid = time_grid(start, end, step, COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies))
    corners = law_corner_notes(model, grid)
    way = force_problem(model, grid, settings, length_scale)
    run = solve_motion(way, grid, (start, end, step), corners)
    return judged(Course(way, run))


def require_details(model: ModelDefinition) -> None:
    """Refuses models without details of strength."""
    if model.dimension == 3:
        raise ModelError(
            "strength is told of mechanisms in the plane: links in space would need two planes of bending and torsion",
            suggestion="`mubo inverse` tells the reactions of a mechanism in space.",
        )
    for problem in model.problems:
        raise ModelError(f"{model.where}{problem}")


def judged(course: Course) -> Strength:
    """The strength report of a run that was solved with forces."""
    model, run = course.model, course.run
    grid = run.columns.raw("t")
    seen = course.at(grid)
    refused = _Refused(run, seen)
    pins = [pin for pin in pins_of(model, run.record.forces.places) if refused.let(pin, pin.name(model), "pin")]  # type: ignore[union-attr]
    links = [link for link in _links(model) if refused.let(link, link.owner, "section")]
    links = [replace(link, fibre=link.weakest(seen)) for link in links]
    watched = space_budget(course, seen)
    items: list[Item] = [*pins, *links, *watched.watched]
    columns = _table(items, seen)
    told = _extremes(course, items, columns)
    work = _worked(course, grid, pins, told)
    checks = [check for pin in pins for check in pin_checks(model, pin, work[pin.owner])]
    worst = {link.owner: _worst(course, link, told) for link in links}
    for link in links:
        fibre = told.get(f"{link.owner}.fibre")
        span = None if fibre is None else (fibre["min"][0], fibre["max"][0])
        checks += link_checks(model, link, _peaks(told, link.owner), worst[link.owner], span)
    budget = watched.judged(told)
    notes = [*refused.words, *_notes(course, seen, links, work)]
    met = list(budget.events)
    events = [*run.events, *met]
    summary = run.summary | {"events": [event.as_dict() for event in events]}
    run = replace(run, find_events=lambda: list(events), summary=summary)
    run.columns.extend((c, columns.raw(c.name)) for c in columns.schema[1:] if c.name not in run.columns)
    run.columns.extend(entry for pin in pins for entry in pin.shown(seen))
    return Strength(
        run,
        (*checks, *budget.checks),
        {pin.owner: (pin, work[pin.owner]) for pin in pins},
        {link.owner: link for link in links},
        worst,
        budget,
        tuple(notes),
        dict(refused.why),
    )


def _links(model: ModelDefinition) -> list[Link]:
    out = []
    for detail in model.sections.values():
        material = material_of(model, detail)
        assert material is not None  # the check of the model has seen to it
        out.append(Link(beam_of(model, detail), material))
    return out


def _table(items: Sequence[Item], seen: Seen) -> Columns:
    """The columns of all items at the times seen."""
    out = Columns(seen.solver.form.model.units, [(TIME, seen.t)])
    for item in items:
        out.extend(item.columns(seen))
    return out


class _Sought(Columns):
    """The columns of items at the times seen, each made when it is asked for."""

    def __init__(self, like: Columns, items: Mapping[str, Item], seen: Seen) -> None:
        super().__init__(like.units, [(TIME, seen.t)])
        self._like, self._items, self._seen = like, items, seen

    def raw(self, name: str) -> Array:
        if name not in self:
            self.extend(self._items[self._like.column(name).owner].columns(self._seen))
        return super().raw(name)


def _extremes(course: Course, items: Sequence[Item], columns: Columns) -> dict[str, Any]:
    """Least and greatest of every column, found between rows; those that the run has already are taken."""
    known = course.run.summary.get("extremes", {})
    sought = [column_quantity(columns, name) for name in list(columns)[1:] if name not in known]
    events = _with_bodies(course.model, course.run.events)
    owners = {item.owner: item for item in items}

    def solve(times: Array) -> Columns:
        return _Sought(columns, owners, course.at(times))

    found = ExtremeValues(course.model, columns, sought, solve, events, near=NEAR).summarize()
    return {**{name: known[name] for name in columns if name in known}, **found}


def _with_bodies(model: ModelDefinition, events: Sequence[Event]) -> list[Event]:
    """Events of joints, with the bodies that feel their forces."""
    out = []
    for event in events:
        ends = (end for name in event.joints if name in model.joints for end in model.joints[name].between)
        out.append(replace(event, joints=(*event.joints, *dict.fromkeys(end.partition(".")[0] for end in ends))))
    return out


def _peaks(told: dict[str, Any], owner: str) -> Peaks:
    """The largest values of an owner's columns with their times, by word."""
    head = f"{owner}."
    return {
        name.removeprefix(head): (entry["max"][0], entry["max"][1])
        for name, entry in told.items()
        if name.startswith(head) and "." not in name.removeprefix(head)
    }


def _worked(course: Course, grid: Array, pins: Sequence[Pin], told: dict[str, Any]) -> dict[str, Worked]:
    """The integrals of all pins over the run, and their peaks."""
    if not pins:
        return {}

    def quantities(times: Array) -> Array:
        seen = course.at(times)
        found = np.array([part for pin in pins for part in pin.integrands(seen)])
        if len(seen.t) == len(times):
            return found
        out = np.full((len(found), len(times)), np.nan)
        out[:, np.isin(times, seen.t)] = found
        return out

    sums = integrate_samples(grid, quantities)
    out, time = {}, float(grid[-1] - grid[0])
    for k, pin in enumerate(pins):
        mine = slice(3 * k, 3 * k + 3)
        turned, rubbed, weighted = map(float, sums.values[mine])
        loose = np.max(sums.errors[mine] / np.where(sums.values[mine] > 0, sums.values[mine], 1.0))
        out[pin.owner] = Worked(turned, rubbed, weighted, time, _peaks(told, pin.owner), float(loose))
    return out


def _worst(course: Course, link: Link, told: dict[str, Any]) -> Worst | None:
    """The beam when its stress is largest; None where that is beyond all bounds."""
    value, t = told[f"{link.owner}.stress"]["max"]
    seen = course.at(np.array([t])) if np.isfinite(value) else None
    return worst_of(link, seen) if seen is not None and len(seen.t) else None


def _notes(course: Course, seen: Seen, links: Sequence[Link], work: dict[str, Worked]) -> list[str]:
    out = [note for link in links if (note := closing_note(course.model, link, seen))]
    for owner, did in work.items():
        if did.loose > LOOSE:
            out.append(
                f"{owner}: its mean load is known to {did.loose:.1e} only: the force jumps or is very large there"
            )
    return out


@dataclass
class _Refused:
    """Pins and links that cannot be assessed, and why."""

    run: Run
    seen: Seen

    def __post_init__(self) -> None:
        self.why: dict[str, str] = {}

    def let(self, item: Pin | Link, name: str, table: str) -> bool:
        """Whether it can be assessed; else the reason is noted."""
        if not item.unique(self.seen):
            self.why[f"{table} {name}"] = (
                "equilibrium does not determine its load: joints share it. Give them a stiffness, or free one of them"
            )
        return f"{table} {name}" not in self.why

    @property
    def words(self) -> list[str]:
        return [f"{name}: not told: {why}" for name, why in self.why.items()]


def answer_strength(definition: ModelDefinition, asked: WithForces) -> Strength:
    """Answers the study `strength`; its run knows what was found, so that it can draw it."""
    found = strength(definition, *asked.times, settings_of(asked), asked.scale)
    record = replace(found.run.record, study="strength", strength=found)
    return replace(found, run=replace(found.run, record=record))
