"""Reactions, loads and efforts along a simulated motion, by the equations of inverse dynamics.

The motion is known at every row, accelerations included; what it needs of joints and drivers is then the same question
as along a prescribed motion, asked of the absolute form: same columns, labels and words. Degrees of freedom that nobody
drives need nothing, so that the equations, one fewer for each of them, still determine the forces.

Close to a change point forces are rounding over the distance from it, and have no limit there: rows within WEAK of it
have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.mechanism import Absolute, Mechanism
from mubo.mechanism.formulations.absolute import absolute
from mubo.model.column_names import BODY
from mubo.results import Column, Columns
from mubo.results.forces import ForceRecord
from mubo.solvers.columns.measures import quaternion_motion
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.meshes import missing_bearing_notes
from mubo.solvers.forces.reaction_friction import Sizes, friction_sizes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units
from mubo.solvers.forces.uniqueness import force_record, uniqueness_labels, uniqueness_notes

WEAK = 3e-4  # s, the root of the weakest pivot of the loops over its size
KNOWN = ("energy",)  # columns of a simulation already


@dataclass(frozen=True)
class Reactions:
    """The additional results of a simulation where reactions are asked for."""

    columns: tuple[tuple[Column, Array], ...]
    summary: dict[str, Any]
    notes: tuple[str, ...]
    record: ForceRecord


class ReactionSolver:
    """The forces of a mechanism at rows of a motion that is known."""

    def __init__(self, mechanism: Mechanism, dofs: int, length_scale: float | None) -> None:
        self.form = absolute(mechanism, prescribed=False)
        self.solver = ForceSolver(self.form, length_scale_in_units(mechanism.model, length_scale), dofs)

    def solve(self, columns: Columns, friction: Sizes) -> ForceSolution:
        """Forces at the rows of the columns of bodies, points, joints and drivers; `friction` are sizes of friction by
        reactions, as the motion was found with. Those of a reaction that is indeterminate are refused."""
        motion = self.form.motion(columns.raw("t"))
        found = self.solver.solve(states_of(self.form, columns), motion, columns, friction)
        friction_sizes(self.form, self.solver.exerted, found.wrenches, found.unique)
        return found

    def entries(self, found: ForceSolution) -> Iterator[tuple[Column, Array]]:
        """Columns of forces that the motion itself does not have."""
        for column, values in force_columns(self.solver, found, motion_energy(self.solver, found)):
            if column.kind not in KNOWN:
                yield column, values

    def told(self, columns: Columns, friction: Sizes, weak: Booleans) -> Reactions:
        """Everything about the forces of a run; rows that are `weak` have no reactions."""
        found = self.solve(columns, friction)
        entries = tuple(_without(self.entries(found), weak))
        proof = force_residuals(self.solver, found, motion_energy(self.solver, found))
        summary = {**proof, "reactions": uniqueness_labels(self.solver, found)}
        notes = [*mass_notes(self.form), *missing_bearing_notes(self.form), *uniqueness_notes(self.solver, found)]
        if np.any(weak):
            notes.append(_words(columns.raw("t")[weak]))
        return Reactions(entries, summary, tuple(notes), force_record(self.solver, found))


def states_of(form: Absolute, columns: Columns) -> Array:
    """Absolute coordinates of the moving bodies with their derivatives, from their columns: times × 3 × unknowns."""
    out = [_plane(columns, name) if form.mechanism.dimension == 2 else _space(columns, name) for name in form.free]
    return np.ascontiguousarray(np.concatenate(out, axis=2))


def _plane(columns: Columns, name: str) -> Array:
    words = [columns.raw(f"{name}.{word}") for word, *_ in BODY[2]]
    return np.stack(words, axis=1).reshape(-1, 3, 3)


def _space(columns: Columns, name: str) -> Array:
    motion = np.stack([columns.raw(f"{name}.{word}") for word, *_ in BODY[3]], axis=1)
    places = np.stack([motion[:, :3], motion[:, 7:10], motion[:, 13:16]], axis=1)
    return np.concatenate([places, quaternion_motion(motion)], axis=2)


def _without(entries: Iterator[tuple[Column, Array]], weak: Booleans) -> Iterator[tuple[Column, Array]]:
    for column, values in entries:
        passive = column.kind in ("reaction", "contact")
        yield column, np.where(weak, np.nan, values) if passive else values


def _words(times: Array) -> str:
    at = f"t = {times[0]:.9g}" + (f" and {len(times) - 1} more rows" if len(times) > 1 else "")
    return (
        f"reactions are not defined at {at}: the mechanism is in a change point, or too close to it (no numbers there)"
    )
