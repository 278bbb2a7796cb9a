"""Elements laid into the core's arrays, row by row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.elements import CLOSING, COORDINATES, JOINTS, Element, Row
from mubo.errors import ModelError
from mubo.mechanism.profiles import ProfileArrays, cam_profile, lift_corners
from mubo.model import Driver, Joint, Model, target_of

ROW_KINDS = {name: (number, *sizes) for number, (name, *sizes) in enumerate(_core.row_kinds())}
Values = dict[str, list[float]]


@dataclass(frozen=True)
class Equation:
    """The owner of an equation: ("joint", "A"), and what it means there: "x"."""

    kind: str
    name: str
    word: str = ""

    @property
    def owner(self) -> str:
        return f"{self.kind} {self.name}"

    def __str__(self) -> str:
        return f"{self.owner} ({self.word})" if self.word else self.owner


class Packer:
    """Rows as they are added. `poses` are those of all bodies, by name; `number` is their order in the core."""

    rows = ROW_KINDS
    core = _core.System

    def __init__(self, model: Model, number: Mapping[str, int], poses: Mapping[str, Array]) -> None:
        self.model, self.number, self.poses = model, number, poses
        self.kinds: list[int] = []
        self.bodies: list[list[int]] = []
        self.drivers: list[int] = []
        self.profiles: list[int] = []
        self.parameters: list[float] = []
        self.shapes: list[ProfileArrays] = []
        self.equations: list[Equation] = []
        self.notes: list[str] = []
        self.values: dict[str, Values] = {}  # of every joint: its points and options, the left-out ones included

    def add_joint(self, joint: Joint) -> None:
        """Rows of a joint; a pin with more than two ends becomes pairs with its first end."""
        element = JOINTS[joint.kind]
        for second in joint.between[1:] or (None,):
            ends = joint.between[:1] if second is None else (joint.between[0], second)
            bodies = {letter: end.partition(".")[0] for letter, end in zip("ij", ends, strict=False)}
            held = self._end_values(element, ends)
            options = {o.name: joint.options.get(o.name, o.default) for o in element.options}
            try:
                held |= element.derive(options)
            except ModelError as error:
                raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
            for option in element.options:
                value = options[option.name]
                if option.holds == "direction":
                    held[option.name] = _unit(*value)
                elif option.holds == "body":
                    bodies[option.name] = value
                elif isinstance(value, float | int):
                    held[option.name] = [float(value)]
            for row in element.rows:
                shape = (
                    cam_profile(row.kind, joint, options, self.model.units, held["point_i"]) if _profiled(row) else None
                )
                self._close(joint, element, row, held, bodies, options)
                self._add(row, held, bodies, Equation("joint", joint.name), -1, shape)
            self.values[joint.name] = held
        if any(_profiled(row) for row in element.rows):
            self.notes += lift_corners(joint, self.model.units)

    def add_driver(self, driver: Driver, column: int) -> None:
        target = target_of(self.model, driver.of)
        bodies = dict(zip("ij", target.bodies, strict=False))
        held: Values = {"zero": [0.0]}
        held |= {name: list(at) for name, at in zip(("point_i", "point_j"), target.points, strict=False)}
        held["coordinate"] = [float(name == target.picked) for name in COORDINATES]
        held["direction"] = held["coordinate"][:2]
        if target.axis is not None:
            held["axis"] = _unit(*target.axis)
        for row in target.element.rows:
            self._add(row, held, bodies, Equation("driver", driver.name), column, None)

    def system(self, free: int, fixed: Array) -> _core.System:
        return self.core(
            free,
            np.ascontiguousarray(fixed),
            np.array(self.kinds, np.int32),
            np.array(self.bodies, np.int32).reshape(-1, _core.most_bodies),
            np.array(self.drivers, np.int32),
            np.array(self.profiles, np.int32),
            np.array(self.parameters, float),
            self.shapes,
        )

    def _end_values(self, element: Element, ends: tuple[str, ...]) -> Values:
        """Values of the quantities with names of their own (see elements/declare.py)."""
        held: Values = {}
        if element.key == "of":
            picked = ends[0].partition(".")[2]
            held["coordinate"] = [float(name == picked) for name in COORDINATES]
        elif element.ends == "point":
            for name, reference in zip(("point_i", "point_j"), ends, strict=True):
                held[name] = list(self.model.place(reference)[1])
        return held

    def _close(
        self,
        joint: Joint,
        element: Element,
        row: Row,
        held: Values,
        bodies: Mapping[str, str],
        options: Mapping[str, Any],
    ) -> None:
        """The constant that was left out: what makes the row's Φ zero at the estimated positions. It is noted.

        Constants enter their row as −c, so c is Φ evaluated with c = 0.
        """
        for name in row.quantities:
            if options.get(name) is not CLOSING:
                continue
            held[name] = [0.0]
            alone = Packer(self.model, {body: k for k, body in enumerate(self.poses)}, self.poses)
            alone._add(row, held, bodies, Equation("joint", joint.name), -1, None)
            q = np.concatenate(list(self.poses.values()))
            value = float(alone.system(len(self.poses), np.zeros((0, 3))).phi(q, np.zeros(0))[0])
            option = next(o for o in element.options if o.name == name)
            if option.positive and not value > 0:
                raise ModelError(f"joint {joint.name}: {name} is zero at the estimated positions; give it")
            held[name] = [value]
            self.notes.append(f"joint {joint.name}: {name} = {value:.6g}, taken from the estimates")

    def _add(
        self,
        row: Row,
        held: Values,
        bodies: Mapping[str, str],
        owner: Equation,
        driver: int,
        shape: ProfileArrays | None,
    ) -> None:
        number, rows, _, _ = self.rows[row.kind]
        numbers = [self.number[bodies[letter]] for letter in row.bodies]
        self.kinds.append(number)
        self.bodies.append((numbers + [-1] * _core.most_bodies)[: _core.most_bodies])
        self.drivers.append(driver)
        self.profiles.append(-1 if shape is None else len(self.shapes))
        if shape is not None:
            self.shapes.append(shape)
        self.parameters += [value for name in row.quantities for value in held[name]]
        self.equations += [Equation(owner.kind, owner.name, word) for word in (row.words or ("",) * rows)]


def _profiled(row: Row) -> bool:
    return row.kind.startswith("cam_")


def _unit(x: float, y: float) -> list[float]:
    length = math.hypot(x, y)
    return [x / length, y / length]
