"""States near a reference motion by independent coordinates y, and what is left of the equations of motion there.

Z are the motions that keep the constraints, J Z = 0, and S(q) V the rates of the coordinates. From ẏ follow the twists
V = V₀ + Z c with J V₀ = ν and S V = ẏ, from ÿ likewise their changes. With W = ∂V/∂ẏ the reduced equations are
Wᵀ r = 0, r = Q − M V̇ − h(q, V) the demand of every body, with all inertia terms that depend on velocities.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.results import Columns
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.continuation.linear_algebra import jacobian
from mubo.solvers.forces.applied_loads import applied_loads
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.statics.coordinates import FreeCoordinate
from mubo.solvers.statics.null_space import ConstraintProjection
from mubo.solvers.statics.static_problem import StaticProblem


@dataclass(frozen=True, eq=False)
class Vicinity:
    """A closed position, the coordinates that tell its degrees of freedom, and their rates in the reference motion."""

    rest: StaticProblem  # with the motion of its drivers
    q: Array
    coordinates: tuple[FreeCoordinate, ...]
    rates: Array  # ẏ
    _last: dict[bytes, tuple[ConstraintProjection, Array]] = field(default_factory=dict, init=False, repr=False)

    @property
    def count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def sizes(self) -> Array:
        """Per coordinate what counts as one radian: the size of the mechanism for lengths."""
        size = self.rest.form.mechanism.size
        return np.array([size if one.holds == "length" else 1.0 for one in self.coordinates])

    @cached_property
    def basis(self) -> Array:
        """W: degrees of freedom × displacements, the twists of unit rates."""
        free, _, R = self._moving(self.q[None], self.rates[None])
        return np.asarray(np.linalg.solve(R[0].T, free[0]))

    def beside(self, y: Array) -> Array:
        """The position after small changes of the coordinates, to first order closed."""
        return self.rest.moved(self.q, y @ self.basis)

    def states(self, positions: Array, rates: Array, accelerations: Array) -> Array:
        """Positions × (q, q̇, q̈) × unknowns from ẏ and ÿ, a line each."""
        rest, system = self.rest, self.rest.form.system
        free, V, R = self._moving(positions, rates)
        only = states_from_twists(rest.form, positions, V)  # q̈ where twists do not change
        gamma = [
            system.right_sides(q, v, rest.motion)[1] - jacobian(rest.form, q, rest.motion) @ a
            for q, v, a in np.ascontiguousarray(only)
        ]
        change = np.array([self._least(q, right) for q, right in zip(positions, gamma, strict=True)])
        bend = accelerations - self._told(positions, V, 2, change)
        change = change + np.einsum("kn,knd->kd", np.linalg.solve(R, bend[..., None])[..., 0], free)
        return states_from_twists(rest.form, positions, V, change)

    def _moving(self, positions: Array, rates: Array) -> tuple[Array, Array, Array]:
        """Z, V of the rates ẏ, and S Z, for every position."""
        rest = self.rest
        still = np.zeros(positions.shape[1])
        nu = [rest.form.system.right_sides(q, still, rest.motion)[0] for q in positions]
        parts = [self._constrained(q, right) for q, right in zip(positions, nu, strict=True)]
        free, V = np.array([part[0] for part in parts]), np.array([part[1] for part in parts])
        lines = np.concatenate([free, V[:, None]], 1)
        told = self._told(np.repeat(positions, self.count + 1, 0), lines.reshape(-1, lines.shape[2]), 1)
        told = told.reshape(len(positions), self.count + 1, self.count)
        R = told[:, :-1].transpose(0, 2, 1)
        factors = np.linalg.solve(R, (rates - told[:, -1])[..., None])[..., 0]
        return free, V + np.einsum("kn,knd->kd", factors, free), R

    @cached_property
    def twist(self) -> Array:
        """V of the reference motion."""
        return np.asarray(self.twists(self.q[None], self.rates[None])[0])

    def twists(self, positions: Array, rates: Array) -> Array:
        """V of the rates ẏ at positions, a line each."""
        return np.asarray(self._moving(positions, rates)[1])

    @cached_property
    def values(self) -> Array:
        """y at the reference; zero for turns that no coordinate counts."""
        states = states_from_twists(self.rest.form, self.q, np.zeros((1, len(self.rest.weight))))
        columns = motion_columns(self.rest.form, np.array([self.rest.time]), states)
        return np.array([columns.raw(one.name)[0] for one in self.coordinates])

    def _constrained(self, q: Array, right: Array) -> tuple[Array, Array]:
        """Z, and the smallest x with J x = right, where lengths count in sizes of the mechanism."""
        free = self._free if q is self.q else self._held(q)[0].projected(self._free)
        return free / self.rest.weight, self._least(q, right)

    def _least(self, q: Array, right: Array) -> Array:
        held, lengths = self._held(q)
        return held.least(right[self.rest.working] / np.where(lengths > 0, lengths, 1.0)) / self.rest.weight

    @cached_property
    def _free(self) -> Array:
        """Z at the reference, over scaled displacements."""
        return self._held(self.q)[0].free

    def _held(self, q: Array) -> tuple[ConstraintProjection, Array]:
        """The constrained state at q: the last one is kept, positions are asked for again and again."""
        key = q.tobytes()
        if key not in self._last:
            self._last.clear()
            self._last[key] = self.rest.held(q)
        return self._last[key]

    def _told(self, positions: Array, twists: Array, order: int, changes: Array | None = None) -> Array:
        """Rates of the coordinates, or their accelerations: a line for each position with its twist."""
        states = states_from_twists(self.rest.form, positions, twists, changes)
        columns = motion_columns(self.rest.form, np.full(len(states), self.rest.time), states)
        names = [one.rate if order == 1 else columns.derivative(one.rate) for one in self.coordinates]
        return np.stack([columns.raw(str(name)) for name in names], 1)

    def columns(self, states: Array) -> Columns:
        """Columns of the motion, with measures; drivers have the rates of the reference motion."""
        rest, model = self.rest, self.rest.form.model
        columns = motion_columns(rest.form, np.full(len(states), rest.time), states)
        moves = rest.motion[1::3] != 0
        still = [f"{name}.rate" for name, moving in zip(model.drivers, moves, strict=True) if not moving]
        columns = columns.replaced({name: np.zeros(len(states)) for name in still})
        add_measures(model, columns)
        return columns

    def demands(self, states: Array, on: Array | None = None) -> Array:
        """r: states × displacements; with loads `on` the bodies that stay what they are, where they are given."""
        rest, states = self.rest, np.ascontiguousarray(states)
        if on is None:
            on = applied_loads(rest.form, states, self.columns(states)).on
        solver = rest.solver
        return np.asarray(
            rest.form.system.unbalanced_wrenches(solver.masses, solver.gravity, states, np.ascontiguousarray(on))
        )

    def multipliers(self, demand: Array) -> Array:
        """The smallest λ that carry what of a demand at the reference position the degrees of freedom do not feel."""
        held, lengths = self._held(self.q)
        scaled = held.carrying(demand / self.rest.weight)
        return np.asarray(np.divide(scaled, lengths, out=np.zeros_like(scaled), where=lengths > 0))
