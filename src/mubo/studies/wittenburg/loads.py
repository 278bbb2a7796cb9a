"""Forces F_i on the centres of mass, torques M_i on the bodies and efforts Q_k in the hinges, from a model's loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError
from mubo.model import Force, Model
from mubo.model.coordinates import coordinate_of, holds_of
from mubo.model.targets import point_of
from mubo.motion import Law
from mubo.studies.wittenburg.bodies import Masses
from mubo.studies.wittenburg.graph import DirectedGraph
from mubo.studies.wittenburg.hinges import Stack
from mubo.studies.wittenburg.kinematics import State
from mubo.studies.wittenburg.vectors import cross


@dataclass(frozen=True)
class _OnHinge:
    """−stiffness (q − rest) − damping v + effort(t) on one coordinate."""

    q: int
    v: int
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    effort: Law | None = None


@dataclass(frozen=True)
class _Place:
    """A point of a body, from its centre of mass (from the origin of the ground, body 0)."""

    body: int
    at: Array


@dataclass(frozen=True)
class _Push:
    """A force at a point or, without one, a torque: size(t) along a direction of the ground or of the body."""

    place: _Place
    direction: Array
    in_body: bool
    size: Law
    turns: bool


@dataclass(frozen=True)
class _Strut:
    name: str
    ends: tuple[_Place, _Place]
    stiffness: float
    length: float
    damping: float


class Loads:
    """The loads of a model on a tree. Gravity acts only where the model states it."""

    def __init__(self, model: Model, graph: DirectedGraph, stacks: list[Stack], masses: Masses) -> None:
        self.rates = stacks[-1].v.stop
        self.weight = masses.m[:, None] * np.array(model.gravity or (0.0, 0.0, 0.0))
        self.hinges: list[_OnHinge] = []
        self.pushes: list[_Push] = []
        self.struts: list[_Strut] = []
        self._number = {name: k for k, name in enumerate(graph.bodies)}
        self._centers = np.vstack([np.zeros(3), masses.center])
        self._stacks = {stack.name: stack for stack in stacks}
        for force in model.forces.values():
            self._add(model, force)

    def __call__(self, state: State, q: Array, v: Array, t: float) -> tuple[Array, Array, Array]:
        """F (ground axes, one line per body), M, and one effort per rate."""
        F, M, Q = self.weight.copy(), np.zeros_like(self.weight), np.zeros(self.rates)
        for load in self.hinges:
            Q[load.v] -= load.stiffness * (q[load.q] - load.rest) + load.damping * v[load.v]
            if load.effort is not None:
                Q[load.v] += _size(load.effort, t)
        for push in self.pushes:
            along = state.A0[push.place.body] @ push.direction if push.in_body else push.direction
            if push.turns:
                M[push.place.body - 1] += along * _size(push.size, t)
            else:
                _apply(F, M, state, push.place, along * _size(push.size, t))
        for strut in self.struts:
            pull = _pull(state, strut)
            _apply(F, M, state, strut.ends[0], pull)
            _apply(F, M, state, strut.ends[1], -pull)
        return F, M, Q

    def _add(self, model: Model, force: Force) -> None:
        options = force.options
        if force.kind in ("joint_spring", "joint_effort"):
            self.hinges.append(self._on_hinge(model, force))
        elif force.kind == "spring":
            first, second = (self._place(model, reference) for reference in force.on)
            numbers = (float(options.get(key, 0.0)) for key in ("stiffness", "length", "damping"))
            self.struts.append(_Strut(force.name, (first, second), *numbers))
        elif force.kind in ("point_force", "body_torque"):
            turns = force.kind == "body_torque"
            place = _Place(self._number[force.on[0]], np.zeros(3)) if turns else self._place(model, force.on[0])
            if place.body == 0:
                return  # what pushes the ground moves nothing
            direction = np.array(options["direction"]) / np.linalg.norm(options["direction"])
            in_body = options.get("axes", "ground") == "body"
            self.pushes.append(_Push(place, direction, in_body, options["torque" if turns else "force"], turns))
        else:
            raise ModelError(
                f'force "{force.name}": Wittenburg\'s equations have no load of type "{force.kind}"',
                names=[force.name],
                suggestion="Allowed: spring, joint_spring, joint_effort, point_force, body_torque.",
            )

    def _on_hinge(self, model: Model, force: Force) -> _OnHinge:
        joint, number = coordinate_of(model, force.on[0])
        if holds_of(model, joint)[number] == "number":
            raise ModelError(
                f'force "{force.name}" acts on a coordinate of joint "{joint.name}", whose ball has a quaternion',
                names=[force.name, joint.name],
                suggestion=f'Give joint "{joint.name}" Euler angles, such as euler = "zxz".',
            )
        stack, options = self._stacks[joint.name], force.options
        at = (stack.q.start + number, stack.v.start + number)
        if force.kind == "joint_effort":
            return _OnHinge(*at, effort=options["effort"])
        stiffness, rest, damping = (float(options.get(key, 0.0)) for key in ("stiffness", "rest", "damping"))
        return _OnHinge(*at, stiffness, rest, damping)

    def _place(self, model: Model, reference: str) -> _Place:
        body, at = point_of(model, reference)
        number = self._number[body]
        return _Place(number, np.array(at) - self._centers[number])


def _size(law: Law, t: float) -> float:
    return float(law(np.array([t]))[0, 0])


def _apply(F: Array, M: Array, state: State, place: _Place, force: Array) -> None:
    """A force at a point is a force on the centre of mass and a torque."""
    if place.body:
        F[place.body - 1] += force
        M[place.body - 1] += cross(state.A0[place.body] @ place.at, force)


def _pull(state: State, strut: _Strut) -> Array:
    """The force on the first end, towards the second: k (l − length) + c l′."""
    (first, slow), (second, fast) = (_point(state, place) for place in strut.ends)
    way, rate = second - first, fast - slow
    length = float(np.linalg.norm(way))
    if length == 0.0:
        raise SimulationError(
            f'the two ends of force "{strut.name}" fall together: a spring of no length has no direction',
            names=[strut.name],
        )
    along = way / length
    tension = strut.stiffness * (length - strut.length) + strut.damping * float(along @ rate)
    return np.asarray(tension * along)


def _point(state: State, place: _Place) -> tuple[Array, Array]:
    """Position and velocity of a point."""
    arm = state.A0[place.body] @ place.at
    if place.body == 0:
        return arm, np.zeros(3)
    body = place.body - 1
    return state.r[body] + arm, state.rdot[body] + cross(state.omega[place.body], arm)
