"""A closed position under its loads: free motions, reduced forces, multipliers, reduced stiffness.

With Z a basis of the motions that keep the constraints, J Z = 0, the reduced force is g = Zᵀ Q; a mechanism stays where
g = 0. There Q = Jᵀ λ, and the reduced stiffness is K = −Zᵀ ∂(Q − Jᵀ λ)/∂q Z: that of the loads and that of the
constraints, whose forces turn with the bodies (Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988,
chapter 14, for the equations; the second-order condition of constrained minima for the stability).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.solvers.statics.null_space import ConstraintProjection
from mubo.solvers.statics.static_problem import StaticProblem

SLOPE_STEP = 2e-4  # radians or sizes: with differences of fourth order both errors are near 1e-12
SMALL = 1e-3  # radians or sizes


@dataclass(frozen=True, eq=False)
class StaticState:
    """A position at which the mechanism is closed. Displacements are scaled: lengths in sizes of the mechanism."""

    rest: StaticProblem
    q: Array

    @cached_property
    def _held(self) -> tuple[ConstraintProjection, Array]:
        return self.rest.held(self.q)

    @cached_property
    def free(self) -> Array:
        """Basis Z: free motions × scaled displacements, orthonormal."""
        return self._held[0].free

    @cached_property
    def force(self) -> Array:
        """Forces Q over scaled displacements."""
        return np.asarray(self.rest.forces(self.q[None])[0] / self.rest.weight)

    @cached_property
    def reduced(self) -> Array:
        """Reduced force g = Zᵀ Q."""
        return np.asarray(self.free @ self.force)

    @property
    def scale(self) -> float:
        """The largest of the forces, relative to which rounding is judged. Without joints all of them vanish in
        equilibrium: there it is the force of a small displacement."""
        largest = float(np.max(np.abs(self.force), initial=0.0))
        if len(self._held[1]):
            return largest
        return max(largest, SMALL * float(np.max(np.abs(self.stiffness), initial=0.0)))

    @cached_property
    def multipliers(self) -> Array:
        """Multipliers λ of every equation, the smallest that carry the part of Q which the free motions do not feel."""
        held, lengths = self._held
        scaled = held.carrying(self.force)
        return np.asarray(np.divide(scaled, lengths, out=np.zeros_like(scaled), where=lengths > 0))

    @cached_property
    def stiffness(self) -> Array:
        """Stiffness K over the free motions."""
        return np.asarray(-self.free @ self.slopes(self.free).T)

    def slopes(self, directions: Array) -> Array:
        """Derivative of Q − Jᵀ λ along scaled displacements, λ constant: directions × scaled displacements."""
        steps = SLOPE_STEP * np.array([1.0, -1.0, 2.0, -2.0])
        if not len(directions):
            return np.zeros((0, len(self.rest.weight)))
        places = self._beside((directions[:, None] * steps[:, None]).reshape(-1, directions.shape[1]))
        left = self.rest.forces(places) - [self.multipliers @ self.rest.jacobian(q) for q in places]
        left = (left / self.rest.weight).reshape(len(directions), 4, -1)
        slope = (8 * (left[:, 0] - left[:, 1]) - (left[:, 2] - left[:, 3])) / (12 * SLOPE_STEP)
        return np.asarray(slope)

    def _beside(self, displacement: Array) -> Array:
        return self.rest.moved(self.q, displacement / self.rest.weight)

    def stepped(self, displacement: Array) -> StaticState | None:
        """The closed position beside this one, or None where none closes."""
        reached = self.rest.closed(self._beside(displacement))
        return StaticState(self.rest, reached.q) if reached.gap <= self.rest.tolerance else None
