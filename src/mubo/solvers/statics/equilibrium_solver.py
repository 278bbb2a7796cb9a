"""From a position to an equilibrium: by descent to a stable one, or by Newton's method to the nearest of any kind."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.solvers.statics.static_state import StaticState

BALANCED = 1e-9  # of the largest force: what is left of an equilibrium
LONGEST = 0.4  # step, in radians or sizes of the mechanism
STEPS = 80
POLISHING = 8


def is_balanced(state: StaticState) -> bool:
    """Whether the loads balance at the position."""
    return reduced_force_norm(state) <= BALANCED * state.scale


def reduced_force_norm(state: StaticState) -> float:
    """Norm of the reduced force."""
    return float(np.linalg.norm(state.reduced))


def descend_to_equilibrium(state: StaticState) -> StaticState | None:
    """Equilibrium to which the loads carry the mechanism: Newton steps with all stiffnesses taken positive, so that
    saddles and maxima are left. It needs no potential: a step is too long where the force behind it points back as
    strongly."""
    longest = LONGEST
    for _ in range(STEPS):
        if is_balanced(state):
            return refine_equilibrium(state)
        K = state.stiffness
        values, axes = np.linalg.eigh((K + K.T) / 2)
        least = max(1e-3 * float(np.max(np.abs(values))), 1e-6 * state.scale)
        step = axes @ ((axes.T @ state.reduced) / np.maximum(np.abs(values), least))
        step = _limit_step(step @ state.free, longest)
        reached = state.stepped(step)
        if reached is not None and reached.force @ step > -0.7 * (state.force @ step):
            state, longest = reached, min(2 * longest, LONGEST)
        elif longest < 1e-9:
            return None
        else:
            longest = min(longest, float(np.max(np.abs(step)))) / 4
    return None


def nearest_equilibrium(state: StaticState) -> StaticState | None:
    """The equilibrium that damped Newton steps on g = 0 reach (Levenberg), or None where |g| has a valley instead."""
    damping = 1e-3
    for _ in range(STEPS):
        if is_balanced(state):
            return refine_equilibrium(state)
        K, g = state.stiffness, state.reduced
        size = max(float(np.linalg.norm(K)), state.scale)
        stacked = np.vstack([K, damping * size * np.eye(len(g))])
        step = np.linalg.lstsq(stacked, np.concatenate([g, np.zeros(len(g))]), rcond=None)[0]
        reached = state.stepped(_limit_step(step @ state.free, LONGEST))
        if reached is not None and reduced_force_norm(reached) < reduced_force_norm(state):
            stalled = reduced_force_norm(reached) > (1 - 1e-6) * reduced_force_norm(state)
            state, damping = reached, damping / 5
            if stalled:
                return None
        elif damping > 1e6:
            return None
        else:
            damping *= 4
    return None


def refine_equilibrium(state: StaticState) -> StaticState:
    """Newton steps as long as they help: down to rounding."""
    for _ in range(POLISHING):
        if not state.scale or not len(state.reduced) or not np.all(np.isfinite(state.stiffness)):
            break
        step = np.linalg.lstsq(state.stiffness, state.reduced, rcond=1e-8)[0]
        reached = state.stepped(_limit_step(step @ state.free, LONGEST))
        if reached is None or not reduced_force_norm(reached) < 0.5 * reduced_force_norm(state):
            break
        state = reached
    return state


def _limit_step(step: Array, longest: float) -> Array:
    largest = float(np.max(np.abs(step), initial=0.0))
    return step * min(1.0, longest / largest) if largest > 0 else step
