"""Model → System (the core's arrays) and the names that belong to its numbers; or a refusal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo import _core
from mubo.elements import COORDINATES, DRIVERS, JOINTS, Element
from mubo.errors import ModelError
from mubo.model import GROUND, Driver, Joint, Model, check
from mubo.motion.law import Array

ROW_KINDS = {name: (number, *sizes) for number, (name, *sizes) in enumerate(_core.row_kinds())}


@dataclass(frozen=True)
class Compiled:
    """A model ready to solve. Between here and the result there are only integers and floats."""

    model: Model
    system: _core.System
    free: tuple[str, ...]  # bodies that own unknowns, in the order of the unknowns
    fixed: tuple[str, ...]
    estimate: Array  # of the unknowns
    equation_names: tuple[tuple[str, str], ...]  # ("joint", "A") or ("driver", "motor") of each equation
    motion_factors: Array  # radians per model unit for drivers of angles, else 1
    weight: Array  # per unknown: makes lengths comparable with angles
    notes: tuple[str, ...]  # what was taken from the estimates

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver at the times t: one line per time, three columns per driver."""
        t = np.asarray(t, float)
        out = np.zeros((len(t), 3 * len(self.model.drivers)))
        for k, driver in enumerate(self.model.drivers.values()):
            _require_domain(driver, t)
            out[:, 3 * k : 3 * k + 3] = driver.motion(t) * self.motion_factors[k]
        _require_finite(self.model, t, out)
        return out

    def equations_of(self, kind: str, name: str) -> list[int]:
        """Numbers of the equations that an element added."""
        return [k for k, owner in enumerate(self.equation_names) if owner == (kind, name)]


def compile_model(model: Model) -> Compiled:
    """Packs every element into the core's arrays, or refuses the model with all its problems."""
    problems = check(model)
    if problems:
        prefix = f"{model.source}: " if model.source else ""
        raise ModelError(
            prefix + "\n".join(str(p) for p in problems),
            names=[p.where[1] for p in problems if len(p.where) > 1],
        )
    anchored = {j.between[0] for j in model.joints.values() if JOINTS[j.kind].anchors} | {GROUND}
    free = tuple(name for name in model.bodies if name not in anchored)
    fixed = tuple(name for name in model.bodies if name in anchored)
    if not free:
        raise ModelError("every body is grounded: nothing can move")
    packer = _Packer(model, {name: k for k, name in enumerate((*free, *fixed))})
    for joint in model.joints.values():
        packer.add_joint(joint)
    for driver in model.drivers.values():
        packer.add_driver(driver)
    factors = [model.units.angle_factor() if d.of.endswith(".phi") else 1.0 for d in model.drivers.values()]
    size = _size(model)
    return Compiled(
        model=model,
        system=packer.system(len(free), _poses(model, fixed)),
        free=free,
        fixed=fixed,
        estimate=_poses(model, free).ravel(),
        equation_names=tuple(packer.owners),
        motion_factors=np.array(factors),
        weight=np.tile([1 / size, 1 / size, 1.0], len(free)),
        notes=tuple(packer.notes),
    )


class _Packer:
    """Rows as they are added, in the core's integers and floats."""

    def __init__(self, model: Model, number: dict[str, int]) -> None:
        self.model, self.number = model, number
        self.kinds: list[int] = []
        self.bodies: list[list[int]] = []
        self.drivers: list[int] = []
        self.parameters: list[float] = []
        self.owners: list[tuple[str, str]] = []
        self.notes: list[str] = []

    def add_joint(self, joint: Joint) -> None:
        element = JOINTS[joint.kind]
        held = self._quantities(joint.between, element)
        for option in element.options:
            value: Any = joint.options.get(option.name)
            if value is None:
                value = self._estimate(joint, option.name, option.estimate)
            held[option.name] = _unit(*value) if option.holds == "direction" else [value]
        self._add_rows(element, joint.between, held, ("joint", joint.name), -1)

    def add_driver(self, driver: Driver) -> None:
        element = DRIVERS["body_coordinate"]
        column = list(self.model.drivers).index(driver.name)
        held = self._quantities((driver.of,), element)
        self._add_rows(element, (driver.of,), held, ("driver", driver.name), column)

    def system(self, free: int, fixed: Array) -> _core.System:
        bodies = np.array(self.bodies, np.int32).reshape(-1, _core.most_bodies)
        return _core.System(
            free,
            np.ascontiguousarray(fixed),
            np.array(self.kinds, np.int32),
            bodies,
            np.array(self.drivers, np.int32),
            np.array(self.parameters, float),
        )

    def _quantities(self, between: tuple[str, ...], element: Element) -> dict[str, list[float]]:
        """Values of the quantities with names of their own (see elements/declare.py)."""
        held: dict[str, list[float]] = {"zero": [0.0]}
        if element.key == "between":
            for name, reference in zip(("point_i", "point_j"), between, strict=True):
                held[name] = list(self.model.place(reference)[1])
        elif element.key == "of":
            picked = between[0].partition(".")[2]
            held["coordinate"] = [float(name == picked) for name in COORDINATES]
        return held

    def _add_rows(
        self,
        element: Element,
        between: tuple[str, ...],
        held: dict[str, list[float]],
        owner: tuple[str, str],
        driver: int,
    ) -> None:
        bodies = [self.number[reference.partition(".")[0]] for reference in between]
        for row in element.rows:
            number, rows, _, _ = ROW_KINDS[row.kind]
            self.kinds.append(number)
            self.bodies.append((bodies + [-1] * _core.most_bodies)[: _core.most_bodies])
            self.drivers.append(driver)
            self.parameters += [value for name in row.quantities for value in held[name]]
            self.owners += [owner] * rows

    def _estimate(self, joint: Joint, option: str, source: str) -> float:
        """A left-out option, taken from the estimated poses and noted."""
        bodies = [self.model.bodies[reference.partition(".")[0]] for reference in joint.between]
        if source == "relative angle":
            value = bodies[1].angle - bodies[0].angle
        else:
            picked = joint.between[0].partition(".")[2]
            pose = dict(zip(COORDINATES, (*bodies[0].position, bodies[0].angle), strict=True))
            value = pose[picked]
        self.notes.append(f"joint {joint.name}: {option} = {value:.6g}, taken from the estimates")
        return value


def _unit(x: float, y: float) -> list[float]:
    length = math.hypot(x, y)
    return [x / length, y / length]


def _poses(model: Model, names: tuple[str, ...]) -> Array:
    return np.array([(*model.bodies[n].position, model.bodies[n].angle) for n in names]).reshape(-1, 3)


def _lengths(model: Model) -> Iterator[float]:
    for body in model.bodies.values():
        points = list(body.points.values())
        for k, (x, y) in enumerate(points):
            yield from (math.hypot(x - u, y - w) for u, w in points[:k])


def _size(model: Model) -> float:
    """A typical length of the mechanism: the longest distance between points of a body, or 1."""
    return max(_lengths(model), default=0.0) or 1.0


def _require_domain(driver: Driver, t: Array) -> None:
    """A table answers only between its first and last sample."""
    first, last = driver.motion.domain
    slack = 1e-9 * (last - first) if math.isfinite(last - first) else 0.0
    outside = (t < first - slack) | (t > last + slack)
    if np.any(outside):
        at = float(t[np.argmax(outside)])
        raise ModelError(
            f"driver {driver.name}: its data covers t = {first:g} to {last:g}; t = {at:g} is asked for",
            names=[driver.name],
            numbers={"t": at},
            suggestion="Shorten the analysis, or give data for the whole of it.",
        )


def _require_finite(model: Model, t: Array, motion: Array) -> None:
    bad = ~np.isfinite(motion)
    if np.any(bad):
        line, column = np.argwhere(bad)[0]
        name = list(model.drivers)[column // 3]
        what = ("value", "velocity", "acceleration")[column % 3]
        raise ModelError(
            f"driver {name}: its {what} at t = {t[line]:g} is {motion[line, column]}",
            names=[name],
            numbers={"t": float(t[line])},
            suggestion="Look at the motion law at that time.",
        )
