"""M, C and K of linearised motion: M δÿ + C δẏ + K δy = B δu.

The reduced equations Wᵀ(Q − M V̇ − h) = 0 are differentiated at the reference motion. W changes with y too; because
Wᵀ Jᵀ = 0 stays, δWᵀ r = −Wᵀ δJᵀ λ with r = Jᵀ λ, so that C, K = −Wᵀ ∂(r − Jᵀ λ)/∂(ẏ, y) with W and λ kept: the
geometric stiffness of what joints and springs carry, the gyroscopic and centrifugal terms are all in it. M = Wᵀ M W.

What loads add is the core's own derivative of their formulas by displacements and twists (load_derivatives.py). The
rest is inertia, of second degree in ẏ, so that its central differences are exact, and geometry, which is smooth: its
differences of fourth order are good to 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.linear.load_derivatives import LoadDerivatives
from mubo.solvers.linear.reduced_coordinates import Vicinity

STEP = 2e-4  # radians or sizes: with differences of fourth order both errors are near 1e-12
RATE_STEP = 1e-3  # of the typical rate
ROUNDING = 1e-9  # of the largest entry: what differences leave where there is nothing
POINTS, FACTORS = np.array([1.0, -1.0, 2.0, -2.0]), np.array([8.0, -8.0, -1.0, 1.0]) / 12

OfStates = Callable[[Array], Array]  # rows × (q, q̇, q̈) × unknowns to rows × components


@dataclass(frozen=True, eq=False)
class Reduced:
    """The equations of small motions about a reference, the accelerations ÿ that its loads give it, and a typical
    rate of such motions."""

    near: Vicinity
    accelerations: Array
    M: Array
    C: Array
    K: Array
    rate: float


def reduced(near: Vicinity, accelerating: bool = False) -> Reduced:
    """M, C, K about a reference that is balanced or, where `accelerating`, yields to its loads."""
    M = inertia(near)
    change: Array = np.zeros(near.count)
    if accelerating:
        change = np.asarray(np.linalg.solve(M, unbalanced(near)), float)
    reference = near.states(near.q[None], near.rates[None], change[None])
    lam = near.multipliers(near.demands(reference)[0])
    loads = LoadDerivatives(near, reference)

    def left(states: Array) -> Array:
        carried = [lam @ near.rest.jacobian(np.ascontiguousarray(state[0])) for state in states]
        return np.asarray(near.demands(states, loads.frozen(states)) - np.array(carried))

    scale = np.outer(near.sizes, near.sizes)
    K = np.asarray(-near.basis @ along_positions(near, change, left).T + loads.stiffness)
    rate = _typical_rate(near, M * scale, K * scale)
    if np.any(near.twist):  # twists change with y where rates ẏ are kept
        K = K + loads.damping_by_twists @ position_differences(near, lambda at: near.twists(at, _each(near, at))).T
    C = np.asarray(-near.basis @ along_rates(near, change, rate, left).T + loads.damping)
    largest_force = float(np.max(np.abs(K * scale), initial=0.0))
    C = _cleared(C, scale, max(float(np.max(np.abs(C * scale), initial=0.0)), largest_force / rate))
    return Reduced(near, change, M, C, _cleared(K, scale, largest_force), rate)


def inertia(near: Vicinity) -> Array:
    """M = Wᵀ M W: what unit accelerations take, without gravity and loads."""
    form, W, solver = near.rest.form, near.basis, near.rest.solver
    states = np.ascontiguousarray(states_from_twists(form, near.q, np.zeros_like(W), W))
    bodies = len(form.free) + len(form.fixed)
    nothing = np.zeros((len(W), bodies, W.shape[1] // max(len(form.free), 1)))
    M = -W @ form.system.unbalanced_wrenches(solver.masses, np.zeros_like(solver.gravity), states, nothing).T
    return np.asarray((M + M.T) / 2)


def unbalanced(near: Vicinity) -> Array:
    """Wᵀ r where the coordinates do not accelerate: zero at an equilibrium and in a steady motion."""
    none = np.zeros((1, near.count))
    return np.asarray(near.basis @ near.demands(near.states(near.q[None], near.rates[None], none))[0])


def along_positions(near: Vicinity, accelerations: Array, function: OfStates) -> Array:
    """∂/∂y of a function of states, ẏ and ÿ kept: degrees of freedom × components."""
    same = np.ones((len(POINTS) * near.count, 1))
    return position_differences(
        near, lambda places: function(near.states(places, _each(near, places), same * accelerations))
    )


def position_differences(near: Vicinity, function: OfStates) -> Array:
    """∂/∂y of a function of positions: degrees of freedom × components."""
    steps = (STEP * POINTS)[None, :, None] * np.diag(near.sizes)[:, None]
    places = np.array([near.beside(line) for line in steps.reshape(-1, near.count)])
    return _differences(function(places), near.count) / (STEP * near.sizes)[:, None]


def _each(near: Vicinity, positions: Array) -> Array:
    """The rates of the reference, once for every position."""
    return np.tile(near.rates, (len(positions), 1))


def along_rates(near: Vicinity, accelerations: Array, rate: float, function: OfStates) -> Array:
    """∂/∂ẏ of a function of states, y and ÿ kept."""
    step = RATE_STEP * rate
    lines = ((step * POINTS)[None, :, None] * np.diag(near.sizes)[:, None]).reshape(-1, near.count)
    same = np.ones((len(lines), 1))
    values = function(near.states(same * near.q, near.rates + lines, same * accelerations))
    return _differences(values, near.count) / (step * near.sizes)[:, None]


def along_accelerations(near: Vicinity, accelerations: Array, rate: float, function: OfStates) -> Array:
    """∂/∂ÿ of a function of states that is linear in it."""
    steps = rate**2 * np.vstack([np.zeros(near.count), np.diag(near.sizes)])
    same = np.ones((near.count + 1, 1))
    values = function(near.states(same * near.q, same * near.rates, accelerations + steps))
    return np.asarray((values[1:] - values[0]) / (rate**2 * near.sizes)[:, None])


def _differences(values: Array, count: int) -> Array:
    return np.asarray(np.einsum("p,kpc->kc", FACTORS, values.reshape(count, len(POINTS), -1)))


def _typical_rate(near: Vicinity, M: Array, K: Array) -> float:
    """Radians per unit of time: of the reference, or of a vibration by the largest entries; else one."""
    of_motion = float(np.max(np.abs(near.rest.motion[1::3]), initial=0.0))
    of_motion = max(of_motion, float(np.max(np.abs(near.rates / near.sizes), initial=0.0)))
    stiff, heavy = float(np.max(np.abs(K), initial=0.0)), float(np.max(np.abs(M), initial=0.0))
    return max(of_motion, (stiff / heavy) ** 0.5 if heavy > 0 else 0.0) or 1.0


def _cleared(matrix: Array, scale: Array, largest: float) -> Array:
    """Columns that are only rounding become zero, as those of a coordinate on which nothing depends; so does an
    asymmetry that is only rounding."""
    skew = (matrix - matrix.T) / 2
    even = bool(np.max(np.abs(skew * scale), initial=0.0) <= ROUNDING * largest)
    out = (matrix + matrix.T) / 2 if even else matrix.copy()  # a sum commutes: symmetric to the last bit
    nothing = np.max(np.abs(out * scale), axis=0, initial=0.0) <= ROUNDING * largest
    out[:, nothing] = 0.0
    if even:
        out[nothing] = 0.0
    return out
