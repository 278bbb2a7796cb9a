"""Reaction map: from λ to the forces and moments of every joint on every body, with their points.

With M a + Jᵀλ = Q an equation exerts −Jᵀλ on its bodies. The reaction of a joint on a body is the sum over the
equations of the joint, its moment taken about the joint point: that of the second body, which is the common point of a
pin. Of what rolls it is the contact, which wanders over both bodies: a rolling contact exerts a force alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from mubo.arrays import Array, Integers
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.contact_points import contact_arms
from mubo.model import Joint, ModelDefinition
from mubo.model.parts import STANDS_FOR
from mubo.results.record import Place


@dataclass
class ReactionMap:
    """All wrenches that equations exert on bodies: places of joints, those of the tables first, then of drivers."""

    form: Absolute
    places: list[Place] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)  # for every row the numbers of its places
    shown: int = 0
    counted: dict[str, list[int]] = field(default_factory=dict)  # places of each element that enter the norm

    def add(self, place: Place, rows: list[int]) -> None:
        for row in rows:
            self.rows[row].append(len(self.places))
        self.places.append(place)

    @property
    def body_numbers(self) -> dict[str, int]:
        """Numbers of the bodies in the core: moving bodies first."""
        return {name: k for k, name in enumerate((*self.form.free, *self.form.fixed))}

    def wrenches(self, states: Array, motion: Array, lam: Array) -> Array:
        """Force and moment of every place: times × places × components, ground axes."""
        number = self.body_numbers
        bodies = np.array([number[place.body] for place in self.places], np.int32)
        carriers = np.array([number[place.carrier] for place in self.places], np.int32)
        points = np.array([place.point for place in self.places], float).reshape(-1, self.form.mechanism.dimension)
        system = self.form.system
        out = np.asarray(system.reactions(states, motion, lam, bodies, carriers, points, self.rows))
        size = self.form.mechanism.dimension
        for k, place in enumerate(self.places):
            if place.wanders:
                arm = contact_arm(self.form, states, place.joint)
                out[:, k, size:] -= moments_of(arm, out[:, k, :size])
        return out

    def equations_of(self, owner: str) -> Integers:
        """Numbers of the equations of an element, "joint A" or "driver motor"."""
        found = [k for k, equation in enumerate(self.form.equations) if equation.owner == owner]
        return np.array(found, np.int32)


def contact_arm(form: Absolute, states: Array, joint: str) -> Array:
    """Vectors from the joint point of the second body to the contact of a rolling joint, at every row."""
    given = form.model.joints[joint]
    first, second = (form.model.place(reference) for reference in given.between[:2])
    ends = [(point_positions(form, states, body, at), body_axes(form, states, body)) for body, at in (first, second)]
    return contact_arms(given, form.model.kinds[given.kind], form.values[joint], ends[0], ends[1])


def moments_of(arm: Array, force: Array) -> Array:
    """Moments of forces at the ends of arms, one row each."""
    if arm.shape[1] == 3:
        return np.asarray(np.cross(arm, force))
    return np.asarray(arm[:, :1] * force[:, 1:] - arm[:, 1:] * force[:, :1])


def place_positions(form: Absolute, states: Array, place: Place) -> Array:
    """Positions of the point of a reaction at every row, in ground axes."""
    at = point_positions(form, states, place.carrier, place.point)
    return at + contact_arm(form, states, place.joint) if place.wanders else at


def map_reactions(form: Absolute) -> ReactionMap:
    """Collect the places of every joint and driver: those in the tables, then the other sides, then the drivers."""
    by_owner: dict[str, list[int]] = {}
    for k, row in enumerate(form.mechanism.rows):
        by_owner.setdefault(row.owner.owner, []).append(k)
    out = ReactionMap(form, rows=[[] for _ in form.mechanism.rows])
    sides: list[tuple[Place, list[int]]] = []
    counted: dict[str, list[Place]] = {}
    for joint in form.model.joints.values():
        rows = by_owner.get(f"joint {joint.name}", [])
        places = _places(form.model, joint) if rows else []
        counted[f"joint {joint.name}"] = places[: max(1, len(places) - 1)]  # all but the first end
        for place in places:
            mine = [k for k in rows if place.body in form.mechanism.rows[k].bodies]
            if _is_shown(form, joint, place):
                out.add(place, mine)
            else:
                sides.append((place, mine))
        carriers = {b for k in rows for b in form.mechanism.rows[k].bodies} - {place.body for place in places}
        sides += [(_at_origin(form.model, joint.name, body), rows) for body in sorted(carriers)]
    out.shown = len(out.places)
    for place, mine in sides:
        out.add(place, mine)
    for name in form.model.drivers:
        rows = by_owner[f"driver {name}"]
        out.counted[f"driver {name}"] = [len(out.places)]
        for body in dict.fromkeys(body for k in rows for body in form.mechanism.rows[k].bodies):
            out.add(_at_origin(form.model, name, body), rows)
    number = {id(place): k for k, place in enumerate(out.places)}
    out.counted |= {owner: [number[id(place)] for place in places] for owner, places in counted.items()}
    return out


def _at_origin(model: ModelDefinition, name: str, body: str) -> Place:
    return Place(name, body, (), body, (0.0,) * model.dimension)


def _places(model: ModelDefinition, joint: Joint) -> list[Place]:
    """Places of a joint, one for every end, the second end first: it is the one in the tables."""
    ends = [_end(model, joint, reference) for reference in joint.between]
    bodies = [body for body, _ in ends]
    out = []
    for k, (body, at) in enumerate(ends):
        carrier, point = ends[-1] if len(ends) == 2 else (body, at)
        wanders = bool(model.kinds[joint.kind].contact) or STANDS_FOR in joint.options
        out.append(Place(joint.name, body, tuple(bodies[:k] + bodies[k + 1 :]), carrier, point, wanders))
    return out[1:] + out[:1]


def _end(model: ModelDefinition, joint: Joint, reference: str) -> tuple[str, tuple[float, ...]]:
    element = model.kinds[joint.kind]
    if element.key == "between" and element.ends == "point":
        return model.place(reference)
    return reference.partition(".")[0], (0.0,) * model.dimension


def _is_shown(form: Absolute, joint: Joint, place: Place) -> bool:
    """Whether a place is in the tables: the second body of two; if that is fixed also the first; every one of a
    multiple pin."""
    if len(joint.between) != 2:
        return True
    second = joint.between[1].partition(".")[0]
    return place.body == second or second in form.fixed


def body_poses(form: Absolute, states: Array, name: str) -> Array:
    """Coordinates of a body, moving or fixed, at every row."""
    k = form.numbers.get(name)
    if k is None:
        return np.tile(form.mechanism.poses[name], (len(states), 1))
    return states[:, 0, form.width * k : form.width * (k + 1)]


def body_axes(form: Absolute, states: Array, name: str) -> Array:
    """Axes of a body at every row, as columns."""
    pose = body_poses(form, states, name)
    if form.mechanism.dimension == 3:
        return matrix(pose[:, 3:])
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def point_positions(form: Absolute, states: Array, body: str, at: Sequence[float] | Array) -> Array:
    """Positions of a point of a body at every row, in ground axes."""
    pose = body_poses(form, states, body)
    if form.mechanism.dimension == 3:
        return np.asarray(pose[:, :3] + matrix(pose[:, 3:]) @ np.asarray(at))
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return np.asarray(pose[:, :2] + np.stack([c * at[0] - s * at[1], s * at[0] + c * at[1]], axis=1))
