"""A closed position under its loads: free motions, reduced forces, multipliers, reduced stiffness, coordinates.

With Z a basis of the motions that satisfy the constraints, J Z = 0, the reduced force is g = Zᵀ Q; the mechanism is in
equilibrium where g = 0. There Q = Jᵀ λ, and the reduced stiffness is K = −Zᵀ ∂(Q − Jᵀ λ)/∂q Z: that of the loads and
that of the constraints, whose forces turn with the bodies (Nikravesh, Computer-Aided Analysis of Mechanical Systems,
1988, chapter 14, for the equations; the second-order condition of constrained minima for the stability).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model.column_names import Column
from mubo.results import Columns
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.statics.null_space import ConstraintProjection
from mubo.solvers.statics.static_problem import StaticProblem

DIFFERENCE_STEP = 2e-4  # radians or sizes: with differences of fourth order both errors are near 1e-12
SMALL = 1e-3  # radians or sizes
INDEPENDENT = 0.05  # of the rate of a coordinate: the part that earlier coordinates do not determine


@dataclass(frozen=True, eq=False)
class StaticState:
    """A position at which the mechanism is closed. Displacements are scaled: lengths in sizes of the mechanism."""

    problem: StaticProblem
    q: Array

    @cached_property
    def _constraints(self) -> tuple[ConstraintProjection, Array]:
        return self.problem.constraints_at(self.q)

    @cached_property
    def free(self) -> Array:
        """Basis Z: free motions × scaled displacements, orthonormal."""
        return self._constraints[0].free

    @cached_property
    def force(self) -> Array:
        """Forces Q over scaled displacements."""
        return np.asarray(self.problem.forces(self.q[None])[0] / self.problem.weight)

    @cached_property
    def reduced(self) -> Array:
        """Reduced force g = Zᵀ Q."""
        return np.asarray(self.free @ self.force)

    @property
    def scale(self) -> float:
        """Force scale for rounding: the largest force or, without joints, where all forces vanish in equilibrium, that
        of a small displacement."""
        largest = float(np.max(np.abs(self.force), initial=0.0))
        if len(self._constraints[1]):
            return largest
        return max(largest, SMALL * float(np.max(np.abs(self.stiffness), initial=0.0)))

    @cached_property
    def multipliers(self) -> Array:
        """Smallest multipliers λ that balance the part of Q which does no work along the free motions."""
        projection, lengths = self._constraints
        scaled = projection.carrying(self.force)
        return np.asarray(np.divide(scaled, lengths, out=np.zeros_like(scaled), where=lengths > 0))

    @cached_property
    def stiffness(self) -> Array:
        """Stiffness K over the free motions."""
        return np.asarray(-self.free @ self.force_derivatives(self.free).T)

    def force_derivatives(self, directions: Array) -> Array:
        """Derivative of Q − Jᵀ λ along scaled displacements, λ constant: directions × scaled displacements."""
        steps = DIFFERENCE_STEP * np.array([1.0, -1.0, 2.0, -2.0])
        if not len(directions):
            return np.zeros((0, len(self.problem.weight)))
        places = self._displaced((directions[:, None] * steps[:, None]).reshape(-1, directions.shape[1]))
        left = self.problem.forces(places) - [self.multipliers @ self.problem.jacobian(q) for q in places]
        left = (left / self.problem.weight).reshape(len(directions), 4, -1)
        derivative = (8 * (left[:, 0] - left[:, 1]) - (left[:, 2] - left[:, 3])) / (12 * DIFFERENCE_STEP)
        return np.asarray(derivative)

    def _displaced(self, displacement: Array) -> Array:
        return self.problem.displace(self.q, displacement / self.problem.weight)

    def step(self, displacement: Array) -> StaticState | None:
        """Return the closed position after a displacement, or None where none closes."""
        reached = self.problem.close(self._displaced(displacement))
        return StaticState(self.problem, reached.q) if reached.gap <= self.problem.tolerance else None


@dataclass(frozen=True)
class FreeCoordinate:
    """A column, that of its rate, and its rates along the free motions of a position. Rotations that no coordinate
    measures (of balls, and of bodies in space) have the name of their rate."""

    name: str
    rate: str
    holds: str
    rates: Array


def free_coordinates(state: StaticState, first: Sequence[str] = (), turns: bool = False) -> list[FreeCoordinate]:
    """Choose one coordinate per free motion: of joints where possible, else of bodies, those named `first` before
    others; with `turns` also angular velocities that are no rates of coordinates."""
    columns = _columns_along_motions(state)
    size = state.problem.form.mechanism.size
    known = np.zeros((0, len(state.free)))
    chosen: list[FreeCoordinate] = []
    for name, rate in sorted(_pairs(columns, turns), key=lambda pair: pair[0] not in first):
        if len(chosen) == len(state.free):
            break
        rates, holds = columns.raw(rate.name), rate.holds
        line = rates / (size if holds == "length" else 1.0)
        residue = line - known.T @ (known @ line)
        length = float(np.linalg.norm(residue))
        if length > INDEPENDENT * max(float(np.linalg.norm(line)), INDEPENDENT):
            known = np.vstack([known, residue / length])
            chosen.append(FreeCoordinate(name, rate.name, holds, rates))
    return chosen


def fastest_coordinates(state: StaticState, inertia: Array, first: Sequence[str]) -> list[FreeCoordinate]:
    """Choose one coordinate per free motion by physics: those named `first`, then of joints, then of bodies, and among
    them the fastest for its kinetic energy while those chosen before are fixed. `inertia` is over the free motions.

    The choice depends neither on units nor on body frames nor on the order of the model.
    """
    columns, size = _columns_along_motions(state), state.problem.form.mechanism.size
    pairs = list(_pairs(columns, turns=True))
    scaled = [columns.raw(rate.name) / (size if rate.holds == "length" else 1.0) for _, rate in pairs]
    lines = np.linalg.solve(np.linalg.cholesky(inertia), np.array(scaled).T).T
    least = INDEPENDENT * np.linalg.norm(lines, axis=1)
    classes = [0 if name in first else 1 if rate.kind == "joint" else 2 for name, rate in pairs]
    chosen: list[int] = []
    while len(chosen) < len(state.free):
        speeds = np.linalg.norm(lines, axis=1)
        able = np.flatnonzero(speeds > least)
        if not len(able):
            break
        digits = np.round(speeds / np.max(speeds[able]), 9)  # of equally fast ones the first by name
        chosen.append(min(able.tolist(), key=lambda k: (classes[k], -digits[k], pairs[k][0])))
        along = lines[chosen[-1]] / speeds[chosen[-1]]
        lines = lines - np.outer(lines @ along, along)
    return [
        FreeCoordinate(name, rate.name, rate.holds, columns.raw(rate.name))
        for name, rate in (pairs[k] for k in sorted(chosen))
    ]


def _pairs(columns: Columns, turns: bool) -> Iterator[tuple[str, Column]]:
    """Coordinates of joints, then of bodies, with the columns of their rates."""
    for kind in ("joint", "body"):
        entries = columns.of_kind(kind)
        names = {(column.owner, column.quantity): column.name for column in entries if not column.order}
        for column in entries:
            name = names.get((column.owner, column.quantity), column.name if turns else "")
            if column.order == 1 and name:
                yield name, column


def _columns_along_motions(state: StaticState) -> Columns:
    """Columns of the position moving along one free motion per row."""
    problem = state.problem
    states = states_from_twists(problem.form, state.q, state.free / problem.weight)
    return motion_columns(problem.form, np.full(len(states), problem.time), states)
