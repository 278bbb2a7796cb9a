"""M, C and K of linearised motion: M δÿ + C δẏ + K δy = B δu.

The reduced equations Wᵀ(Q − M V̇ − h) = 0 are differentiated at the reference motion. W changes with y too; because
Wᵀ Jᵀ = 0 stays, δWᵀ r = −Wᵀ δJᵀ λ with r = Jᵀ λ, so that C, K = −Wᵀ ∂(r − Jᵀ λ)/∂(ẏ, y) with W and λ kept: the
geometric stiffness of what joints and springs carry, the gyroscopic and centrifugal terms are all in it. M = Wᵀ M W.

Loads contribute W K Wᵀ and W C Wᵀ, K = −∂F/∂x, C = −∂F/∂v, by the core's automatic differentiation; x are
displacements and v twists of the bodies, F the wrench of a load about their origins, all in ground axes. Sizes of loads
that depend on the motion through its columns are no part of a formula: they are differentiated numerically. The other
terms are inertia, of second degree in ẏ, so that its central differences are exact, and geometry, which is smooth: its
differences of fourth order are accurate to 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SimulationError, status_text
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model.column_laws import ColumnLaw
from mubo.solvers.forces.applied_loads import AppliedLoads, applied_loads, wrench_per_load_size
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.linear.joint_matrices import joint_equations, vibration_rate, without_rounding
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates

STEP = 2e-4  # radians or sizes: with differences of fourth order both errors are reduced 1e-12
IGNORABLE = 1e-7  # of the largest force, entry of K or of rate² M: what rounding leaves along an ignorable coordinate
ROUNDING_OF_FORCES = 1e-12  # of the largest force: stiffness that is rounding, of a vehicle on which nothing depends
RATE_STEP = 1e-3  # of the typical rate
POINTS, FACTORS = np.array([1.0, -1.0, 2.0, -2.0]), np.array([8.0, -8.0, -1.0, 1.0]) / 12

OfStates = Callable[[Array], Array]  # rows × (q, q̇, q̈) × unknowns to rows × components


class NoSecondOrder(SimulationError):
    """Degrees of freedom that leave out a coordinate, among its `names`, on which the linearised motion depends."""


@dataclass(frozen=True, eq=False)
class LinearMatrices:
    """Equations of linearised motion about a reference, the accelerations ÿ of the reference, and a typical rate."""

    reduced: ReducedCoordinates
    accelerations: Array
    M: Array
    C: Array
    K: Array
    rate: float


def linear_matrices(reduced: ReducedCoordinates, accelerating: bool = False) -> LinearMatrices:
    """M, C, K about a reference that is balanced or, if `accelerating`, moves under its loads."""
    tree = None if np.any(reduced.rates) else joint_equations(reduced.problem.form.model, reduced.names)
    if tree is None:
        return absolute_matrices(reduced, accelerating)
    found = tree.matrices(reduced.values, reduced.problem.time, reduced.sizes, accelerating)
    return LinearMatrices(reduced, *found)


def absolute_matrices(reduced: ReducedCoordinates, accelerating: bool = False) -> LinearMatrices:
    """M, C, K of any mechanism, in absolute coordinates."""
    M = inertia(reduced)
    change: Array = np.zeros(reduced.count)
    if accelerating:
        change = np.asarray(np.linalg.solve(M, residual_force(reduced)), float)
    reference = reduced.states(reduced.q[None], reduced.rates[None], change[None])
    wrench = reduced.unbalanced_wrenches(reference)[0]
    lam = reduced.multipliers(wrench)
    loads = LoadDerivatives(reduced, reference)

    def residual(states: Array) -> Array:
        carried = [lam @ reduced.problem.jacobian(np.ascontiguousarray(state[0])) for state in states]
        return np.asarray(reduced.unbalanced_wrenches(states, loads.frozen(states)) - np.array(carried))

    K = np.asarray(-reduced.basis @ along_positions(reduced, change, residual).T + loads.stiffness)
    rate = _typical_rate(reduced, M, K[:, : reduced.count])
    if np.any(reduced.twist):  # twists change with y where rates ẏ are kept
        K = (
            K
            + loads.damping_by_twists
            @ position_differences(reduced, lambda at: reduced.twists(at, _each(reduced, at))).T
        )
    C = np.asarray(-reduced.basis @ along_rates(reduced, change, rate, residual).T + loads.damping)
    K = _without_ignorable(reduced, M, K, rate, float(np.max(np.abs(wrench / reduced.problem.weight), initial=0.0)))
    return LinearMatrices(reduced, change, M, *without_rounding(C, K, reduced.sizes, rate), rate)


def _without_ignorable(reduced: ReducedCoordinates, M: Array, K: Array, rate: float, force: float) -> Array:
    """K over the coordinates with independent rates, where the others are ignorable: nothing depends on them beside the
    largest `force` on a body."""
    count, place = reduced.count, reduced.place
    if place.count == count:
        return K
    scaled = np.abs(K * np.outer(reduced.sizes, place.sizes))
    inertial = rate**2 * float(np.max(np.abs(M * np.outer(reduced.sizes, reduced.sizes)), initial=0.0))
    largest = max(float(np.max(scaled, initial=0.0)), inertial, force)
    felt = [count + int(k) for k in np.flatnonzero(scaled[:, count:].max(axis=0) > IGNORABLE * largest)]
    if felt:
        names = [place.names[k] for k in felt]
        raise NoSecondOrder(
            f"the linearised motion depends on {', '.join(names)}, whose rates follow from those of "
            f"{', '.join(reduced.names)} by rolling: it is no system of second order in these",
            names=names,
            suggestion="Name other degrees of freedom by `dofs`, or linearise about a motion on which place and "
            "heading have no influence.",
        )
    return np.where(scaled <= ROUNDING_OF_FORCES * force, 0.0, K)[:, :count]


def inertia(reduced: ReducedCoordinates) -> Array:
    """Inertia M = Wᵀ M W along unit accelerations, without gravity and loads."""
    form, W, solver = reduced.problem.form, reduced.basis, reduced.problem.solver
    states = np.ascontiguousarray(states_from_twists(form, reduced.q, np.zeros_like(W), W))
    bodies = len(form.free) + len(form.fixed)
    nothing = np.zeros((len(W), bodies, W.shape[1] // max(len(form.free), 1)))
    M = -W @ form.unbalanced_wrenches(solver.masses, np.zeros_like(solver.gravity), states, nothing).T
    return np.asarray((M + M.T) / 2)


def residual_force(reduced: ReducedCoordinates) -> Array:
    """Residual force Wᵀ r without accelerations: zero at an equilibrium and in a steady motion."""
    none = np.zeros((1, reduced.count))
    return np.asarray(
        reduced.basis @ reduced.unbalanced_wrenches(reduced.states(reduced.q[None], reduced.rates[None], none))[0]
    )


def along_positions(reduced: ReducedCoordinates, accelerations: Array, function: OfStates) -> Array:
    """∂/∂y of a function of states, ẏ and ÿ kept: degrees of freedom × components."""
    same = np.ones((len(POINTS) * reduced.place.count, 1))
    return position_differences(
        reduced, lambda places: function(reduced.states(places, _each(reduced, places), same * accelerations))
    )


def position_differences(reduced: ReducedCoordinates, function: OfStates) -> Array:
    """∂/∂y of a function of positions: coordinates of the position × components."""
    count, sizes = reduced.place.count, reduced.place.sizes
    steps = (STEP * POINTS)[None, :, None] * np.diag(sizes)[:, None]
    places = np.array([reduced.displaced(line) for line in steps.reshape(-1, count)])
    return _differences(function(places), count) / (STEP * sizes)[:, None]


def _each(reduced: ReducedCoordinates, positions: Array) -> Array:
    """The rates of the reference, once for every position."""
    return np.tile(reduced.rates, (len(positions), 1))


def along_rates(reduced: ReducedCoordinates, accelerations: Array, rate: float, function: OfStates) -> Array:
    """∂/∂ẏ of a function of states, y and ÿ kept."""
    step = RATE_STEP * rate
    lines = ((step * POINTS)[None, :, None] * np.diag(reduced.sizes)[:, None]).reshape(-1, reduced.count)
    same = np.ones((len(lines), 1))
    values = function(reduced.states(same * reduced.q, reduced.rates + lines, same * accelerations))
    return _differences(values, reduced.count) / (step * reduced.sizes)[:, None]


def along_accelerations(reduced: ReducedCoordinates, accelerations: Array, rate: float, function: OfStates) -> Array:
    """∂/∂ÿ of a function of states that is linear in it."""
    steps = rate**2 * np.vstack([np.zeros(reduced.count), np.diag(reduced.sizes)])
    same = np.ones((reduced.count + 1, 1))
    values = function(reduced.states(same * reduced.q, same * reduced.rates, accelerations + steps))
    return np.asarray((values[1:] - values[0]) / (rate**2 * reduced.sizes)[:, None])


def _differences(values: Array, count: int) -> Array:
    return np.asarray(np.einsum("p,kpc->kc", FACTORS, values.reshape(count, len(POINTS), -1)))


def _typical_rate(reduced: ReducedCoordinates, M: Array, K: Array) -> float:
    """Radians per unit of time: of the reference, or of a vibration by the largest entries; else one."""
    of_motion = float(np.max(np.abs(reduced.problem.motion[1::3]), initial=0.0))
    of_motion = max(of_motion, float(np.max(np.abs(reduced.rates / reduced.sizes), initial=0.0)))
    return max(of_motion, vibration_rate(M, K, reduced.sizes)) or 1.0


@dataclass(frozen=True, eq=False)
class LoadDerivatives:
    """The loads of a reference state (1 × (q, q̇, q̈) × unknowns) and their derivatives."""

    reduced: ReducedCoordinates
    reference: Array

    @cached_property
    def _applied(self) -> AppliedLoads:
        return applied_loads(self.reduced.problem.form, self.reference, self.reduced.columns(self.reference))

    @cached_property
    def _effects(self) -> Array:
        """Wrench per unit size of each load with a law: laws × bodies × components; empty where no size depends on the
        motion."""
        form = self.reduced.problem.form
        if not any(isinstance(load.law, ColumnLaw) for load in form.loads.loads):
            return np.zeros((0, *self._applied.on.shape[1:]))
        found = wrench_per_load_size(form, self.reference, self.reduced.columns(self.reference))
        return np.array([found[load.name] for load in form.loads.with_law])

    def frozen(self, states: Array) -> Array:
        """Loads of the reference at other states, with the sizes that they have there."""
        on = np.repeat(self._applied.on, len(states), axis=0)
        if len(self._effects):
            states = np.ascontiguousarray(states)
            sizes = (
                applied_loads(self.reduced.problem.form, states, self.reduced.columns(states)).sizes
                - self._applied.sizes
            )
            on = on + np.einsum("sl,lbc->sbc", sizes, self._effects)
        return np.ascontiguousarray(on)

    @property
    def stiffness(self) -> Array:
        """W K Wᵀ of all loads, the second W of the coordinates of the position."""
        return self._reduced_matrix("stiffness") @ self.reduced.place.basis.T

    @property
    def damping(self) -> Array:
        """W C Wᵀ of all loads."""
        return self.damping_by_twists @ self.reduced.basis.T

    @cached_property
    def damping_by_twists(self) -> Array:
        """W C: degrees of freedom × twists of the moving bodies."""
        return self._reduced_matrix("damping")

    def _reduced_matrix(self, which: str) -> Array:
        """Product of W with the matrix of every load, summed over the moving bodies."""
        form, made, W = self.reduced.problem.form, self.reduced.problem.form.loads, self.reduced.basis
        wide, count = form.width, len(form.free)
        if not made.loads or not count:
            return np.zeros_like(W)
        n = W.shape[1] // count
        poses = np.vstack([self.reduced.q.reshape(count, wide), made.fixed.reshape(-1, wide)])
        twists = np.zeros((len(poses), n))
        twists[:count] = self.reduced.twist.reshape(count, n)
        loads = self._applied
        turns = None if loads.near is None else np.ascontiguousarray(loads.near[0])
        of_core = getattr(made.core, which)
        status, where, each = of_core(poses, twists, np.ascontiguousarray(loads.sizes[0]), turns)
        if status != Status.done:
            name = made.loads[where].name
            raise SimulationError(f"force {name}: its derivative does not exist ({status_text(status)})", names=[name])
        out = np.zeros((len(W), len(poses), n))
        sides = np.concatenate([W.reshape(len(W), count, n), np.zeros((len(W), len(poses) - count, n))], axis=1)
        for bodies, matrix in zip(made.bodies, each, strict=True):
            line = np.concatenate([sides[:, body] for body in bodies], axis=1) @ matrix
            for k, body in enumerate(bodies):
                out[:, body] += line[:, k * n : (k + 1) * n]
        return np.asarray(out[:, :count].reshape(len(W), -1))
