"""Forces of a mechanism that is left alone: λ where the joints leave freedoms that the loads balance."""

from __future__ import annotations

from collections.abc import Mapping

from mubo.mechanism import Absolute
from mubo.solvers.forces.force_solution import Solver
from mubo.solvers.forces.multipliers import freedoms_of_bodies, working_equations
from mubo.solvers.forces.redundant_reactions import Sharing, Weight


class RestingSolver(Solver):
    """Jᵀ λ = Q has fewer equations than the bodies have freedoms; it has a solution where the loads balance."""

    def __init__(self, form: Absolute, length_scale: float, left: int) -> None:
        super().__init__(form, length_scale)
        self._left = left  # freedoms that neither joints nor drivers take

    @property
    def redundant(self) -> bool:
        return len(working_equations(self.form)) > 0  # a body on springs alone has nothing to share

    def _sharing(self, weights: Mapping[str, Weight]) -> Sharing:
        return Sharing(self.form, self.exerted, weights, freedoms_of_bodies(self.form) - self._left)
