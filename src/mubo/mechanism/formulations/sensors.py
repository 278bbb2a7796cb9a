"""Sensors: columns of a motion as the core evaluates them on a tree, and programs over them.

A column of a body, point, joint or driver is one sensor, in the model's units; a measure that is an expression is the
steps of that, and its rate follows by the chain rule. What is known only after the forces, an acceleration or a
reaction, has no sensor. Turns that have no count of their own (of joints in space that close loops, of arms between
points) are counted by the state of the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.errors import ModelError, nearest
from mubo.laws.stack_code import COLUMN, CURVE, NUMBER, Step, code_of
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism.formulations.absolute_loads import LoadAction, action_in_space
from mubo.mechanism.formulations.expression_bytecode import Bytecode, operation
from mubo.mechanism.formulations.links import LinkMotion, Links
from mubo.mechanism.frames import PLACE, frames_of, in_link_axes
from mubo.mechanism.loads import TURNED
from mubo.mechanism.mechanism import Mechanism
from mubo.model import Measure, ModelDefinition
from mubo.model.column_names import Column
from mubo.model.coordinates import coordinate_names, point_of, reported_dofs
from mubo.model.measures import RATES, quantities_with_measures

KINDS = {name: number for number, name in enumerate(_core.sensor_kinds())}
AXES = np.eye(3)
Sensor = tuple[int, int, list[int], int, float, list[float]]  # kind, order, bodies, winding, scale, numbers


class SensorUnavailable(ModelError):
    """Raised for a column that cannot be evaluated before its forces are known."""


@dataclass
class Sensors:
    """The sensors of a tree as they are requested; `laws` has the law number and factor of every driver."""

    mechanism: Mechanism
    links: Links
    laws: Mapping[str, tuple[int, float]]
    sensors: list[Sensor] = field(default_factory=list)
    windings: list[int] = field(default_factory=list)  # sensors whose turns the state counts
    near: list[float] = field(default_factory=list)  # about what these are at the start
    _number: dict[str, int] = field(default_factory=dict)

    @property
    def model(self) -> ModelDefinition:
        return self.mechanism.model

    @cached_property
    def known(self) -> dict[str, Column]:
        """Names of all columns, measures included."""
        return quantities_with_measures(self.model)

    def steps(self, steps: Sequence[Step], own: Mapping[str, str]) -> Bytecode:
        """A program from its steps; `own` are columns by the names that a load has for its coordinate."""
        out = Bytecode(())
        for word, what in steps:
            if word == COLUMN:
                out += self.column(own.get(what, what))
            elif word == NUMBER:
                out += operation(word, 0, what)
            elif word == CURVE:
                out += operation(word, 0, float(len(what)), [x for point in what for x in point])
            else:
                out += operation(word)
        return out

    def column(self, name: str) -> Bytecode:
        """The value of a column in the model's units."""
        measure, order = self._measure(name)
        if measure is not None and measure.key in ("of", "value"):
            return self._expression(measure, order)
        if name not in self._number:
            self._number[name] = self._new(name, measure, order)
        return operation("sensor", self._number[name])

    def _measure(self, name: str) -> tuple[Measure | None, int]:
        for order, tail in enumerate(RATES):
            owner = name.removesuffix(tail)
            if owner + tail == name and owner in self.model.measures and name in self.known:
                return self.model.measures[owner], order
        return None, 0

    def _expression(self, measure: Measure, order: int) -> Bytecode:
        """Program of a measure that is an expression; its rate needs the rates of everything in it."""
        formula = measure.formula
        for name in formula.names:
            if order + self.known[name].order > 1 or order > 1:
                raise _unavailable_error(measure.name + RATES[order])
        sizes = {name: self.model.units.column_size(column.holds, column.order) for name, column in self.known.items()}
        tree, _ = formula.sized(sizes, self.model.units.own_sizes)
        code = self.steps(code_of(tree, formula.names, formula.text), {})
        return code + operation("rate") if order else code

    def _new(self, name: str, measure: Measure | None, order: int) -> int:
        if name not in self.known:
            raise SensorUnavailable(f'there is no column "{name}". {nearest(name, self.known)}')
        column = self.known[name]
        if measure is not None:
            if order > 1:
                raise _unavailable_error(name)
            return self._of_measure(measure, order)
        if column.kind == "time":
            return self.add("time", [])
        available = column.kind in ("body", "point", "joint") or (column.kind, column.quantity) == ("driver", "value")
        if column.order > 1 or not available:
            raise _unavailable_error(name)
        found: int = getattr(self, f"_of_{column.kind}")(column)
        return found

    def add(
        self, kind: str, bodies: list[int], numbers: Sequence[float] = (), *, order: int = 0, holds: str = "length"
    ) -> int:
        """Add a sensor; a value that is an angle is returned in the model's unit."""
        scale = 1 / self.model.units.angle_factor() if holds == "angle" else 1.0
        self.sensors.append((KINDS[kind], order, bodies, -1, scale, [float(x) for x in numbers]))
        return len(self.sensors) - 1

    def _counted_angle(self, kind: str, bodies: list[int], numbers: Sequence[float], order: int, near: float) -> int:
        """A rotation whose revolutions the state counts, from about `near` on."""
        number = self.add(kind, bodies, numbers, order=order, holds="angle")
        code, own_order, ends, _, scale, values = self.sensors[number]
        same = [k for k, first in enumerate(self.windings) if self.sensors[first][2::3] == (bodies, values)]
        winding = same[0] if same else len(self.windings)
        if not same:
            self.windings.append(number)
            self.near.append(near)
        self.sensors[number] = (code, own_order, ends, winding, scale, values)
        return number

    def winding_of(self, joint: str, number: int) -> tuple[LoadAction, int]:
        """Rotation in space: the action of a load along it, in the axes of the links, and its revolution counter."""
        acting, names = self._placed(joint, number), coordinate_names(self.model, self.model.joints[joint])
        sensor = self._turn_in_space(joint, number, acting, 0)
        self._number.setdefault(f"{joint}.{names[number]}", sensor)
        return acting, self.sensors[sensor][3]

    # Sensors by the kind of column.

    def _of_body(self, column: Column) -> int:
        link = self.links.frame[column.owner][0]
        if column.quantity in ("x", "y", "z"):
            return self._place(column.owner, (0.0,) * self.model.dimension, column)
        if column.quantity == "phi":
            return self.add(
                "plane_angle", [-1, link], [-self.links.turned[column.owner]], order=column.order, holds="angle"
            )
        if column.quantity.startswith("turn "):
            return self.add("angular_velocity", [link], AXES["xyz".index(column.quantity[-1])], order=1, holds="angle")
        raise SensorUnavailable(
            f"{column.name} is part of a quaternion, on which no load can depend", suggestion="Use angles of joints."
        )

    def _of_point(self, column: Column) -> int:
        return self._place(*point_of(self.model, column.owner), column)

    def _place(self, body: str, at: Sequence[float], column: Column) -> int:
        link, frame = self.links.frame[body]
        along = AXES["xyz".index(column.quantity)]
        return self.add("position", [link], [*in_link_axes(PLACE, [*at, 0.0][:3], frame), *along], order=column.order)

    def _of_driver(self, column: Column) -> int:
        law, factor = self.laws[column.owner]
        number = self.add("law", [law], order=column.order)
        kind, order, ends, winding, _, values = self.sensors[number]
        self.sensors[number] = (kind, order, ends, winding, 1 / factor, values)
        return number

    def _of_joint(self, column: Column) -> int:
        joint = self.model.joints[column.owner]
        dofs = [dof for dof in reported_dofs(self.model, joint) for _ in dof.q]
        number = int(column.quantity.removeprefix("q") or 1) - 1 if column.quantity.startswith("q") else -1
        if number < 0 or dofs[number].kind == "ball":
            raise SensorUnavailable(
                f"{column.name} is a coordinate of a ball, on which no load can depend",
                suggestion="Use columns of its bodies, a measure, or joints of one coordinate each.",
            )
        if self.model.dimension == 2:
            return self._in_plane(column, dofs[number].kind)
        motion = self.motion_of(column.owner, number)
        if motion is not None:
            entries = [motion.q.start + number - motion.first, motion.v.start + number - motion.first]
            at = self.add("coordinate", entries, order=column.order, holds=column.holds)
            if motion.kind == "shift" and not motion.forward:
                kind, order, ends, winding, scale, values = self.sensors[at]
                self.sensors[at] = (kind, order, ends, winding, -scale, values)
            return at
        acting = self._placed(column.owner, number)
        if acting.along is Along.slide:
            links = [self.links.frame[body][0] for body in acting.bodies]
            return self.add("slide", links, acting.numbers, order=column.order)
        return self._turn_in_space(column.owner, number, acting, column.order)

    def motion_of(self, joint: str, number: int) -> LinkMotion | None:
        """The link that moves by a coordinate of a joint; None where the tree does not walk over it."""
        for motion in self.links.motions:
            if motion.joint == joint and motion.first <= number < motion.first + motion.q.stop - motion.q.start:
                return motion
        return None

    def _placed(self, joint: str, number: int) -> LoadAction:
        """Action along a coordinate of a joint in space, in the axes of the links."""
        acting = action_in_space(self.mechanism, f"joint {joint}", joint, number)
        frames = [self.links.frame[body][1] for body in acting.bodies]
        how = (
            ((PLACE, 0), (TURNED, 0), (PLACE, 1))
            if acting.along is Along.slide
            else ((TURNED, 0), (TURNED, 0), (TURNED, 1))
        )
        parts = np.reshape(acting.numbers, (3, 3))
        numbers = [
            x for (kind, end), part in zip(how, parts, strict=True) for x in in_link_axes(kind, part, frames[end])
        ]
        return LoadAction(acting.along, acting.bodies, tuple(numbers), acting.column)

    def _turn_in_space(self, joint: str, number: int, acting: LoadAction, order: int) -> int:
        given = self.model.initial_joints[joint].q if joint in self.model.initial_joints else ()
        links = [self.links.frame[body][0] for body in acting.bodies]
        return self._counted_angle("turn", links, acting.numbers, order, given[number] if given else 0.0)

    def _in_plane(self, column: Column, kind: str) -> int:
        first, second = frames_of(self.model, self.model.joints[column.owner])
        (i, one), (j, other) = self.links.frame[first.body], self.links.frame[second.body]
        if kind == "turn":
            zero = self.links.turned[first.body] - self.links.turned[second.body]
            return self.add("plane_angle", [i, j], [zero], order=column.order, holds="angle")
        numbers = [
            *in_link_axes(PLACE, first.at, one),
            *in_link_axes(TURNED, first.axes[:, 0], one),
            *in_link_axes(PLACE, second.at, other),
        ]
        return self.add("slide", [i, j], numbers, order=column.order)

    def _of_measure(self, measure: Measure, order: int) -> int:
        """A distance or an angle."""
        if measure.key == "angle" and len(measure.on) == 2:
            return self._between_bodies(measure.on, order)
        ends = [self._point(*point_of(self.model, reference)) for reference in measure.on]
        if measure.key == "distance":
            return self._between_points(ends, "distance", order)
        if len(ends) == 3:
            ends = [ends[1], ends[0], ends[1], ends[2]]
        return self._between_points(ends, "arm_angle" if self.model.dimension == 2 else "spatial_arm_angle", order)

    def _point(self, body: str, at: Sequence[float]) -> tuple[int, list[float]]:
        link, frame = self.links.frame[body]
        return link, in_link_axes(PLACE, [*at, 0.0][:3], frame)

    def _between_points(self, ends: list[tuple[int, list[float]]], kind: str, order: int) -> int:
        links, numbers = [link for link, _ in ends], [x for _, point in ends for x in point]
        if kind == "arm_angle":
            return self._counted_angle(kind, links, numbers, order, 0.0)
        return self.add(kind, links, numbers, order=order, holds="length" if kind == "distance" else "angle")

    def _between_bodies(self, bodies: Sequence[str], order: int) -> int:
        (i, one), (j, other) = (self.links.frame[body] for body in bodies)
        if self.model.dimension == 2:
            zero = self.links.turned[bodies[0]] - self.links.turned[bodies[1]]
            return self.add("plane_angle", [i, j], [zero], order=order, holds="angle")
        # The axes of a body seen from its link are the rows of its frame.
        numbers = [*one.axes.ravel(), *other.axes.ravel()]
        return self.add("rotation_angle", [i, j], numbers, order=order, holds="angle")

    def own(self, name: str, ends: Sequence[tuple[str, Sequence[float]]], turns: bool, order: int) -> str:
        """A column of its own for the distance of two points or the rotation of two bodies that a load acts along."""
        if name not in self._number:
            bodies = [body for body, _ in ends]
            found = (
                self._between_bodies(bodies, order)
                if turns
                else self._between_points([self._point(*end) for end in ends], "distance", order)
            )
            self._number[name] = found
        return name

    def all_columns(self) -> dict[str, Bytecode]:
        """Every column that can be evaluated, for a function that does not declare which it needs."""
        out: dict[str, Any] = {}
        for name in self.known:
            try:
                out[name] = self.column(name)
            except SensorUnavailable:
                continue
        return out


def _unavailable_error(name: str) -> SensorUnavailable:
    return SensorUnavailable(f"{name} is known only after the forces, which depend on it")
