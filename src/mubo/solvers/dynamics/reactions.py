"""Reactions, loads and efforts along a simulated motion, by the equations of inverse dynamics.

The motion is known at every row, accelerations included, so that the forces of joints and drivers follow by inverse
dynamics in absolute coordinates, with the columns and labels of a prescribed motion. Undriven degrees of freedom need
no force: the equations, one fewer for each of them, still determine the forces.

Close to a change point forces are rounding errors divided by the distance from it, and have no limit there: rows within
WEAK of it have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute, Mechanism
from mubo.mechanism.formulations.absolute import absolute
from mubo.mechanism.formulations.contact_units import refuse_switching
from mubo.mechanism.loads import NamedLoad
from mubo.note import Note
from mubo.results import Column, Columns
from mubo.results.record import ForceRecord
from mubo.solvers.columns.measures import quaternion_motion
from mubo.solvers.dynamics.contact_forces import ContactForces, ImpactMotion
from mubo.solvers.dynamics.open_contacts import open_contact_notes, with_open_contacts
from mubo.solvers.forces.contact_limits import contact_limit_notes
from mubo.solvers.forces.energy import body_motion, motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns, force_record, uniqueness_labels, uniqueness_notes
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.meshes import mesh_notes
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.forces.reaction_friction import Sizes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units

WEAK = 3e-4  # root of the smallest relative pivot of the loops
KNOWN = ("energy",)  # columns of a simulation already


@dataclass(frozen=True)
class Reactions:
    """Additional results of a simulation where reactions are asked for."""

    columns: tuple[tuple[Column, Array], ...]
    summary: dict[str, Any]
    notes: tuple[Note, ...]
    record: ForceRecord
    impulses: tuple[tuple[int, dict[str, dict[str, float]]], ...] = ()  # by number of the impact's event


class ReactionSolver:
    """Solver for the forces of a mechanism at the rows of a known motion."""

    def __init__(
        self, mechanism: Mechanism, dofs: int, length_scale: float | None, contacts: ContactForces | None = None
    ) -> None:
        if contacts is None:
            refuse_switching(mechanism, "the computation of reactions")  # whose forces are no loads and no joints
        self.contacts = contacts
        self.form = absolute(mechanism, prescribed=False)
        self.solver = ForceSolver(self.form, length_scale_in_units(mechanism.model, length_scale), dofs)

    def solve(self, columns: Columns, friction: Sizes) -> ForceSolution:
        """Solve for the forces at the rows of the columns of bodies, points, joints and drivers.

        `friction` are the sizes of reaction friction along the motion; that of an indeterminate reaction is refused.
        """
        motion, contacts = self.form.motion(columns.raw("t")), None
        if self.contacts is not None:
            contacts = self.contacts.wrenches(self.form, columns), self.contacts.power.sum(axis=1)
            friction = friction | {load.name: np.zeros(len(motion)) for load in self._exact_friction}
        found = self.solver.solve(states_from_columns(self.form, columns), motion, columns, friction, contacts)
        if self.contacts is not None:
            return with_open_contacts(self.solver, found, self.contacts, columns)
        self.solver.friction_sizes(found)
        return found

    @property
    def _exact_friction(self) -> list[NamedLoad]:
        """Friction that sticks: the contacts contain its Coulomb part."""
        return [load for load in self.form.mechanism.loads if load.sticks]

    def impulses(self, found: ImpactMotion) -> list[dict[str, dict[str, float]]]:
        """Impulses of every impact on the bodies of joints, by place and component, in the model's units."""
        form, units = self.form, self.form.model.units
        states = states_from_twists(form, found.poses, np.zeros_like(found.jumps), found.jumps)
        motion = form.motion(found.columns.raw("t"))
        on = found.forces.wrenches(form, found.columns)
        wrenches = self.solver.solve_impulses(states, motion, found.columns, np.ascontiguousarray(on)).wrenches
        factors = [units.unit(f"{holds}*time")[0] for holds in ("force", "torque")]
        out = []
        for values in wrenches:
            places = zip(self.solver.reaction_map.places[: self.solver.reaction_map.shown], values, strict=False)
            out.append(
                {
                    place.owner: {
                        word: float(x / factors[k >= form.mechanism.dimension])
                        for k, (word, x) in enumerate(zip(form.mechanism.ambient.wrench, wrench, strict=True))
                    }
                    for place, wrench in places
                }
            )
        return out

    def entries(self, found: ForceSolution) -> Iterator[tuple[Column, Array]]:
        """Columns of forces that the motion itself does not have."""
        for column, values in force_columns(self.solver, found, motion_energy(self.solver, found)):
            if column.kind not in KNOWN and column.name not in found.columns:
                yield column, values

    def report(
        self, columns: Columns, friction: Sizes, weak: Booleans, impacts: ImpactMotion | None = None
    ) -> Reactions:
        """Columns, checks, labels and notes of the forces of a run; rows that are `weak` have no reactions."""
        found = self.solve(columns, friction)
        entries = tuple(_without_weak_rows(self.entries(found), weak))
        residuals = force_residuals(self.solver, found, motion_energy(self.solver, found))
        summary = {**residuals, "reactions": uniqueness_labels(self.solver, found)}
        notes = [*mass_notes(self.form), *mesh_notes(self.form), *uniqueness_notes(self.solver, found)]
        notes += open_contact_notes(self.solver, found)
        if np.any(weak):
            times = columns.raw("t")[weak]
            notes.append(Note("dynamics.reactions_undefined", t=float(times[0]), rows=len(times), units=columns.units))
        notes += contact_limit_notes(self.solver, found)
        impulses = tuple(zip(impacts.numbers, self.impulses(impacts), strict=True)) if impacts is not None else ()
        return Reactions(entries, summary, tuple(notes), force_record(self.solver, found), impulses)


def states_from_columns(form: Absolute, columns: Columns) -> Array:
    """Absolute coordinates of the moving bodies with their derivatives, from their columns: times × 3 × unknowns."""
    motions = [body_motion(columns, name) for name in form.free]
    if form.mechanism.dimension == 2:
        out = [motion.reshape(-1, 3, 3) for motion in motions]
    else:
        places = [np.stack([m[:, :3], m[:, 7:10], m[:, 13:16]], axis=1) for m in motions]
        turns = [quaternion_motion(motion) for motion in motions]
        out = [np.concatenate(pair, axis=2) for pair in zip(places, turns, strict=True)]
    return np.ascontiguousarray(np.concatenate(out, axis=2))


def _without_weak_rows(entries: Iterator[tuple[Column, Array]], weak: Booleans) -> Iterator[tuple[Column, Array]]:
    for column, values in entries:
        passive = column.kind in ("reaction", "contact")
        yield column, np.where(weak, np.nan, values) if passive else values
