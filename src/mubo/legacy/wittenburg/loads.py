"""Forces F_i on the centres of mass, torques M_i on the bodies and efforts Q_k in the hinges, from a model's loads."""

from __future__ import annotations

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.elements import LOADS
from mubo.errors import ModelError, SimulationError
from mubo.laws import Law, Polynomial
from mubo.lazy_dataclass import dataclass
from mubo.legacy.wittenburg.bodies import Masses
from mubo.legacy.wittenburg.equations import State
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.hinges import HingeMotion
from mubo.legacy.wittenburg.vectors import cross
from mubo.mechanism.formulations.tree_loads import NUMBERS
from mubo.mechanism.loads import NamedLoad, named_loads
from mubo.model import Force, ModelDefinition
from mubo.model.coordinates import coordinate_of, holds_of, point_of

NOTHING = Polynomial((0.0,))


@dataclass(frozen=True)
class _Effort:
    """A load along a coordinate: the core's formula, its numbers, its law of time."""

    kind: int
    numbers: list[float]
    law: Law | None

    def __call__(self, q: float, v: float, t: float) -> float:
        return _core.effort(self.kind, q, v, 0.0 if self.law is None else _size(self.law, t), self.numbers)


@dataclass(frozen=True)
class _OnHinge:
    """An effort on one coordinate."""

    q: int
    v: int
    effort: _Effort


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
    effort: _Effort


@dataclass(frozen=True)
class _Drag:
    """−(linear + quadratic |u|) u on a point, u its velocity in a medium that moves itself."""

    place: _Place
    linear: float
    quadratic: float
    medium: Array

    def __call__(self, velocity: Array) -> Array:
        u = velocity - self.medium
        return np.asarray(-(self.linear + self.quadratic * np.linalg.norm(u)) * u)


class Loads:
    """The loads of a model on a tree. Gravity acts only where the model states it."""

    def __init__(self, model: ModelDefinition, graph: DirectedGraph, stacks: list[HingeMotion], masses: Masses) -> None:
        self.rates = stacks[-1].v.stop
        self.weight = masses.m[:, None] * np.array(model.gravity or (0.0, 0.0, 0.0))
        self.hinges: list[_OnHinge] = []
        self.pushes: list[_Push] = []
        self.struts: list[_Strut] = []
        self.drags: list[_Drag] = []
        self._number = {name: k for k, name in enumerate(graph.bodies)}
        self._centers = np.vstack([np.zeros(3), masses.center])
        self._stacks = {stack.name: stack for stack in stacks}
        for load in named_loads(model):
            self._add(model, model.forces[load.name], load)

    def __call__(self, state: State, q: Array, v: Array, t: float) -> tuple[Array, Array, Array]:
        """F (ground axes, one line per body), M, and one effort per rate."""
        F, M, Q = self.weight.copy(), np.zeros_like(self.weight), np.zeros(self.rates)
        for load in self.hinges:
            Q[load.v] += load.effort(q[load.q], v[load.v], t)
        for push in self.pushes:
            along = state.A0[push.place.body] @ push.direction if push.in_body else push.direction
            if push.turns:
                M[push.place.body - 1] += along * _size(push.size, t)
            else:
                _apply(F, M, state, push.place, along * _size(push.size, t))
        for drag in self.drags:
            _apply(F, M, state, drag.place, drag(_point(state, drag.place)[1]))
        for strut in self.struts:
            pull = _pull(state, strut, t)
            _apply(F, M, state, strut.ends[0], pull)
            _apply(F, M, state, strut.ends[1], -pull)
        return F, M, Q

    def _add(self, model: ModelDefinition, force: Force, load: NamedLoad) -> None:
        element = LOADS[force.kind]
        if element.key == "of":
            self.hinges.append(self._on_hinge(model, force, load))
        elif element.key == "between" and element.ends == "point":
            first, second = (self._place(model, reference) for reference in force.on)
            self.struts.append(_Strut(force.name, (first, second), _effort(load)))
        elif element.formula.medium:
            *_, (_, _, linear), (_, _, quadratic), (_, _, medium) = load.numbers
            self.drags.append(_Drag(self._place(model, force.on[0]), linear[0], quadratic[0], np.array(medium)))
        elif "direction" not in element.formula.quantities or element.key == "between":
            raise ModelError(
                f'force "{force.name}": Wittenburg\'s equations have no load of type "{force.kind}"',
                names=[force.name],
                suggestion="Use --formulation tree.",
            )
        else:
            turns = element.key == "body"
            place = _Place(self._number[force.on[0]], np.zeros(3)) if turns else self._place(model, force.on[0])
            if place.body == 0:
                return  # a load on the ground moves nothing
            direction = np.array(force.options["direction"]) / np.linalg.norm(force.options["direction"])
            in_body = force.options.get("axes") == "body"
            self.pushes.append(_Push(place, direction, in_body, load.law_of_time() or NOTHING, turns))

    def _on_hinge(self, model: ModelDefinition, force: Force, load: NamedLoad) -> _OnHinge:
        joint, number = coordinate_of(model, force.on[0])
        if holds_of(model, joint)[number] == "number":
            raise ModelError(
                f'force "{force.name}" acts on a coordinate of joint "{joint.name}", whose ball has a quaternion',
                names=[force.name, joint.name],
                suggestion=f'Give joint "{joint.name}" Euler angles, such as euler = "zxz".',
            )
        stack = self._stacks[joint.name]
        return _OnHinge(stack.q.start + number, stack.v.start + number, _effort(load))

    def _place(self, model: ModelDefinition, reference: str) -> _Place:
        body, at = point_of(model, reference)
        number = self._number[body]
        return _Place(number, np.array(at) - self._centers[number])


def _effort(load: NamedLoad) -> _Effort:
    numbers = [value for _, _, values in load.numbers for value in values]
    return _Effort(NUMBERS[load.formula], numbers, load.law_of_time())


def _size(law: Law, t: float) -> float:
    return float(law.values(np.array([t]))[0])


def _apply(F: Array, M: Array, state: State, place: _Place, force: Array) -> None:
    """A force at a point is a force on the centre of mass and a torque."""
    if place.body:
        F[place.body - 1] += force
        M[place.body - 1] += cross(state.A0[place.body] @ place.at, force)


def _pull(state: State, strut: _Strut, t: float) -> Array:
    """The force on the first end, towards the second: an effort along their distance drives them apart."""
    (first, slow), (second, fast) = (_point(state, place) for place in strut.ends)
    distance, rate = second - first, fast - slow
    length = float(np.linalg.norm(distance))
    if length == 0.0:
        raise SimulationError(
            f'the two ends of force "{strut.name}" fall together: a spring of no length has no direction',
            names=[strut.name],
        )
    along = distance / length
    return np.asarray(-strut.effort(length, float(along @ rate), t) * along)


def _point(state: State, place: _Place) -> tuple[Array, Array]:
    """Position and velocity of a point."""
    arm = state.A0[place.body] @ place.at
    if place.body == 0:
        return arm, np.zeros(3)
    body = place.body - 1
    return state.r[body] + arm, state.rdot[body] + cross(state.omega[place.body], arm)
