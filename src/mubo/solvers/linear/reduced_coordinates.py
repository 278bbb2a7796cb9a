"""States near a reference motion by independent coordinates y, and the reduced equations of motion there.

Z are the motions that satisfy the constraints, J Z = 0, and S(q) V the rates of the coordinates. From ẏ follow the
twists V = V₀ + Z c with J V₀ = ν and S V = ẏ, from ÿ their derivatives. With W = ∂V/∂ẏ the reduced equations are
Wᵀ r = 0, r = Q − M V̇ − h(q, V) the unbalanced wrench of every body, with all velocity-dependent inertia terms.

Where equations are on velocities alone (rolling), J has them too, and the positions have more coordinates than the
velocities have independent rates: those whose rates are independent, then the others, `place` of them all.
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.results import Columns
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.continuation.linear_algebra import jacobian
from mubo.solvers.forces.applied_loads import applied_loads
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.statics.null_space import ConstraintProjection
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import FreeCoordinate


@dataclass(frozen=True, eq=False)
class ReducedCoordinates:
    """A closed position, the coordinates of its degrees of freedom, and their rates in the reference motion."""

    problem: StaticProblem  # with the motion of its drivers
    q: Array
    coordinates: tuple[FreeCoordinate, ...]
    rates: Array  # ẏ
    positions: ReducedCoordinates | None = None  # of equations on positions alone, where others are on velocities
    _last: dict[bytes, tuple[ConstraintProjection, Array]] = field(default_factory=dict, init=False, repr=False)

    @property
    def count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def place(self) -> ReducedCoordinates:
        """The coordinates of the position: these, and after them those whose rates depend on the others."""
        if self.positions is None:
            return self
        problem = replace(self.positions.problem, motion=self.problem.motion, time=self.problem.time)
        return replace(self.positions, problem=problem, q=self.q)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.coordinates)

    @cached_property
    def sizes(self) -> Array:
        """Scale of each coordinate: one radian, or the size of the mechanism for lengths."""
        size = self.problem.form.mechanism.size
        return np.array([size if one.holds == "length" else 1.0 for one in self.coordinates])

    @cached_property
    def basis(self) -> Array:
        """W: degrees of freedom × displacements, the twists of unit rates."""
        free, _, R = self._rate_solution(self.q[None], self.rates[None])
        return np.asarray(np.linalg.solve(R[0].T, free[0]))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Unit of each coordinate: radians, and the model's unit of length."""
        length = self.problem.form.model.units.length
        return tuple("rad" if one.holds == "angle" else length for one in self.coordinates)

    @cached_property
    def effort(self) -> float:
        """The unit of the equations in internal units: the model's torque of angles alone, else its force, with which
        those of lengths are balanced."""
        turning = all(one.holds == "angle" for one in self.coordinates)
        return self.problem.form.model.units.factor("torque" if turning else "force")

    @cached_property
    def declared(self) -> dict[str, str]:
        """Units of time and angle as the model declares them, and of the efforts along angles and along lengths."""
        units = self.problem.form.model.units
        force, turning = units.unit_of("force"), all(one.holds == "angle" for one in self.coordinates)
        torque = units.unit_of("torque") if turning else f"{force} {units.length}" if force else ""
        return {"time": units.time, "angle": units.angle, "force": force, "torque": torque}

    def displaced(self, y: Array) -> Array:
        """Return the position after small changes of the coordinates, the first or all, closed to first order."""
        return self.problem.displace(self.q, y @ self.place.basis[: y.shape[-1]])

    def states(self, positions: Array, rates: Array, accelerations: Array) -> Array:
        """Positions × (q, q̇, q̈) × unknowns from ẏ and ÿ, a line each."""
        problem, system = self.problem, self.problem.form.system
        free, V, R = self._rate_solution(positions, rates)
        only = states_from_twists(problem.form, positions, V)  # q̈ where twists do not change
        gamma = [
            system.right_sides(q, v, problem.motion)[1] - jacobian(problem.form, q, problem.motion) @ a
            for q, v, a in np.ascontiguousarray(only)
        ]
        change = np.array([self._least(q, right) for q, right in zip(positions, gamma, strict=True)])
        bend = accelerations - self._coordinate_rates(positions, V, 2, change)
        change = change + np.einsum("kn,knd->kd", np.linalg.solve(R, bend[..., None])[..., 0], free)
        return states_from_twists(problem.form, positions, V, change)

    def _rate_solution(self, positions: Array, rates: Array) -> tuple[Array, Array, Array]:
        """Z, V of the rates ẏ, and S Z, for every position."""
        problem = self.problem
        still = np.zeros(positions.shape[1])
        nu = [problem.form.system.right_sides(q, still, problem.motion)[0] for q in positions]
        parts = [self._constrained(q, right) for q, right in zip(positions, nu, strict=True)]
        free, V = np.array([part[0] for part in parts]), np.array([part[1] for part in parts])
        lines = np.concatenate([free, V[:, None]], 1)
        of_lines = self._coordinate_rates(np.repeat(positions, self.count + 1, 0), lines.reshape(-1, lines.shape[2]), 1)
        of_lines = of_lines.reshape(len(positions), self.count + 1, self.count)
        R = of_lines[:, :-1].transpose(0, 2, 1)
        factors = np.linalg.solve(R, (rates - of_lines[:, -1])[..., None])[..., 0]
        return free, V + np.einsum("kn,knd->kd", factors, free), R

    @cached_property
    def twist(self) -> Array:
        """V of the reference motion."""
        return np.asarray(self.twists(self.q[None], self.rates[None])[0])

    def twists(self, positions: Array, rates: Array) -> Array:
        """V of the rates ẏ at positions, a line each."""
        return np.asarray(self._rate_solution(positions, rates)[1])

    @cached_property
    def values(self) -> Array:
        """y at the reference; zero for rotations that no coordinate counts."""
        states = states_from_twists(self.problem.form, self.q, np.zeros((1, len(self.problem.weight))))
        columns = motion_columns(self.problem.form, np.array([self.problem.time]), states)
        return np.array([columns.raw(one.name)[0] for one in self.coordinates])

    def _constrained(self, q: Array, right: Array) -> tuple[Array, Array]:
        """Z, and the smallest x with J x = right, where lengths count in sizes of the mechanism."""
        free = self._free if q is self.q else self._constraints(q)[0].projected(self._free)
        return free / self.problem.weight, self._least(q, right)

    def _least(self, q: Array, right: Array) -> Array:
        projection, lengths = self._constraints(q)
        return projection.least(right[self.problem.working] / np.where(lengths > 0, lengths, 1.0)) / self.problem.weight

    @cached_property
    def _free(self) -> Array:
        """Z at the reference, over scaled displacements."""
        return self._constraints(self.q)[0].free

    def _constraints(self, q: Array) -> tuple[ConstraintProjection, Array]:
        """Projection of the constraints at q; the last one is kept, because positions are evaluated repeatedly."""
        key = q.tobytes()
        if key not in self._last:
            self._last.clear()
            self._last[key] = self.problem.constraints_at(q)
        return self._last[key]

    def _coordinate_rates(self, positions: Array, twists: Array, order: int, changes: Array | None = None) -> Array:
        """Rates or accelerations of the coordinates: one line for each position with its twist."""
        states = states_from_twists(self.problem.form, positions, twists, changes)
        columns = motion_columns(self.problem.form, np.full(len(states), self.problem.time), states)
        names = [one.rate if order == 1 else columns.derivative(one.rate) for one in self.coordinates]
        return np.stack([columns.raw(str(name)) for name in names], 1)

    def columns(self, states: Array) -> Columns:
        """Columns of the motion, with measures; drivers have the rates of the reference motion."""
        problem, model = self.problem, self.problem.form.model
        columns = motion_columns(problem.form, np.full(len(states), problem.time), states)
        moves = problem.motion[1::3] != 0
        still = [f"{name}.rate" for name, moving in zip(model.drivers, moves, strict=True) if not moving]
        columns = columns.replaced({name: np.zeros(len(states)) for name in still})
        add_measures(model, columns)
        return columns

    def unbalanced_wrenches(self, states: Array, on: Array | None = None) -> Array:
        """Wrenches r, states × displacements, under constant loads `on` the bodies where they are given."""
        problem, states = self.problem, np.ascontiguousarray(states)
        if on is None:
            on = applied_loads(problem.form, states, self.columns(states)).on
        solver = problem.solver
        return np.asarray(
            problem.form.unbalanced_wrenches(solver.masses, solver.gravity, states, np.ascontiguousarray(on))
        )

    def multipliers(self, wrench: Array) -> Array:
        """Smallest λ that balance the part of a wrench at the reference which does no work along the motions."""
        projection, lengths = self._constraints(self.q)
        scaled = projection.carrying(wrench / self.problem.weight)
        return np.asarray(np.divide(scaled, lengths, out=np.zeros_like(scaled), where=lengths > 0))
