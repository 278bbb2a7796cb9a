"""An equilibrium and whether the mechanism comes back to it: the sign of its reduced stiffness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.studies.forces.statics.settle import size_of
from mubo.studies.forces.statics.spot import SLOPE_STEP, Spot

NEUTRAL = 1e-7  # of the largest stiffness: what is less resists nothing
FLAT = 1e-5  # of the largest force: what rounding leaves of the slope of the potential
SYMMETRIC = 1e-6  # of the largest stiffness: loads with a potential have a symmetric one


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position where the loads balance."""

    spot: Spot

    @cached_property
    def stiffnesses(self) -> Array:
        """Eigenvalues of the reduced stiffness, the lowest first: per radian, and per size of the mechanism.

        Loads that have no potential may make them complex; their real parts tell whether it drifts off."""
        K = self.spot.stiffness
        values = np.linalg.eigvalsh((K + K.T) / 2) if self.conservative else np.linalg.eigvals(K).real
        return np.sort(values)

    @property
    def conservative(self) -> bool:
        """Whether the loads behave here as if they had a potential."""
        K = self.spot.stiffness
        return bool(np.max(np.abs(K - K.T), initial=0.0) <= SYMMETRIC * max(self._largest, 1e-300))

    @property
    def _largest(self) -> float:
        return max(float(np.max(np.abs(self.spot.stiffness), initial=0.0)), self.spot.scale)

    @property
    def neutral(self) -> int:
        """Free motions that no load resists, to first order."""
        return int(np.sum(np.abs(self.stiffnesses) <= NEUTRAL * self._largest))

    @property
    def unstable(self) -> int:
        """Free motions along which it is left."""
        return int(np.sum(self.stiffnesses < -NEUTRAL * self._largest))

    @property
    def stability(self) -> str:
        """ "stable", "unstable" or "neutral"."""
        return "unstable" if self.unstable else "neutral" if self.neutral else "stable"

    @property
    def residual(self) -> float:
        """What is left of the reduced force, beside the largest force."""
        return size_of(self.spot) / self.spot.scale if self.spot.scale else 0.0

    @cached_property
    def potential(self) -> float | None:
        """Of weights and loads; None where a load has none, which shows in its slope."""
        spot, rest = self.spot, self.spot.rest
        steps = SLOPE_STEP * np.vstack([np.zeros(len(rest.weight)), *((line, -line) for line in spot.free)])
        values = rest.potential(np.array([rest.moved(spot.q, step / rest.weight) for step in steps]))
        slopes = (values[1::2] - values[2::2]) / (2 * SLOPE_STEP)
        return float(values[0]) if np.all(np.abs(slopes) <= FLAT * spot.scale) else None
