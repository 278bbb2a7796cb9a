"""Quantities whose extremes are reported: measures, efforts, joint loads, shaking forces, cam pressure angles, points,
joints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from mubo.arrays import Array
from mubo.model import ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.results import Column, Columns

MOST = 60  # quantities whose extremes are searched
MOST_OUTPUTS = 12  # outputs whose toggle positions are searched
SPEEDS = {1: "speed", 2: "acceleration"}
ROUNDING = 1e-9  # of the largest force at the largest coordinate of a point: a moment below is none


@dataclass(frozen=True)
class ReportedQuantity:
    """A quantity read from columns, with its derivatives as far as they are known."""

    name: str
    holds: str
    order: int
    value: Callable[[Columns], Array]
    rate: Callable[[Columns], Array] | None = None
    bend: Callable[[Columns], Array] | None = None
    size: bool = False  # the norm of a vector, whose least value is not reported

    def read(self, columns: Columns) -> Array:
        """Value, rate and acceleration: 3 × rows, NaN where there is none."""
        value = self.value(columns)
        absent = np.full(len(value), np.nan)
        parts = (part(columns) if part else absent for part in (self.rate, self.bend))
        return np.stack([value, *parts])


def column_quantity(columns: Columns, name: str) -> ReportedQuantity:
    """A column as a reported quantity."""
    names: list[str] = [name]
    while len(names) < 3 and (following := columns.derivative(names[-1])):
        names.append(following)
    column = columns.column(name)
    readers = [*(_reader(n) for n in names), None, None]
    return ReportedQuantity(name, column.holds, column.order, _reader(name), readers[1], readers[2])


def _reader(name: str) -> Callable[[Columns], Array]:
    return lambda found: found.raw(name)


def reported_quantities(model: ModelDefinition, columns: Columns) -> tuple[list[ReportedQuantity], int]:
    """The reported quantities, most wanted first, and the number of those left out."""
    every = [*_all_quantities(model, columns)]
    return every[:MOST], max(len(every) - MOST, 0)


def _all_quantities(model: ModelDefinition, columns: Columns) -> Iterator[ReportedQuantity]:
    for column in columns.of_kind("measure"):
        yield column_quantity(columns, column.name)
    for kind, quantities in (("driver", ("effort", "power")), ("reaction", ("f",)), ("contact", ("force",))):
        for column in columns.of_kind(kind):
            if column.quantity in quantities:
                yield column_quantity(columns, column.name)
    yield from joint_moments(model, columns)
    for column in columns.of_kind("shaking"):
        yield column_quantity(columns, column.name)
    for column in columns.of_kind("cam"):
        if column.holds == "angle":  # radii of curvature are reported all around the cam, whatever the run touches
            yield column_quantity(columns, column.name)
    outputs = set(output_joints(model))
    joints = _by_owner(columns, "joint")
    for name in sorted(joints, key=lambda name: name not in outputs):
        for column in joints[name]:
            if column.holds != "number" and not (column.quantity.startswith("turn") and column.order == 0):
                yield column_quantity(columns, column.name)
    for owner, every in _by_owner(columns, "point").items():
        yield from _point_quantities(columns, owner, every)
    for column in columns.of_kind("vector"):
        yield column_quantity(columns, column.name)


def _by_owner(columns: Columns, kind: str) -> dict[str, list[Column]]:
    out: dict[str, list[Column]] = {}
    for column in columns.of_kind(kind):
        out.setdefault(column.owner, []).append(column)
    return out


def joint_moments(model: ModelDefinition, columns: Columns) -> Iterator[ReportedQuantity]:
    """Norm of the moment of every joint that transmits one: a guide, a weld, a hinge in space."""
    joints = _by_owner(columns, "reaction")
    forces = [columns.raw(column.name) for every in joints.values() for column in every if column.quantity == "f"]
    places = [at for body in model.bodies.values() for at in body.points.values()]
    reach = max((abs(x) for at in places for x in at), default=0.0) or 1.0
    nothing = ROUNDING * reach * max((_max_norm(force) for force in forces), default=0.0)
    for owner, every in joints.items():
        size = _vector_norm([column.name for column in every if column.holds == "torque"])
        if _max_norm(size(columns)) > nothing:
            yield ReportedQuantity(f"{owner}.moment", "torque", 0, size, size=True)


def _max_norm(values: Array) -> float:
    return float(np.max(np.nan_to_num(np.abs(values)), initial=0.0))


def _vector_norm(names: list[str]) -> Callable[[Columns], Array]:
    """Norm of a vector by the names of its components."""
    return lambda found: np.asarray(reduce(np.hypot, [found.raw(name) for name in names]))


def _point_quantities(columns: Columns, name: str, every: list[Column]) -> Iterator[ReportedQuantity]:
    """Coordinates of a point, its speed |v| with the rate v·a/|v|, and the norm of its acceleration."""
    for column in every:
        if column.order == 0:
            yield column_quantity(columns, column.name)
    velocity, acceleration = ([c.name for c in every if c.order == order] for order in (1, 2))

    def slope(found: Columns) -> Array:
        pairs, speed = zip(velocity, acceleration, strict=True), _vector_norm(velocity)(found)
        with np.errstate(all="ignore"):  # a point at rest has no direction of motion
            return np.asarray(sum(found.raw(v) / speed * found.raw(a) for v, a in pairs))

    yield ReportedQuantity(f"{name}.{SPEEDS[1]}", "length", 1, _vector_norm(velocity), slope, size=True)
    yield ReportedQuantity(f"{name}.{SPEEDS[2]}", "length", 2, _vector_norm(acceleration), size=True)


def output_joints(model: ModelDefinition) -> list[str]:
    """Joints between a body and the ground that no driver moves: the outputs of a mechanism."""
    still = grounded(model)
    driven: set[str] = set()
    for driver in model.drivers.values():
        target = target_of(model, driver.of)
        driven |= {target.joint} if target.joint else set(target.bodies)
    out = []
    for name, joint in model.joints.items():
        ends = [reference.partition(".")[0] for reference in joint.between]
        free = [end for end in ends if end not in still]
        if len(ends) == 2 and len(free) == 1 and name not in driven and free[0] not in driven:
            out.append(name)
    return out


def output_columns(model: ModelDefinition, columns: Columns) -> list[Column]:
    """The coordinate of every output that has one."""
    joints = _by_owner(columns, "joint")
    found = [[c for c in joints.get(name, ()) if c.order == 0] for name in output_joints(model)[:MOST_OUTPUTS]]
    alone = [every[0] for every in found if len(every) == 1]
    return [column for column in alone if columns.derivative(column.name) is not None]


def columns_of_quantities(model: ModelDefinition, columns: Columns, subjects: list[ReportedQuantity]) -> Columns:
    """Columns of the reported quantities, with time and drivers, and no others."""
    owners = {subject.name.rpartition(".")[0] or subject.name for subject in subjects}
    owners |= {"", *output_joints(model)[:MOST_OUTPUTS]}
    kept = (c for c in columns.schema if c.kind == "driver" or (c.kind != "body" and c.owner in owners))
    return Columns(columns.units, ((column, columns.raw(column.name)) for column in kept))
