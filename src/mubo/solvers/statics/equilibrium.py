"""An equilibrium and its stability: the sign of its reduced stiffness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.solvers.statics.equilibrium_solver import reduced_force_norm
from mubo.solvers.statics.static_state import StaticState

NEUTRAL = 1e-7  # of the largest stiffness: what is less resists nothing
SYMMETRIC = 1e-6  # of the largest stiffness: loads with a potential have a symmetric one


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position in which the loads balance."""

    state: StaticState

    @cached_property
    def stiffnesses(self) -> Array:
        """Eigenvalues of the reduced stiffness, the lowest first: per radian, and per size of the mechanism.

        Loads that have no potential may make them complex; their real parts tell whether it drifts off.
        """
        K = self.state.stiffness
        values = np.linalg.eigvalsh((K + K.T) / 2) if self.conservative else np.linalg.eigvals(K).real
        return np.sort(values)

    @property
    def conservative(self) -> bool:
        """Whether the loads behave here as if they had a potential."""
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
        rest = self.state.rest
        return float(rest.potential(self.state.q[None])[0]) if rest.has_potential else None

    @cached_property
    def idle(self) -> Array:
        """The free motions that no load resists: motions × free motions."""
        K = self.state.stiffness
        _, values, axes = np.linalg.svd(K)
        return axes[values <= NEUTRAL * self._largest]
