"""Contacts of a prescribed motion: those that touch are kept closed where drivers alone do not determine the motion.

A prescribed motion knows no switches, so that each contact has one state throughout: it slides where the normal
constraints of all contacts determine the motion, else those with friction stick. Forces state whether it can stay so: a
contact that would have to pull parts, one that needs more than its static friction slips.
"""

from __future__ import annotations

from dataclasses import replace

from mubo.mechanism import mechanism_of
from mubo.mechanism.kept_contacts import closed_contacts, is_compliant, with_kept_contacts
from mubo.model import ModelDefinition
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error

NEAR = 0.1  # of the size: contacts that are drawn farther apart are not named beside a motion that is not driven


def with_contacts_kept(model: ModelDefinition, time: float) -> ModelDefinition:
    """The model with joints in place of the contacts that a prescribed motion needs; the model itself where drivers
    determine the motion, or where contacts do not help."""
    if not model.contacts or model.problems:
        return model
    analysis = analyse_start(model, time)
    if not analysis.closed or _undriven(analysis) <= 0:
        return model
    closed = closed_contacts(mechanism_of(model))
    for sticking in (False, True):
        kept = [replace(one, sticks=sticking and one.static > 0) for one in closed]
        if not kept or (sticking and not any(one.sticks for one in kept)):
            break
        changed = with_kept_contacts(model, kept)
        found = analyse_start(changed, time)
        if found.closed and _undriven(found) == 0:
            return changed
    if model.drivers and (cure := _suggestion(model, bool(closed))):
        error = start_error(analysis)
        assert error is not None
        raise type(error)(str(error).partition("\n")[0], names=error.names, numbers=error.numbers, suggestion=cure)
    return model


def _suggestion(model: ModelDefinition, closed: bool) -> str:
    """The change at the contact that is nearest to being kept; empty where none is near."""
    soft = [c.name for c in model.contacts.values() if is_compliant(model, c)]
    if soft:
        return (
            f"Make contact {soft[0]} rigid (without stiffness and Young's modulus), so that it can be kept closed, or "
            "use simulate, which follows its penetration."
        )
    if closed:
        return "Add a driver for what contacts leave free, or friction where a contact shall stick; or use simulate."
    near = min(closed_contacts(mechanism_of(model), NEAR), key=lambda one: abs(one.gap), default=None)
    if near is None:
        return ""
    length, unit, _ = model.units.unit("length")
    how = "open" if near.gap > 0 else "with a penetration"
    return (
        f"Draw {near.body} and {near.on} touching at contact {near.contact}, which is drawn {how} by "
        f"{abs(near.gap) / length:.4g} {unit}".rstrip()
        + ": a contact that touches is kept closed; or use simulate."
    )


def _undriven(analysis: StartAnalysis) -> int:
    """Velocities that neither drivers nor equations determine."""
    return (analysis.velocities or analysis.diagnosis).undriven_dofs
