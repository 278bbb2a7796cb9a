"""A joint reaction of a run: on either body, in any axes, about any point, with its uniqueness labels."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.elements import AMBIENTS
from mubo.errors import ResultError, nearest
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import mechanism_of
from mubo.mechanism.contact_points import contact_arms
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import point_of
from mubo.results import Columns, Run
from mubo.results.record import Place

UNIQUE = 1e-8  # of the largest of a self-stress: what rounding leaves in a unique component


@dataclass(frozen=True)
class JointReaction:
    """Force and moment by `others` on `on`: times × 2 and × 1, in space × 3 and × 3, in the model's units.

    `point` is where, over the rows, in ground axes; the moment is about it. `unique` says of every component, in the
    given `axes`, whether equilibrium alone determines it over the whole run.
    """

    joint: str
    on: str
    others: tuple[str, ...]
    axes: str
    force: Array
    moment: Array
    point: Array
    unique: dict[str, bool]

    @property
    def size(self) -> Array:
        """Norm |F| over the rows."""
        return np.asarray(np.linalg.norm(self.force, axis=1))

    def __getattr__(self, word: str) -> Array:
        words = AMBIENTS[self.force.shape[1]].wrench
        if word not in words:
            raise AttributeError(word)
        return np.asarray(np.concatenate([self.force, self.moment], axis=1)[:, words.index(word)])

    def __repr__(self) -> str:
        open_ = [word for word, known in self.unique.items() if not known]
        labels = f"; indeterminate: {', '.join(open_)}" if open_ else "; unique"
        by = " and ".join(self.others) or GROUND
        return f"<reaction of {self.joint} by {by} on {self.on}, {self.axes} axes{labels}>"


def joint_reaction(
    run: Run, joint: str, on: str | None = None, axes: str = GROUND, at: str | None = None
) -> JointReaction:
    """The reaction of a joint on one of its bodies; `axes` is "ground", "body" or the name of a body; `at` a point."""
    record = run.record.forces
    if record is None:
        raise ResultError("this run has no forces: use model.inverse(), or model.simulate(reactions=True)")
    places = [place for place in record.places if place.joint == joint]
    if not places:
        raise ResultError(f'no joint "{joint}" has a reaction. {nearest(joint, [p.joint for p in record.places])}')
    place, sign = _reaction_side(places, joint, on)
    body = on or place.body
    number, columns, model = record.places.index(place), run.columns, run.model
    words = model.ambient.wrench
    wrench = sign * np.stack([columns.raw(f"{place.owner}.{word}") for word in words], axis=1)[..., None]
    open_ = np.zeros((len(wrench), len(words), 0)) if record.open is None else record.open[:, number]
    both = np.concatenate([wrench, open_], axis=2)
    here = point_path(model, columns, place.carrier, place.point) + vectors_to_contact(model, columns, place)
    there = here if at is None else point_path(model, columns, *point_of(model, at))
    if at is not None:
        both = _shift_moment(both, here - there)
    seen = body if axes == "body" else axes
    if seen != GROUND:
        both = _rotate_components(both, _axes(model, columns, seen))
    values, free = both[..., 0], both[..., 1:]
    size = np.abs(free).max(initial=0.0)
    known = [bool(np.all(np.abs(free[:, k]) <= UNIQUE * size)) for k in range(len(words))]
    others = tuple(other for other in (place.body, *place.others) if other != body)
    dimension = model.dimension
    labels = dict(zip(words, known, strict=True))
    return JointReaction(joint, body, others, seen, values[:, :dimension], values[:, dimension:], there, labels)


def _reaction_side(places: list[Place], joint: str, on: str | None) -> tuple[Place, float]:
    """The place whose columns hold the reaction, and the sign: the other body of two feels the opposite."""
    for place in places:
        if on in (None, place.body):
            return place, 1.0
    if len(places[0].others) == 1 and places[0].others[0] == on:
        return places[0], -1.0
    bodies = [places[0].body, *places[0].others]
    raise ResultError(f'joint "{joint}" does not join "{on}". {nearest(str(on), bodies)}')


def point_path(model: ModelDefinition, columns: Columns, body: str, at: tuple[float, ...]) -> Array:
    """A point of a body over the rows, in ground axes: rows × 2, in space × 3."""
    letters = "xyz"[: model.dimension]
    arm = np.einsum("tij,j->ti", _axes(model, columns, body), np.array(at, float))
    if f"{body}.x" in columns:
        arm = arm + np.stack([columns.raw(f"{body}.{letter}") for letter in letters], axis=1)
    return np.asarray(arm)


def vectors_to_contact(model: ModelDefinition, columns: Columns, place: Place) -> Array:
    """Vectors from the joint point to where the reaction acts: the contact of what rolls."""
    if not place.wanders:
        return np.zeros(model.dimension)
    joint = model.joints[place.joint]
    ends = [
        (point_path(model, columns, body, at), _axes(model, columns, body))
        for body, at in (model.place(reference) for reference in joint.between[:2])
    ]
    return contact_arms(joint, model.kinds[joint.kind], mechanism_of(model).values[place.joint], ends[0], ends[1])


def _axes(model: ModelDefinition, columns: Columns, body: str) -> Array:
    """Axes of a body in ground axes: rows × dimension × dimension."""
    if body not in model.bodies:
        raise ResultError(f'there is no body "{body}". {nearest(body, model.bodies)}')
    rows, standing = len(columns["t"]), f"{body}.x" not in columns
    if standing:
        return np.tile(np.eye(model.dimension), (rows, 1, 1))
    if model.dimension == 3:
        return matrix(np.stack([columns.raw(f"{body}.q{letter}") for letter in "wxyz"], axis=1))
    angle = columns.raw(f"{body}.phi")
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def _shift_moment(both: Array, arm: Array) -> Array:
    """Moments about another point, from which the old one is `arm` away."""
    out = both.copy()
    if arm.shape[1] == 2:
        out[:, 2] += arm[:, :1] * both[:, 1] - arm[:, 1:] * both[:, 0]
    else:
        out[:, 3:] += np.cross(arm[:, :, None], both[:, :3], axis=1)
    return out


def _rotate_components(both: Array, axes: Array) -> Array:
    """Components along the given axes."""
    dimension = axes.shape[1]
    force = np.einsum("tij,tik->tjk", axes, both[:, :dimension])
    moment = both[:, dimension:] if dimension == 2 else np.einsum("tij,tik->tjk", axes, both[:, 3:])
    return np.concatenate([force, moment], axis=1)
