"""Joint forces that depend on contact forces which equilibrium leaves open.

With the constraint Jacobian J and the wrenches W of all contact forces that constraints of contact exert, forces in
balance of themselves fulfil Jᵀλ + Wᵀδ = 0. Where some have δ ≠ 0, equilibrium does not share the load among contacts;
the joints in which λ ≠ 0 then are as undetermined as these.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.note import Note
from mubo.results import Columns
from mubo.solvers.dynamics.contact_forces import ContactForces
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.multipliers import working_equations

RANK = 1e-9  # of the largest singular value
PART = 1e-7  # of the largest effect of forces in balance: what rounding leaves of none


def with_open_contacts(
    solver: ForceSolver, found: ForceSolution, contacts: ContactForces, columns: Columns
) -> ForceSolution:
    """The solution with the labels of what depends on contact forces that are not determined."""
    rows = np.flatnonzero(contacts.shared)
    if not len(rows):
        return found
    form, active = solver.form, working_equations(solver.form)
    states, motion = (np.ascontiguousarray(values[rows]) for values in (found.states, found.motion))
    turns = np.tile(form.mechanism.ambient.is_rotation, len(form.free))
    scale = np.where(turns, 1 / form.mechanism.size, 1.0)
    lines = np.concatenate(
        [form.system.twist_jacobians(states, motion)[:, active], _contact_lines(form, contacts, columns)[rows]], axis=1
    )
    lines = lines * scale
    size = np.linalg.norm(lines, axis=2)
    lines = lines / np.where(size > 0, size, 1.0)[:, :, None]
    _, strength, directions = np.linalg.svd(lines.transpose(0, 2, 1))
    rank = np.sum(strength > RANK * strength[:, :1], axis=1)
    unique, known = np.array(found.unique), np.array(found.unique_lam)
    for k in range(int(rank.min()), directions.shape[1]):
        lam = np.zeros((len(rows), len(form.equations)))
        own = directions[:, k, : len(active)] / np.where(size > 0, size, 1.0)[:, : len(active)]
        lam[:, active] = np.where((k >= rank)[:, None], own, 0.0)
        wrenches = np.abs(solver.reaction_map.wrenches(states, motion, lam))
        known[rows] &= np.abs(lam) <= PART
        unique[rows] &= wrenches <= PART * np.where(form.mechanism.ambient.is_rotation, form.mechanism.size, 1.0)
    return replace(found, unique=unique, unique_lam=known)


def open_contact_notes(solver: ForceSolver, found: ForceSolution) -> list[Note]:
    """Note on joints whose reactions contacts alone leave open."""
    if found.shared is not None:  # then those that joints share have their own notes
        return []
    places = solver.reaction_map.places[: solver.reaction_map.shown]
    names = dict.fromkeys(place.joint for k, place in enumerate(places) if not found.unique[:, k].all())
    return [Note("forces.open_contacts", names=tuple(names))] if names else []


def _contact_lines(form: Absolute, contacts: ContactForces, columns: Columns) -> Array:
    """Wrenches on the free bodies of unit forces along every direction that a contact holds: instants × directions ×
    components of all bodies; zero where it does not hold it."""
    out = []
    for k, owner in enumerate(contacts.owners):
        for constrained in contacts.constrained[:, k].transpose(1, 0, 2):
            if constrained.any():
                turns, at = contacts.turns[k], contacts.at[:, k : k + 1]
                force, torque = (np.where(turns is kind, constrained, 0.0)[:, None] for kind in (False, True))
                one = ContactForces([owner], at, force, torque, np.zeros((len(constrained), 1)))
                out.append(one.wrenches(form, columns)[:, : len(form.free)].reshape(len(constrained), -1))
    return np.stack(out, axis=1)
