"""Impacts and changes of contacts as events of a run, and as entries of its summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mubo.mechanism.formulations.contact_arrays import ContactOwner
from mubo.mechanism.formulations.contact_units import bodies_of
from mubo.mechanism.formulations.tree import Tree
from mubo.note import Note
from mubo.results import Event
from mubo.solvers.dynamics.contact import IMPACT, TOUCH, Switch
from mubo.solvers.dynamics.reactions import Reactions
from mubo.solvers.dynamics.solution import DynamicSolution

WORDS = ("impact", "touch", "rest", "part", "stick", "slip")


def contact_events(tree: Tree, solved: DynamicSolution) -> Iterator[Event]:
    """Events of contacts and exact friction, in the order of time."""
    for one in solved.switches:
        owner = solved.units.owners[one.owner]
        yield Event(WORDS[one.kind], one.t, {}, bodies_of(owner), _fact(tree, owner, one), went_on=True)


def with_contact_events(tree: Tree, solved: DynamicSolution, events: list[Event]) -> list[Event]:
    """Events of a run with those of its contacts, in the order of time; a failure stays last."""
    return sorted([*contact_events(tree, solved), *events], key=lambda event: event.t) if solved.switches else events


def _fact(tree: Tree, owner: ContactOwner, one: Switch) -> Note:
    """A change of a contact, of an impact with its speeds and impulse."""
    name, units = f"{owner.kind} {owner.name}", tree.model.units
    if one.kind != IMPACT:
        return Note("events.contact_changes", kind=WORDS[one.kind], contact=name, t=one.t, units=units)
    turns = owner.holds == "torque"
    sizes = {"before": abs(one.before), "after": abs(one.after), "impulse": one.normal}
    return Note("events.impact", contact=name, t=one.t, **sizes, turns=turns, units=units)


def clearance_summary(tree: Tree, solved: DynamicSolution) -> dict[str, dict[str, Any]]:
    """Touches of every journal with clearance: how many, the fastest and its time, and the largest force at the rows;
    where clearances alone can dissipate, the energy that was lost in them."""
    model, columns, units = tree.model, solved.columns, tree.model.units
    names = [name for name in model.contacts if f"{name}_bearing" in model.surfaces]
    out: dict[str, dict[str, Any]] = {}
    for name in names:
        met = [
            one
            for one in solved.switches
            if one.kind in (IMPACT, TOUCH) and solved.units.owners[one.owner].name == name
        ]
        force = columns.raw(f"{name}.normal")
        row = int(force.argmax())
        entry: dict[str, Any] = {"touches": len(met)}
        if met:
            fastest = max(met, key=lambda one: abs(one.before))
            entry |= {"fastest": abs(fastest.before) / units.unit("length", 1)[0], "fastest_at": fastest.t}
        entry |= {"largest_force": float(force[row]) / units.factor("force"), "largest_at": float(columns["t"][row])}
        entry["units"] = {
            "speed": units.unit("length", 1)[1],
            "force": units.unit_of("force"),
            "energy": units.unit_of("energy"),
        }
        out[name] = entry
    if names and set(names) == set(model.contacts) and not model.forces and "energy.dissipated" in columns:
        lost = float(columns.raw("energy.dissipated")[-1]) / units.factor("energy")
        for name in names if len(names) == 1 else ():
            out[name]["energy_lost"] = lost
    return out


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
