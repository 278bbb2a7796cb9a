"""Quantities whose extremes are reported: measures, efforts, joint loads, shaking forces, cam pressure angles, points,
joints.

Their values at change points are extrapolated. Close to a change point accelerations, and forces with them, are lost to
rounding, like ε/τ³ of the time τ to it; on a smooth motion they are smooth there all the same. So rows that are too
close are not used, and the value at the point itself is that of the cubic through four positions farther away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct, is_among
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.numerics.extremum_search import Sample
from mubo.results import Column, Columns, Event

MOST = 60  # quantities whose extremes are searched
MOST_OUTPUTS = 12  # outputs whose toggle positions are searched
SPEEDS = {1: "speed", 2: "acceleration"}
CONSTANT = 1e-9  # of the largest change of its kind: a quantity that changes less is constant
ROUNDING = 1e-9  # of the largest of its kind: a motion, or a moment of the largest force at a point, below is none


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


def rounding_floors(subjects: list[ReportedQuantity], ends: list[tuple[float, float]], reach: float) -> list[float]:
    """Rounding level of each quantity, from the largest change of its kind and of its owner. A change beyond `reach`
    counts as `reach`."""
    owners = [subject.name.partition(".")[0] for subject in subjects]
    away = dict.fromkeys(owners, 1.0)
    for subject, owner, (low, high) in zip(subjects, owners, ends, strict=True):
        if (subject.holds, subject.order) == ("length", 0) and high - low > reach:
            away[owner] = max(away[owner], (high - low) / reach)
    kinds: dict[tuple[str, ...], float] = {}
    keys = [(s.holds, str(s.order)) for s in subjects]
    for key, owner, (low, high) in zip(keys, owners, ends, strict=True):
        least = max(CONSTANT * (high - low), CONSTANT**2 * abs(high))
        kinds[key] = max(kinds.get(key, 0.0), least / away[owner])
        kinds[*key, owner] = max(kinds.get((*key, owner), 0.0), least)
    return [max(kinds[key], kinds[*key, owner]) for key, owner in zip(keys, owners, strict=True)]


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
    for kind, quantities in (
        ("driver", ("effort", "power")),
        ("reaction", ("f",)),
        ("contact", ("force", "normal", "friction_needed")),
    ):
        for column in columns.of_kind(kind):
            if column.quantity in quantities:
                yield column_quantity(columns, column.name)
    yield from joint_moments(model, columns)
    for column in columns.of_kind("shaking"):
        yield column_quantity(columns, column.name)
    for column in columns.of_kind("cam"):
        if (
            column.quantity == "pressure_angle"
        ):  # radii of curvature are reported all around the cam, whatever the run touches
            yield column_quantity(columns, column.name)
    outputs = output_joints(model)
    joints = _by_owner(columns, "joint")
    yield from _joint_quantities(columns, [joints[name] for name in joints if name in outputs])
    for owner, every in _by_owner(columns, "point").items():
        if any(_moves(columns.raw(column.name)) for column in every if column.order == 0):
            yield from _point_quantities(columns, owner, every)
    yield from _joint_quantities(columns, [every for name, every in joints.items() if name not in outputs])
    for column in columns.of_kind("vector"):
        yield column_quantity(columns, column.name)


def _joint_quantities(columns: Columns, joints: list[list[Column]]) -> Iterator[ReportedQuantity]:
    """Coordinates of joints with their rates; quaternions and counted turns have no extremes of interest."""
    for column in (column for every in joints for column in every):
        if column.holds != "number" and not (column.quantity.startswith("turn") and column.order == 0):
            yield column_quantity(columns, column.name)


def _moves(values: Array) -> bool:
    """Whether a coordinate of a point changes by more than rounding."""
    known = values[np.isfinite(values)]
    return len(known) > 1 and float(np.ptp(known)) > ROUNDING * float(np.max(np.abs(known)))


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


PART = 1 / 800  # of the run: rows closer to a change point are not used
MOST_CHANGE_POINTS = 100  # at which values are extrapolated
# Sample points, and the weights of the cubic through them at the change point: on both sides, or on one.
STENCILS = (
    (np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1.0, 4.0, 4.0, -1.0]) / 6),
    (np.array([-4.0, -3.0, -2.0, -1.0]), np.array([-1.0, 4.0, -6.0, 4.0])),
    (np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, -6.0, 4.0, -1.0])),
)


def sample_beside(
    at: float, away: float, solve: Callable[[Array], Any], count: Callable[[Any], int]
) -> tuple[Any, Array] | None:
    """Samples beside a change point, and the weights that extrapolate to it; None where others or the ends of the run
    are too close. `count` is the number of samples that were reached."""
    for points, weights in STENCILS:
        found = solve(at + away * points)
        if count(found) == len(points):
            return found, weights
    return None


class ChangePointValues:
    """Change points that a run passed, with columns beside them; `t` are its rows."""

    def __init__(self, t: Array, events: Sequence[Event], solve: Callable[[Array], Columns]) -> None:
        self.t = distinct([event.t for event in events if event.passed and event.kind != "near_miss"])[
            :MOST_CHANGE_POINTS
        ]
        self._unbounded = [event for event in events if event.kind == "unbounded"]
        few = len(t) < 2 or not len(self.t)
        self._close = 0.0 if few else PART * float(t[-1] - t[0])
        away = 0.0 if few else max(0.25 * float(t[1] - t[0]), self._close)
        self._beside = (
            [] if few else [sample_beside(at, away, solve, lambda found: len(found.raw("t"))) for at in self.t]
        )

    def steps(self, t: Array) -> set[int]:
        """Steps between rows that contain a change point or end at one."""
        after = np.searchsorted(t, self.t)
        on_row = after[is_among(self.t, t)]
        return {int(k) for k in (*(after - 1), *on_row)}

    def clear(self, t: Array, values: Array) -> Array:
        """Values at the rows, without those too close to a change point."""
        if not len(self.t) or not len(t):
            return values
        nearest = np.min(np.abs(t[:, None] - self.t[None, :]), axis=1)
        kept = np.where(nearest < self._close, np.nan, values)
        return kept if np.any(np.isfinite(kept)) else values

    def places(self, read: Callable[[Columns], Array]) -> list[Sample]:
        """Samples at each change point that is clear of others and of the ends, and beside it."""
        out = []
        for at, beside in zip(self.t, self._beside, strict=False):
            if beside is not None:
                columns, weights = beside
                values = read(columns)
                out += [Sample(float(at), float(weights @ values))]
                out += [Sample(float(t), float(v)) for t, v in zip(columns.raw("t"), values, strict=True)]
        return out

    def infinite(self, owner: str) -> list[Sample]:
        """Samples where the forces of a joint or driver are unbounded."""
        return [Sample(event.t, np.inf) for event in self._unbounded if owner in event.joints]
