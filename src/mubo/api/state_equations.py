"""Equations at any state as methods of a model: the constraint equations Φ(q, t) = 0, in absolute coordinates; the
equations of motion M(q) a + h(q, v, t) + Jᵀλ = τ, in joint coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mubo import model
from mubo.arrays import Array
from mubo.docstrings import documented
from mubo.model import ModelDefinition

if TYPE_CHECKING:
    from mubo.solvers.dynamics.constraint_equations import ConstraintEquations, ConstraintNames
    from mubo.solvers.dynamics.equations import (
        Energy,
        EquationsOfMotion,
        ForwardDerivatives,
        InverseDerivatives,
    )
    from mubo.solvers.dynamics.named_numbers import StateNames

Numbers = Sequence[float] | Array | Mapping[str, Any] | float
"""Coordinates, rates, accelerations or efforts: an array in the order of `state_names`, or a dictionary by joint."""

_Q = "Joint coordinates, in the order of `state_names` or by joint; many states along a first axis."
_V = "Rates of the joint coordinates, in radians or metres per second."
_T = "Time, in seconds."
_OUT = "Array for the answer, C-contiguous doubles of its shape; a new one by default."

_ABSOLUTE = "Coordinates of the moving bodies, in the order of `constraint_names.coordinates` or by body."


class ConstraintQuestions(model.Builder):
    """Constraint equations of a model at any state, in absolute coordinates; nothing is solved.

    q and v are arrays in the order of `constraint_names.coordinates`, or dictionaries by body, {"crank": [0, 0, 0.3]},
    or by name, {"crank.phi": "30 deg"}. In the plane a body has x, y, φ, in space a place and a unit quaternion. Plain
    angles are radians whatever unit the model declares.
    """

    _constraints: ConstraintEquations | None = None

    def _constraint_equations(self) -> ConstraintEquations:
        """Those of the model as it is now."""
        from mubo.solvers.dynamics.constraint_equations import ConstraintEquations

        frozen = self.build()
        if self._constraints is None or self._constraints.model is not frozen:
            self._constraints = ConstraintEquations(frozen)
        return self._constraints

    @property
    def constraint_names(self) -> ConstraintNames:
        """Names of the constraint equations and of the coordinates, the rows and columns of `constraint_jacobian`.

        Examples
        --------
        >>> names = mubo.load("four_bar.toml").constraint_names
        >>> names.equations[-1], names.coordinates[:3]
        ('driver motor', ('crank.x', 'crank.y', 'crank.phi'))
        """
        return self._constraint_equations().names

    @documented(q=_ABSOLUTE, t="Time, in the model's unit.", returns="Φ, a number for each constraint equation.")
    def constraints(self, q: Numbers, t: float = 0.0) -> Array:
        """The constraint equations Φ(q, t), which are zero at every position of the mechanism.

        >>> model = mubo.load("four_bar.toml")
        >>> state = model.equations(at=0.3)
        >>> bool(abs(model.constraints(state.q, 0.3)).max() < 1e-9)
        True
        """
        return self._constraint_equations().phi(q, t)

    @documented(q=_ABSOLUTE, t="Time, in the model's unit.", returns="J, constraint equations × coordinates.")
    def constraint_jacobian(self, q: Numbers, t: float = 0.0) -> Array:
        """The Jacobian J = Φ_q of the constraint equations.

        >>> model = mubo.load("four_bar.toml")
        >>> model.constraint_jacobian(model.equations(at=0).q).shape
        (9, 9)
        """
        return self._constraint_equations().jacobian(q, t)

    @documented(q=_ABSOLUTE, t="Time, in the model's unit.", returns="ν, a number for each constraint equation.")
    def nu(self, q: Numbers, t: float = 0.0) -> Array:
        """The right side ν = −Φ_t of the velocity equations J v = ν.

        >>> model = mubo.load("four_bar.toml")
        >>> model.nu(model.equations(at=0).q)[-1].round(4)  # one revolution in a second
        np.float64(6.2832)
        """
        return self._constraint_equations().nu(q, t)

    @documented(
        q=_ABSOLUTE,
        v="Rates of the coordinates, in radians.",
        t="Time, in the model's unit.",
        returns="γ, a number for each constraint equation.",
    )
    def gamma(self, q: Numbers, v: Numbers, t: float = 0.0) -> Array:
        """The right side γ of the acceleration equations J a = γ.

        >>> model = mubo.load("four_bar.toml")
        >>> state = model.equations(at=0)
        >>> bool(abs(state.jacobian @ state.a - model.gamma(state.q, state.v)).max() < 1e-9)
        True
        """
        return self._constraint_equations().gamma(q, v, t)


class StateEquations(ConstraintQuestions):
    """Equations of motion at a state, in joint coordinates, plane and space, trees and closed loops.

    q, v, a and τ are arrays in the order of `state_names`, one state or many along a first axis; or dictionaries by
    joint, {"pin": 0.3, "ball": [0, 1, 0]}, or by name, {"shoulder.q": 0.3}. Angles are in radians whatever unit the
    model declares, so that M, h and τ belong together; text carries its own unit: {"shoulder": "30 deg"}. Drivers are
    left aside: every coordinate is free. Joints that close loops have no coordinates: they are equations J a = γ.
    `jacobian`, `forward_kinematics` and `loop_jacobian` need no masses.

    Examples
    --------
    >>> arm = mubo.Model("arm", dimension=3, gravity=(0, -9.81, 0))
    >>> arm.ground.point("O", (0, 0, 0))
    >>> rod = arm.body("rod", mass=3, inertia=(0, 1, 1), center=(1, 0, 0), lengths={"OP": 2})
    >>> arm.joint("pin", "revolute", "ground.O", "rod.O", axis=(0, 0, 1))
    >>> arm.save("arm.toml")
    """

    _equations: EquationsOfMotion | None = None

    @documented(returns="The compiled equations, with the methods that follow.")
    def equations_of_motion(self) -> EquationsOfMotion:
        """Compile the equations of motion of the model as it is now: for loops in which every microsecond counts.

        >>> arm = mubo.load("arm.toml").equations_of_motion()
        >>> arm.mass_matrix(np.zeros((2, 1)))[:, 0, 0].round(6)  # two states
        array([4., 4.])
        """
        if self._equations is not None and self._is_unchanged(self._equations.model):
            return self._equations
        from mubo.solvers.dynamics.equations import EquationsOfMotion

        self._equations = EquationsOfMotion(self.build())
        return self._equations

    def _is_unchanged(self, frozen: ModelDefinition) -> bool:
        """Whether all that the equations depend on is as it was: a microsecond, where `build` looks at every part."""
        return (
            self.bodies == frozen.bodies
            and self.joints == frozen.joints
            and self.forces == frozen.forces
            and self.points == frozen.points
            and self.measures == frozen.measures
            and self.gravity == frozen.gravity
            and (self.units is frozen.units or self.units == frozen.units)
        )

    @property
    def state_names(self) -> StateNames:
        """Names of the joint coordinates q and rates v in the order of arrays; a and τ have the order of v.

        Examples
        --------
        >>> mubo.load("five_body_chain.toml").state_names.v[:4]
        ('shoulder.v1', 'shoulder.v2', 'shoulder.v3', 'elbow.v1')
        """
        return self.equations_of_motion().names

    @documented(q=_Q, out=_OUT, returns="The mass matrix.")
    def mass_matrix(self, q: Numbers, out: Array | None = None) -> Array:
        """The mass matrix M(q), symmetric and positive definite; ½ vᵀ M v is the kinetic energy.

        >>> arm = mubo.load("arm.toml")  # a rod of mass 3 whose centre is 1 from its pin, with inertia 1 about it
        >>> arm.mass_matrix({"pin": "30 deg"}).round(6)
        array([[4.]])
        """
        return self.equations_of_motion().mass_matrix(q, out)

    @documented(q=_Q, v=_V, t=_T, out=_OUT, returns="Bias efforts h.")
    def bias(self, q: Numbers, v: Numbers, t: float = 0.0, out: Array | None = None) -> Array:
        """The bias h(q, v, t): the efforts that keep accelerations at zero, against gravity and loads.

        >>> mubo.load("arm.toml").bias([0.0], [0.0]).round(6)  # m g times the distance of the centre
        array([29.43])
        """
        return self.equations_of_motion().bias(q, v, t, out)

    @documented(q=_Q, v=_V, a="Accelerations of the joint coordinates.", t=_T, out=_OUT, returns="Joint efforts τ.")
    def inverse_dynamics(self, q: Numbers, v: Numbers, a: Numbers, t: float = 0.0, out: Array | None = None) -> Array:
        """Inverse dynamics: the joint efforts τ = M a + h that give these accelerations, without forces in loops.

        >>> mubo.load("arm.toml").inverse_dynamics({"pin": "90 deg"}, {"pin": 0}, {"pin": 2}).round(6)
        array([8.])
        """
        return self.equations_of_motion().inverse_dynamics(q, v, a, t, out)

    @documented(
        q=_Q,
        v=_V,
        tau="Joint efforts, torques or forces.",
        t=_T,
        out=_OUT,
        returns="Accelerations of the joint coordinates.",
    )
    def forward_dynamics(self, q: Numbers, v: Numbers, tau: Numbers, t: float = 0.0, out: Array | None = None) -> Array:
        """Forward dynamics: the accelerations a that these joint efforts give, loops closed.

        >>> mubo.load("arm.toml").forward_dynamics([0.0], [0.0], {"pin": "29.43 Nm"}).round(6)
        array([0.])
        """
        return self.equations_of_motion().forward_dynamics(q, v, tau, t, out)

    @documented(of='Point of interest, "body.point" or body.', q=_Q, out=_OUT, returns="The Jacobian, in ground axes.")
    def jacobian(self, of: str, q: Numbers, out: Array | None = None) -> Array:
        """The Jacobian J with velocity = J v: a row for each axis of a point; for a body those of ω come first.

        >>> mubo.load("arm.toml").jacobian("rod.P", [0.0]).round(6)  # at rest along x, the tip moves along y
        array([[0.],
               [2.],
               [0.]])
        """
        return self.equations_of_motion().jacobian(of, q, out)

    @documented(of='Point of interest, "body.point" or body.', q=_Q, out=_OUT, returns="Place, in ground axes.")
    def forward_kinematics(self, of: str, q: Numbers, out: Array | None = None) -> Array:
        """Forward kinematics: the place of a point; of a body its origin and its quaternion, in the plane its angle.

        >>> mubo.load("arm.toml").forward_kinematics("rod.P", {"pin": "90 deg"}).round(6)
        array([0., 2., 0.])
        """
        return self.equations_of_motion().forward_kinematics(of, q, out)

    @documented(q=_Q, t=_T, out=_OUT, returns="J, equations × rates.")
    def loop_jacobian(self, q: Numbers, t: float = 0.0, out: Array | None = None) -> Array:
        """The Jacobian J of the independent equations that close loops, in joint coordinates: J v = 0.

        >>> mubo.load("arm.toml").loop_jacobian([0.0]).shape  # a tree has none
        (0, 1)
        """
        return self.equations_of_motion().loop_jacobian(q, t, out)

    @documented(
        q=_Q,
        v=_V,
        a="Accelerations of the joint coordinates.",
        t=_T,
        returns="∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M; q changes along the rates, balls turn about their own axes.",
    )
    def inverse_dynamics_derivatives(self, q: Numbers, v: Numbers, a: Numbers, t: float = 0.0) -> InverseDerivatives:
        """The exact derivatives of inverse dynamics.

        >>> arm = mubo.load("arm.toml")
        >>> arm.inverse_dynamics_derivatives({"pin": "90 deg"}, [0.0], [0.0]).q.round(6)  # of m g cos q
        array([[-29.43]])
        """
        return self.equations_of_motion().inverse_dynamics_derivatives(q, v, a, t)

    @documented(
        q=_Q,
        v=_V,
        tau="Joint efforts, torques or forces.",
        t=_T,
        returns="∂a/∂q, ∂a/∂v and ∂a/∂τ; q changes along the rates, balls turn about their own axes.",
    )
    def forward_dynamics_derivatives(self, q: Numbers, v: Numbers, tau: Numbers, t: float = 0.0) -> ForwardDerivatives:
        """The derivatives of forward dynamics, loops closed; ∂a/∂τ is the inverse of the mass matrix of a tree.

        >>> mubo.load("arm.toml").forward_dynamics_derivatives([0.0], [0.0], [0.0]).tau.round(6)
        array([[0.25]])
        """
        return self.equations_of_motion().forward_dynamics_derivatives(q, v, tau, t)

    @documented(q=_Q, v=_V, t=_T, returns="Kinetic and potential energy.")
    def energy(self, q: Numbers, v: Numbers, t: float = 0.0) -> Energy:
        """Kinetic and potential energy of a state; gravity's is zero at the origin of the ground.

        >>> mubo.load("arm.toml").energy([0.0], [2.0])  # ½ · 4 · 2²
        Energy(kinetic=8.0, potential=0.0)
        """
        return self.equations_of_motion().energy(q, v, t)
