"""Checks of contacts in a simulation: complementarity, friction within its bound, impulses and energy of impacts.

A contact is open and without force, or closed and pressed. Of an impact the kinetic energy lost is half the impulse
times the sum of the velocities before and after along it (Kelvin and Tait): momentum, impulse and energy agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array
from mubo.model import GROUND

CLOSED = 1e-7  # of the size, and of the largest normal force
FRICTION = 1e-7  # of the largest normal force
IMPULSE = 1e-8  # of the largest energy lost at an impact, or kinetic energy
RESTITUTION = 1e-8  # of the fastest impact
SLOW = 1e-5  # of the fastest impact: slower rebounds may be taken as rest


def _names(subject: Subject) -> list[str]:
    return [name for name in subject.run.model.contacts if f"{name}.gap" in subject.run.columns]


def complementarity(subject: Subject) -> Iterator[Check]:
    """Gap and normal force of every contact at the rows, and friction within its bound."""
    columns, worst, slid = subject.run.columns, (0.0, ""), (0.0, "")
    for name in _names(subject):
        contact = subject.run.model.contacts[name]
        gap, normal = columns.raw(f"{name}.gap"), columns.raw(f"{name}.normal")
        scale = subject.form.mechanism.size if contact["of"] is None else 1.0
        largest = float(np.max(np.abs(normal), initial=0.0)) or 1.0
        apart = np.maximum(np.minimum(gap / scale, normal / largest), -normal / largest)
        if _is_rigid(subject, name):
            apart = np.maximum(apart, -gap / scale)
        worst = max(worst, (float(np.max(apart, initial=0.0)), name))
        if contact["friction"] and f"{name}.friction" in columns:
            bound = float(contact["static_friction"] or contact["friction"]) * normal
            over = np.abs(columns.raw(f"{name}.friction")) - bound
            slid = max(slid, (float(np.max(over, initial=0.0)) / largest, name))
    if worst[1] or _names(subject):
        what = "gap and normal force: open without force, or closed and pressed"
        yield Check("complementarity", what, worst[0], CLOSED, worst[1] and f"largest of contact {worst[1]}")
    if any(subject.run.model.contacts[name]["friction"] for name in _names(subject)):
        yield Check("friction", "friction of contacts with its largest", slid[0], FRICTION)


def _is_rigid(subject: Subject, name: str) -> bool:
    contact, surfaces = subject.run.model.contacts[name], subject.run.model.surfaces
    of = contact["between"] or contact["among"] or ()
    return contact["stiffness"] is None and all(surfaces[one]["young"] is None for one in of)


def impacts(subject: Subject) -> Iterator[Check]:
    """Impulse balance, restitution and energy of every impact."""
    entries = [one for one in subject.run.summary.get("contacts", ()) if one["event"] == "impact"]
    if not entries:
        return
    lost = np.array([one["energy_lost"] for one in entries])
    kinetic = float(np.max(subject.run.columns["energy.kinetic"], initial=0.0))
    scale = max(kinetic, float(np.max(np.abs(lost)))) or 1.0
    note = f"{len(entries)} impacts"
    at = np.unique([one["t"] for one in entries], return_inverse=True)[1]
    least = float(np.min(np.bincount(at, weights=lost)))
    yield Check(
        "energy of impacts", "energy gained by the impacts of an instant", max(0.0, -least) / scale, IMPULSE, note
    )
    what = "rebound with restitution times the speed before"
    yield Check("restitution", what, _rebound(subject, entries), RESTITUTION, note)
    what = "energy lost with impulse times mean velocity along it"
    if subject.run.model.drivers:
        yield Check("impulse balance", what, note="drivers that move do work at impacts")
        return
    work = np.array([_work_unit(subject, one) * _work(one) for one in entries])
    off = float(np.max(np.abs(lost - work))) / scale
    yield Check("impulse balance", what, off, IMPULSE, note)


def _work_unit(subject: Subject, one: dict[str, Any]) -> float:
    """The unit of an impulse times a velocity, in that of energy: of stops of a turn a torque and an angle."""
    units, turns = subject.run.units, subject.run.columns.column(f"{one['contact']}.normal").holds == "torque"
    impulse = units.unit("torque*time" if turns else "force*time")[0]
    return float(impulse * units.unit("angle" if turns else "length", 1)[0] / units.factor("energy"))


def _work(one: dict[str, Any]) -> float:
    """Energy that the impulse of an impact takes: half of it times the velocities before and after."""
    normal = one["impulse"] * (one["speed_before"] + one["speed_after"])
    return -0.5 * float(normal + one["friction_impulse"] * (one["slip_before"] + one["slip_after"]))


def _rebound(subject: Subject, entries: list[dict[str, Any]]) -> float:
    """How far the speed after an impact is from its restitution times the one before, of the fastest impact.

    Slower than that are only rebounds too slow to be followed, and those that would have gained energy, which a note of
    the run states. Poisson's law is one of impulses and states no speed.
    """
    fastest = max(abs(one["speed_before"]) for one in entries) or 1.0
    law = {
        name: float(contact["restitution"] or 0.0)
        for name, contact in subject.run.model.contacts.items()
        if contact["impact"] != "poisson"
    }
    notes = subject.run.summary["warnings"]
    reduced = any("restitution of an impact" in note or "end together" in note for note in notes)
    worst = 0.0
    for one in entries:
        if one.get("contact", "") not in law:
            continue
        wanted = law[one["contact"]] * max(0.0, -one["speed_before"])
        over = one["speed_after"] - wanted
        if over > 0 or (wanted > SLOW * fastest and not reduced):
            worst = max(worst, abs(over))
    return worst / fastest


def contacts_without_wrench(subject: Subject) -> list[str]:
    """Contacts whose force on a body the table does not state by place and components of the plane."""
    planar = subject.run.model.dimension == 2
    return [name for name in _names(subject) if not planar or not subject.run.model.contacts[name]["between"]]


def contact_wrenches(subject: Subject) -> Array:
    """Forces and moments of contacts on the moving bodies about their origins, rows × displacements."""
    free = list(subject.form.free)
    columns, model = subject.run.columns, subject.run.model
    out = np.zeros((len(subject.t), 3 * len(free))) if model.dimension == 2 else np.zeros((len(subject.t), 1))
    for name in _names(subject):
        force, place = (
            np.stack([columns.raw(f"{name}.{word}") for word in words], 1) for words in (("fx", "fy"), ("x", "y"))
        )
        for surface, sense in zip(model.contacts[name]["between"], (1.0, -1.0), strict=True):
            body = model.surfaces[surface]["body"]
            if body == GROUND or body not in free:
                continue
            k = 3 * free.index(body)
            arm = place - np.stack([columns.raw(f"{body}.x"), columns.raw(f"{body}.y")], 1)
            out[:, k : k + 2] += sense * force
            out[:, k + 2] += sense * (arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])
    return out
