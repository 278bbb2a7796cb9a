"""What extremes are told of: measures, points of interest with their speed, joint coordinates, vectors of a deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Model, target_of
from mubo.results import Column, Columns

MOST = 60  # quantities whose extremes are sought
SPEEDS = {1: "speed", 2: "acceleration"}


@dataclass(frozen=True)
class Subject:
    """A quantity: its values from any columns, and its derivatives as far as they are known."""

    name: str
    holds: str
    order: int
    value: Callable[[Columns], Array]
    rate: Callable[[Columns], Array] | None = None
    bend: Callable[[Columns], Array] | None = None
    size: bool = False  # of a vector: how large it is, whose least is told to nobody

    def read(self, columns: Columns) -> Array:
        """Value, rate and acceleration: 3 × rows, NaN where there is none."""
        value = self.value(columns)
        absent = np.full(len(value), np.nan)
        parts = (part(columns) if part else absent for part in (self.rate, self.bend))
        return np.stack([value, *parts])


def of_column(columns: Columns, name: str) -> Subject:
    """A column as a subject."""
    names: list[str] = [name]
    while len(names) < 3 and (following := columns.derivative(names[-1])):
        names.append(following)
    column = columns.column(name)
    readers = [lambda found, n=n: found.solved(n) for n in names]
    return Subject(name, column.holds, column.order, *readers)


def subjects_of(model: Model, columns: Columns) -> tuple[list[Subject], int]:
    """The quantities told, most wanted first, and how many are left out."""
    every = [*_all(model, columns)]
    return every[:MOST], max(len(every) - MOST, 0)


def _all(model: Model, columns: Columns) -> Iterator[Subject]:
    for column in columns.of("measure"):
        yield of_column(columns, column.name)
    outputs = outputs_of(model)
    joints = {column.owner: None for column in columns.of("joint")}
    for name in sorted(joints, key=lambda name: name not in outputs):
        for column in columns.of("joint", name):
            if column.holds != "number" and not (column.quantity.startswith("turn") and column.order == 0):
                yield of_column(columns, column.name)
    for owner in {column.owner: None for column in columns.of("point")}:
        yield from _point(columns, owner)
    for owner in {column.owner: None for column in columns.of("vector")}:
        for column in columns.of("vector", owner):
            yield of_column(columns, column.name)


def _point(columns: Columns, name: str) -> Iterator[Subject]:
    """Its coordinates, its speed |v| with the rate v·a/|v|, and the size of its acceleration."""
    every = columns.of("point", name)
    for column in every:
        if column.order == 0:
            yield of_column(columns, column.name)
    velocity, acceleration = ([c.name for c in every if c.order == order] for order in (1, 2))

    def length(names: list[str]) -> Callable[[Columns], Array]:
        return lambda found: np.sqrt(sum(found.solved(n) ** 2 for n in names))

    def slope(found: Columns) -> Array:
        pairs = zip(velocity, acceleration, strict=True)
        along = sum(found.solved(v) * found.solved(a) for v, a in pairs)
        with np.errstate(all="ignore"):  # a point that stands has no direction
            return np.asarray(along / length(velocity)(found))

    yield Subject(f"{name}.{SPEEDS[1]}", "length", 1, length(velocity), slope, size=True)
    yield Subject(f"{name}.{SPEEDS[2]}", "length", 2, length(acceleration), size=True)


def outputs_of(model: Model) -> list[str]:
    """Joints between a body and the ground that no driver moves: where a mechanism gives what it was made for."""
    if model.linkage is not None:
        return []
    still = {GROUND} | {j.between[0] for j in model.joints.values() if model.kinds[j.kind].anchors}
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


def output_columns(model: Model, columns: Columns) -> list[Column]:
    """The coordinate of every output that has one."""
    wanted = outputs_of(model)
    found = [column for column in columns.of("joint") if column.owner in wanted and column.order == 0]
    alone = {c.owner for c in found if sum(other.owner == c.owner for other in found) == 1}
    return [c for c in found if c.owner in alone and columns.derivative(c.name) is not None]
