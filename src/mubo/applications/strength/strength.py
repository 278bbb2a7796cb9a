"""Strength of pins and links along a prescribed motion, and the clearances of its bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.analyses.inverse import solve_with_forces
from mubo.applications.clearance.clearance import watch_clearances
from mubo.applications.strength.beams import beam_of
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.deflection import Deflection, deflection_checks, deflections_of
from mubo.applications.strength.fatigue_life import fatigue_life, life_checks
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.applications.strength.judged_items import (
    JudgedItem,
    Refusals,
    add_item_columns,
    between_with_items,
    item_extremes,
    item_table,
    peaks_of,
)
from mubo.applications.strength.links import Link, WorstInstant, closing_note, link_checks, worst_instant
from mubo.applications.strength.pins import Pin, PinDuty, pin_checks, pins_of, ring_checks
from mubo.applications.strength.report import Strength
from mubo.applications.strength.space_strength import strength_in_space
from mubo.applications.strength.struts import Ram, ram_checks, rams_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.details import material_of
from mubo.numerics.quadrature import integrate_samples
from mubo.quantities.output_times import OutputTimes
from mubo.solvers.continuation.steppers import Settings

LOOSE = 1e-4  # of an integral: what it may be wrong by without a note


def strength(
    model: ModelDefinition,
    times: OutputTimes,
    settings: Settings | None = None,
    length_scale: float | None = None,
    deflected: Sequence[str] = (),
) -> Strength:
    """Inverse dynamics along the motion, and the checks of pins, links, rams and clearances; and of the deflection of
    points."""
    require_details(model)
    return strength_of_run(ForceHistory(*solve_with_forces(model, times, settings, length_scale)), deflected)


def require_details(model: ModelDefinition) -> None:
    """Refuses models with problems, and in space what is judged in the plane only."""
    flat = [*model.struts, *model.outlines, *model.keepouts] if model.dimension == 3 else []
    if flat:
        raise ModelError(f"{flat[0]}: struts, outlines and keep-outs are judged in the plane only", names=flat)
    for problem in model.problems:
        raise ModelError(f"{model.where}{problem}")


def strength_of_run(history: ForceHistory, deflected: Sequence[str] = ()) -> Strength:
    """The strength report of a run that was solved with forces."""
    model, run = history.model, history.run
    if model.dimension == 3:
        return strength_in_space(history, deflected)
    grid = run.columns.raw("t")
    sample = history.at(grid)
    refused = Refusals(sample)
    pins = [pin for pin in pins_of(model, run.record.forces.places) if refused.admit(pin, pin.name(model), "pin")]  # type: ignore[union-attr]
    links = [link for link in _links(model) if refused.admit(link, link.owner, "section")]
    links = [replace(link, fibre=link.critical_fibre(sample)) for link in links]
    rams = [ram for ram in rams_of(model) if refused.admit(ram, ram.owner, "strut")]
    soft = deflections_of(history, deflected, links)
    watched = watch_clearances(history, sample)
    items: list[JudgedItem] = [*pins, *links, *rams, *soft, *watched.watched]
    columns = item_table(items, sample)
    extremes = item_extremes(history, items, columns)
    work = _pin_duties(history, grid, pins, extremes)
    checks = [
        check for pin in pins for check in (*pin_checks(model, pin, work[pin.owner]), *ring_checks(model, pin, sample))
    ]
    worst = {link.owner: _worst(history, link, extremes) for link in links}
    checks += _link_checks(history, links, sample, extremes, worst)
    checks += _other_checks(history, rams, soft, extremes)
    clearance = watched.evaluate(extremes)
    notes = [*refused.notes, *_notes(history, sample, links, work)]
    met = list(clearance.events)
    events = [*run.events, *met]
    summary = run.summary | {"events": [event.as_dict() for event in events]}
    record = replace(run.record, between=between_with_items(history, items))
    run = replace(run, find_events=lambda: list(events), summary=summary, record=record)
    add_item_columns(run.columns, items, sample)
    return Strength(
        run,
        (*checks, *clearance.checks),
        {pin.owner: (pin, work[pin.owner]) for pin in pins},
        {link.owner: link for link in links},
        worst,
        clearance,
        tuple(notes),
        dict(refused.why),
    )


def _links(model: ModelDefinition) -> list[Link]:
    out = []
    for detail in model.sections.values():
        material = material_of(model, detail)
        assert material is not None  # the check of the model has made sure of it
        out.append(Link(beam_of(model, detail), material))
    return out


def _pin_duties(
    history: ForceHistory, grid: Array, pins: Sequence[Pin], extremes: dict[str, Any]
) -> dict[str, PinDuty]:
    """The integrals of all pins over the run, and their peaks."""
    if not pins:
        return {}

    def quantities(times: Array) -> Array:
        sample = history.at(times)
        found = np.array([part for pin in pins for part in pin.integrands(sample)])
        if len(sample.t) == len(times):
            return found
        out = np.full((len(found), len(times)), np.nan)
        out[:, np.isin(times, sample.t)] = found
        return out

    sums = integrate_samples(grid, quantities)
    out, time = {}, float(grid[-1] - grid[0])
    for k, pin in enumerate(pins):
        mine = slice(3 * k, 3 * k + 3)
        turned, friction_work, weighted = map(float, sums.values[mine])
        loose = np.max(sums.errors[mine] / np.where(sums.values[mine] > 0, sums.values[mine], 1.0))
        out[pin.owner] = PinDuty(turned, friction_work, weighted, time, peaks_of(extremes, pin.owner), float(loose))
    return out


def _worst(history: ForceHistory, link: Link, extremes: dict[str, Any]) -> WorstInstant | None:
    """The beam when its stress is largest; None where that is beyond all bounds."""
    value, t = extremes[f"{link.owner}.stress"]["max"]
    sample = history.at(np.array([t])) if np.isfinite(value) else None
    return worst_instant(link, sample) if sample is not None and len(sample.t) else None


def _link_checks(
    history: ForceHistory,
    links: Sequence[Link],
    sample: ForceSample,
    extremes: dict[str, Any],
    worst: Mapping[str, WorstInstant | None],
) -> Iterator[StrengthCheck]:
    """The lines of all links."""
    model = history.model
    for link in links:
        fibre = extremes.get(f"{link.owner}.fibre")
        span = None if fibre is None else (fibre["min"][0], fibre["max"][0])
        yield from link_checks(model, link, peaks_of(extremes, link.owner), worst[link.owner], span)
        life = fatigue_life(history, link, sample)
        if life is not None and link.endurance is not None:
            yield from life_checks(life, model.units, link.endurance)


def _other_checks(
    history: ForceHistory, rams: Sequence[Ram], soft: Sequence[Deflection], extremes: dict[str, Any]
) -> Iterator[StrengthCheck]:
    """The lines of rams, and those of points that links deflect."""
    for ram in rams:
        yield from ram_checks(ram, peaks_of(extremes, ram.owner), _length_at_worst(history, ram, extremes))
    for point in soft:
        value, t = extremes[f"{point.owner}.deflection"]["max"]
        yield from deflection_checks(point, (value, t))


def _length_at_worst(history: ForceHistory, ram: Ram, extremes: dict[str, Any]) -> float | None:
    """The length of a ram when it is nearest to buckling."""
    share, t = extremes[f"{ram.owner}.buckling"]["max"]
    sample = history.at(np.array([t])) if share > 0 else None
    return float(ram.compression(sample)[1][0]) if sample is not None and len(sample.t) else None


def _notes(history: ForceHistory, sample: ForceSample, links: Sequence[Link], work: dict[str, PinDuty]) -> list[str]:
    out = [note for link in links if (note := closing_note(history.model, link, sample))]
    for owner, duty in work.items():
        if duty.loose > LOOSE:
            out.append(
                f"{owner}: its mean load is known to {duty.loose:.1e} only: the force jumps or is very large there"
            )
    return out
