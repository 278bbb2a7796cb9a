"""Where forces and moments enter a body: joints, drivers and loads, each at its place, in the axes of the body.

A torque that belongs to a body and to none of its points (a torque on a body, a driver of its angle) enters where the
section says, else at the one pin that joins the body to a fixed body.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np

from mubo.applications.strength.force_history import ForceSample
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.model.parts import Vector

NOTHING = 1e-12  # of the largest force times the size of the body: a torque below is none


@dataclass(frozen=True)
class Entry:
    """A force (times × 2) and a moment (times) on a body at a place (times × 2), in the axes of the body."""

    name: str
    at: Array
    force: Array
    moment: Array


def entries_of(sample: ForceSample, body: str, torque_at: str | None) -> list[Entry]:
    """Everything that acts on a body but its own weight and inertia."""
    places = [*_joints(sample, body), *_drivers(sample, body), *_loads(sample, body)]
    out = [entry for entry, placed in places if placed]
    loose = [entry for entry, placed in places if not placed]
    largest = max((float(np.nanmax(np.abs(e.force), initial=0.0)) for e in out), default=0.0)
    form = sample.solver.form
    model = form.model
    size = max((hypot(*at) for at in model.bodies[body].points.values()), default=0.0)
    for entry in loose:
        if float(np.nanmax(np.abs(entry.moment), initial=0.0)) > NOTHING * largest * size:
            at = np.broadcast_to(_torque_place(form, body, entry.name, torque_at), entry.at.shape)
            out.append(Entry(entry.name, at, entry.force, entry.moment))
    return out


def _torque_place(form: Absolute, body: str, name: str, torque_at: str | None) -> Vector:
    points = form.model.bodies[body].points
    if torque_at is not None:
        return points[torque_at]
    seats = seats_of(form, body)
    if len(seats) != 1:
        raise ModelError(
            f"section {body}: {name} is a torque on the body, and its point of entry into the beam is not stated",
            names=[body],
            suggestion=f'Name the point: torque_at = "{next(iter(points), "A")}".',
        )
    return points[seats[0]]


def seats_of(form: Absolute, body: str) -> list[str]:
    """The points of a body that joints connect to fixed bodies."""
    ends = [dict(reference.partition(".")[::2] for reference in j.between) for j in form.model.joints.values()]
    return [points[body] for points in ends if points.get(body) and set(form.fixed) & points.keys()]


def _entry(sample: ForceSample, body: str, name: str, wrench: Array, about: Array, at: Array) -> Entry:
    """From a wrench about a place in ground axes, entering at another one."""
    axes = sample.axes(body)
    force, arm = wrench[:, :2], about - at
    moment = wrench[:, 2] + arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
    own = at - sample.motion_of(body)[:, 0, :2]
    return Entry(name, np.einsum("tij,ti->tj", axes, own), np.einsum("tij,ti->tj", axes, force), moment)


def _joints(sample: ForceSample, body: str) -> Iterator[tuple[Entry, bool]]:
    for k, place in enumerate(sample.solver.reaction_map.places):
        if place.body == body and place.joint in sample.solver.form.model.joints:
            at = sample.place(place.carrier, place.point)
            yield _entry(sample, body, f"joint {place.joint}", sample.forces.wrenches[:, k], at, at), True


def _drivers(sample: ForceSample, body: str) -> Iterator[tuple[Entry, bool]]:
    """Drivers act at the points that they move; one of a joint at the joint, one of an angle as a torque."""
    model, origin = sample.solver.form.model, sample.motion_of(body)[:, 0, :2]
    for k, place in enumerate(sample.solver.reaction_map.places):
        if place.body != body or place.joint not in model.drivers:
            continue
        target = target_of(model, model.drivers[place.joint].of)
        at, turns = None, target.picked == "phi"
        if target.joint:
            at = _joint_point(sample, body, target.joint)
        elif target.points:
            at = sample.place(body, target.points[target.bodies.index(body)])
        wrench, name = sample.forces.wrenches[:, k], f"driver {place.joint}"
        yield _entry(sample, body, name, wrench, origin, origin if at is None else at), at is not None or not turns


def _joint_point(sample: ForceSample, body: str, joint: str) -> Array:
    """The joint point over the times: that of the second body, as for the reaction."""
    place = next(p for p in sample.solver.reaction_map.places if p.joint == joint and p.body == body)
    return sample.place(place.carrier, place.point)


def _loads(sample: ForceSample, body: str) -> Iterator[tuple[Entry, bool]]:
    form, origin = sample.solver.form, sample.motion_of(body)[:, 0, :2]
    number = (*form.free, *form.fixed).index(body)
    for load in form.loads.loads:
        wrench = sample.loads[load.name][:, number]
        if not np.any(wrench):
            continue
        at = None
        if load.coordinate is not None:
            at = _joint_point(sample, body, load.coordinate[0])
        elif np.any(wrench[:, :2]):
            at = sample.place(body, next(point for owner, point in load.ends if owner == body))
        entry = _entry(sample, body, f"force {load.name}", wrench, origin, origin if at is None else at)
        yield entry, at is not None
