"""An equilibrium with its stability, and the solvers that reach one from a position: descent and Newton's method."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.solvers.statics.static_state import StaticState

NEUTRAL = 1e-7  # of the largest stiffness: a smaller one is neutral
SYMMETRIC = 1e-6  # of the largest stiffness: asymmetry of loads with a potential
BALANCED = 1e-9  # of the largest force: residual of an equilibrium
LONGEST = 0.4  # step, in radians or sizes of the mechanism
FARTHEST = 3.0  # step of a descent whose forces were as predicted
SOFTEST = 1e-10  # of the largest stiffness: a descent takes softer motions as that soft; chains have 1e-5 and less
PREDICTED = 0.2  # of the force along a step: what may be missing from its prediction where the next one is longer
STEPS = 80
REFINEMENTS = 8


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position in which the loads are in equilibrium."""

    state: StaticState

    @cached_property
    def stiffnesses(self) -> Array:
        """Eigenvalues of the reduced stiffness, the lowest first: per radian, and per size of the mechanism.

        Loads without a potential may make them complex; the sign of their real parts decides on stability.
        """
        K = self.state.stiffness
        values = np.linalg.eigvalsh((K + K.T) / 2) if self.conservative else np.linalg.eigvals(K).real
        return np.sort(values)

    @property
    def conservative(self) -> bool:
        """Whether the stiffness of the loads is symmetric here, as if they had a potential."""
        K = self.state.stiffness
        return bool(np.max(np.abs(K - K.T), initial=0.0) <= SYMMETRIC * max(self._largest, 1e-300))

    @property
    def _largest(self) -> float:
        return max(float(np.max(np.abs(self.state.stiffness), initial=0.0)), self.state.scale)

    @property
    def neutral(self) -> int:
        """Number of free motions that no load resists, to first order."""
        return int(np.sum(np.abs(self.stiffnesses) <= NEUTRAL * self._largest))

    @property
    def unstable(self) -> int:
        """Number of free motions along which the equilibrium is unstable."""
        return int(np.sum(self.stiffnesses < -NEUTRAL * self._largest))

    @property
    def stability(self) -> str:
        """Stability: "stable", "unstable" or "neutral"."""
        return "unstable" if self.unstable else "neutral" if self.neutral else "stable"

    @property
    def residual(self) -> float:
        """Residual of the reduced force, relative to the largest force."""
        return reduced_force_norm(self.state) / self.state.scale if self.state.scale else 0.0

    @cached_property
    def potential(self) -> float | None:
        """Potential of weights and loads; None where a load has none."""
        problem = self.state.problem
        return float(problem.potential(self.state.q[None])[0]) if problem.has_potential else None

    @cached_property
    def idle(self) -> Array:
        """Free motions that no load resists: motions × free motions."""
        K = self.state.stiffness
        _, values, axes = np.linalg.svd(K)
        return axes[values <= NEUTRAL * self._largest]


def is_balanced(state: StaticState) -> bool:
    """Whether the loads balance at the position."""
    return reduced_force_norm(state) <= BALANCED * state.scale


def reduced_force_norm(state: StaticState) -> float:
    """Norm of the reduced force."""
    return float(np.linalg.norm(state.reduced))


def descend_to_equilibrium(state: StaticState) -> StaticState | None:
    """Descend to a stable equilibrium: Newton steps with all stiffnesses positive leave saddles and maxima.

    No potential is needed: a step is too long where the force after it points back as strongly. The longest step grows
    while the stiffness predicts the force after it (a trust region; Nocedal and Wright 2006, chapter 4), so that a
    chain of many links falls in few steps.
    """
    longest = LONGEST
    for _ in range(STEPS):
        if is_balanced(state):
            return refine_equilibrium(state)
        K = state.stiffness
        values, axes = np.linalg.eigh((K + K.T) / 2)
        least = max(SOFTEST * float(np.max(np.abs(values))), 1e-9 * state.scale)
        line = axes @ ((axes.T @ state.reduced) / np.maximum(np.abs(values), least))
        step = _limit_step(line @ state.free, longest)
        along, reached = state.free @ step, state.step(step)
        before = float(state.force @ step)
        if reached is not None and reached.force @ step > -0.7 * before:
            missing = abs(float(reached.force @ step) - before + float(along @ K @ along))
            farthest = FARTHEST if missing <= PREDICTED * before else LONGEST
            state, longest = reached, min(2 * longest, max(farthest, LONGEST))
        elif longest < 1e-9:
            return None
        else:
            longest = min(longest, float(np.max(np.abs(step)))) / 4
    return None


def nearest_equilibrium(state: StaticState) -> StaticState | None:
    """Find the nearest equilibrium by damped Newton steps on g = 0 (Levenberg); None at a local minimum of |g|."""
    damping = 1e-3
    for _ in range(STEPS):
        if is_balanced(state):
            return refine_equilibrium(state)
        K, g = state.stiffness, state.reduced
        size = max(float(np.linalg.norm(K)), state.scale)
        stacked = np.vstack([K, damping * size * np.eye(len(g))])
        step = np.linalg.lstsq(stacked, np.concatenate([g, np.zeros(len(g))]), rcond=None)[0]
        reached = state.step(_limit_step(step @ state.free, LONGEST))
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
    """Refine by Newton steps until rounding stops them."""
    for _ in range(REFINEMENTS):
        if not state.scale or not len(state.reduced) or not np.all(np.isfinite(state.stiffness)):
            break
        step = np.linalg.lstsq(state.stiffness, state.reduced, rcond=1e-8)[0]
        reached = state.step(_limit_step(step @ state.free, LONGEST))
        if reached is None or not reduced_force_norm(reached) < 0.5 * reduced_force_norm(state):
            break
        state = reached
    return state


def _limit_step(step: Array, longest: float) -> Array:
    largest = float(np.max(np.abs(step), initial=0.0))
    return step * min(1.0, longest / largest) if largest > 0 else step
