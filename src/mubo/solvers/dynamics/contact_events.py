"""Impacts and changes of contacts as events of a run, and as entries of its summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mubo.mechanism.formulations.contact_arrays import ContactOwner
from mubo.mechanism.formulations.contact_units import bodies_of
from mubo.mechanism.formulations.tree import Tree
from mubo.results import Event
from mubo.solvers.dynamics.contact import IMPACT, Switch
from mubo.solvers.dynamics.reactions import Reactions
from mubo.solvers.dynamics.solution import DynamicSolution

WORDS = ("impact", "touch", "rest", "part", "stick", "slip")
SENTENCES = ("{} hits", "{} touches", "{} comes to rest", "{} parts", "{} sticks", "{} slips")


def contact_events(tree: Tree, solved: DynamicSolution) -> Iterator[Event]:
    """Events of contacts and exact friction, in the order of time."""
    for one in solved.switches:
        owner = solved.units.owners[one.owner]
        when = tree.model.units.time_text(one.t)
        what = SENTENCES[one.kind].format(f"{owner.kind} {owner.name}")
        yield Event(
            WORDS[one.kind],
            one.t,
            {},
            bodies_of(owner),
            f"{what} at t = {when}{_sizes(tree, owner, one)}",
            went_on=True,
        )


def with_contact_events(tree: Tree, solved: DynamicSolution, events: list[Event]) -> list[Event]:
    """Events of a run with those of its contacts, in the order of time; a failure stays last."""
    return sorted([*contact_events(tree, solved), *events], key=lambda event: event.t) if solved.switches else events


def _sizes(tree: Tree, owner: ContactOwner, one: Switch) -> str:
    """Speeds and impulse of an impact as text."""
    if one.kind != IMPACT:
        return ""
    units = tree.model.units
    turns = owner.holds == "torque"
    speed, speed_unit, _ = units.unit("angle" if turns else "length", 1)
    impulse, impulse_unit, _ = units.unit(f"{'torque' if turns else 'force'}*time")
    before, after = (f"{abs(v) / speed:.4g}" for v in (one.before, one.after))
    speeds = f"with {before} {speed_unit}, leaves with {after} {speed_unit}"
    return f" {speeds}; impulse {one.normal / impulse:.4g} {impulse_unit}".rstrip()


def contact_summary(tree: Tree, solved: DynamicSolution, forces: Reactions | None) -> list[dict[str, Any]]:
    """One entry per event, in the model's units; of impacts with impulses of joints where reactions were asked for."""
    impulses = dict(forces.impulses) if forces is not None else {}
    units = tree.model.units
    out = []
    for number, one in enumerate(solved.switches):
        owner = solved.units.owners[one.owner]
        turns = owner.holds == "torque"
        speed, impulse = units.unit("angle" if turns else "length", 1)[0], units.unit(f"{owner.holds}*time")[0]
        entry: dict[str, Any] = {"t": one.t, owner.kind: owner.name, "event": WORDS[one.kind]}
        if one.kind == IMPACT:
            entry |= {
                "speed_before": one.before / speed,
                "speed_after": one.after / speed,
                "impulse": one.normal / impulse,
                "friction_impulse": one.tangential / impulse,
                "slip_before": one.slip_before / speed,
                "slip_after": one.slip_after / speed,
                "energy_lost": one.lost / units.factor("energy"),
            }
            if number in impulses:
                entry["reactions"] = impulses[number]
        elif one.kind in (1, 3):
            entry["speed"] = one.before / speed
        out.append(entry)
    return out
