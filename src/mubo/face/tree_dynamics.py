"""The equations of motion of a tree in space, M(q) a + h(q, v, t) = τ, as methods of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mubo import model
from mubo.arrays import Array

if TYPE_CHECKING:
    from mubo.studies.dynamics.equations import Energy, TreeEquations
    from mubo.studies.dynamics.states import StateNames

Numbers = Sequence[float] | Array | Mapping[str, Any] | float
"""Coordinates, rates, accelerations or efforts: an array in the order of `state_names`, or a dictionary by joint."""


class TreeDynamics(model.Builder):
    """What can be asked of a model in space whose joints form a tree, at one state.

    q, v, a and τ are arrays in the order of `state_names`, or dictionaries by joint, {"shoulder": 0.3, "wrist": [0, 1]},
    or by name, {"shoulder.q": 0.3}. Angles are in radians whatever unit the model declares, so that M, h and τ belong
    together; text carries its own unit: {"shoulder": "30 deg"}. Drivers are left aside: every coordinate is free.
    """

    _equations: TreeEquations | None = None

    def _motion_equations(self) -> TreeEquations:
        """Those of the model as it is now."""
        from mubo.studies.dynamics.equations import TreeEquations

        frozen = self.build()
        if self._equations is None or self._equations.model is not frozen:
            self._equations = TreeEquations(frozen)
        return self._equations

    @property
    def state_names(self) -> StateNames:
        """Names of the joint coordinates q and rates v in the order of arrays; a and τ have the order of v.

        >>> mubo.load("five_body_chain.toml").state_names.v
        ('j1.v1', 'j1.v2', 'j1.v3', 'j2.v1', 'j2.v2', 'j2.v3', 'j3.v', 'j4.v1', 'j4.v2', 'j4.v3', 'j5.v1', 'j5.v2', 'j5.v3')
        """
        return self._motion_equations().names

    def mass_matrix(self, q: Numbers) -> Array:
        """M(q), symmetric and positive definite; ½ vᵀ M v is the kinetic energy.

        >>> pendulum = mubo.load("pendulum.toml")
        >>> pendulum.mass_matrix({"pin": "30 deg"}).round(6)
        """
        return self._motion_equations().mass_matrix(q)

    def bias(self, q: Numbers, v: Numbers, t: float = 0.0) -> Array:
        """h(q, v, t): the efforts that hold the accelerations at zero, against gravity, velocity products and forces."""
        return self._motion_equations().inverse_dynamics(q, v, [0.0] * len(self.state_names.v), t)

    def inverse_dynamics(self, q: Numbers, v: Numbers, a: Numbers, t: float = 0.0) -> Array:
        """τ = M a + h: the joint efforts that give these accelerations."""
        return self._motion_equations().inverse_dynamics(q, v, a, t)

    def forward_dynamics(self, q: Numbers, v: Numbers, tau: Numbers, t: float = 0.0) -> Array:
        """a with M a + h = τ: the accelerations that these joint efforts give."""
        return self._motion_equations().forward_dynamics(q, v, tau, t)

    def jacobian(self, of: str, q: Numbers) -> Array:
        """J with velocity = J v: of a point of interest or "body.point" three rows, of a body six, ω first."""
        return self._motion_equations().jacobian(of, q)

    def energy(self, q: Numbers, v: Numbers, t: float = 0.0) -> Energy:
        """Kinetic and potential energy of a state; gravity's is zero at the origin of the ground."""
        return self._motion_equations().energy(q, v, t)
