"""Reactions of an undriven mechanism: λ where the joints leave degrees of freedom that the loads balance."""

from __future__ import annotations

from collections.abc import Mapping

from mubo.mechanism import Absolute
from mubo.solvers.forces.force_solution import ForceSolver
from mubo.solvers.forces.multipliers import body_dofs, working_equations
from mubo.solvers.forces.redundant_reactions import MinimumNormSolver, ReactionWeight


class StaticForceSolver(ForceSolver):
    """Solves Jᵀ λ = Q with fewer equations than degrees of freedom; it has a solution where the loads balance."""

    def __init__(self, form: Absolute, length_scale: float, left: int) -> None:
        super().__init__(form, length_scale)
        self._left = left  # DOFs that neither joints nor drivers take

    @property
    def redundant(self) -> bool:
        return len(working_equations(self.form)) > 0  # a body on springs alone has nothing to share

    def _sharing(self, weights: Mapping[str, ReactionWeight]) -> MinimumNormSolver:
        return MinimumNormSolver(self.form, self.exerted, weights, body_dofs(self.form) - self._left)
