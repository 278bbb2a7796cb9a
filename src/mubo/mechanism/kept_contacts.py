"""Rigid contacts that stay closed along a prescribed motion: each is a joint that presses.

A rounded point C of radius r touches a face with the outward normal n, a circle or sphere about O, the inside of one,
or hangs on a rope. A contact that slides keeps C on the face moved out by r, or at its distance from O; one that sticks
rolls without slip, and turns about the point itself where r is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements.contacts import KEPT_AS
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.mechanism import Mechanism
from mubo.model import Joint, ModelDefinition
from mubo.model.parts import STANDS_FOR, Detail

CLOSED = 1e-3  # of the size of the mechanism: surfaces drawn nearer to each other touch
Vector = tuple[float, ...]


@dataclass(frozen=True)
class ContactFace:
    """The surface that a rounded point touches: a plane with a normal, or a circle or sphere about `at`, outside or
    inside."""

    kind: str  # "plane", "round" or "hollow"
    at: Vector
    radius: float = 0.0
    normal: Vector = ()


@dataclass(frozen=True)
class KeptContact:
    """A rigid contact of a rounded point on a body with a face of another, and the joint that stands for it.

    `sense` is the sign of its force for the body of the surface named first.
    """

    contact: str
    joint: str
    body: str
    center: Vector
    radius: float
    on: str
    face: ContactFace
    gap: float  # as drawn
    static: float = 0.0
    kinetic: float = 0.0
    sense: float = 1.0
    sticks: bool = False
    toward: Vector = ()  # from the point of the face to the rounded point, as drawn, in the axes of the face's body

    @property
    def foot(self) -> Array:
        """The point of the face that is nearest to the rounded point, as drawn."""
        away, start = np.array(self.toward), np.array(self.face.at)
        if self.face.kind == "plane":
            normal = np.array(self.face.normal)
            return np.asarray(start + away - (away @ normal) * normal)
        return np.asarray(start + self.face.radius * away / np.linalg.norm(away))

    def normal(self, at: Array, center: Array, axes: Array) -> Array:
        """Unit normals on the rounded point, rows × dimension, from the point `at` of the face and its body's axes."""
        if self.face.kind == "plane":
            return np.asarray(axes @ np.array(self.face.normal))
        away = (center - at) / np.linalg.norm(center - at, axis=1, keepdims=True)
        return np.asarray(-away if self.face.kind == "hollow" else away)


def closed_contacts(mechanism: Mechanism, within: float = CLOSED) -> list[KeptContact]:
    """Rigid contacts whose surfaces touch as drawn, up to a part of the size of the mechanism."""
    found: dict[tuple[str, str, str, Vector], KeptContact] = {}
    for contact in mechanism.model.contacts.values():
        for one in _candidates(mechanism, contact):
            if abs(one.gap) <= within * mechanism.size:
                found.setdefault((one.contact, one.body, one.on, one.center), one)
    by_contact: dict[str, list[KeptContact]] = {}
    for one in found.values():
        by_contact.setdefault(one.contact, []).append(one)
    return [
        replace(one, joint=_free_name(mechanism.model, name if len(every) == 1 else f"{name}_{k + 1}"))
        for name, every in by_contact.items()
        for k, one in enumerate(every)
    ]


def with_kept_contacts(model: ModelDefinition, kept: Sequence[KeptContact]) -> ModelDefinition:
    """The model with joints in place of the contacts; its surfaces stay."""
    bodies, joints = dict(model.bodies), dict(model.joints)
    for one in kept:
        length = one.radius + one.face.radius if one.face.kind == "round" else one.face.radius - one.radius
        at = one.foot if one.sticks and not one.radius else np.array(one.face.at)
        if one.face.kind == "plane" and not one.sticks:
            at = at + one.radius * np.array(one.face.normal)
        kind, options = _joint(one, model.dimension, length)
        between = []
        for body, place in ((one.on, at), (one.body, one.center)):
            name = f"{one.joint}_contact"
            points = {**bodies[body].points, name: tuple(float(x) for x in place)}
            bodies[body] = replace(bodies[body], points=points)
            between.append(f"{body}.{name}")
        joints[one.joint] = Joint(one.joint, kind, tuple(between), {**options, STANDS_FOR: one})
    gone = {one.contact for one in kept}
    contacts = {name: contact for name, contact in model.contacts.items() if name not in gone}
    return model.changed(bodies=bodies, joints=joints, contacts=contacts)


def kept_contacts(model: ModelDefinition) -> list[KeptContact]:
    """The contacts in whose place a model has joints."""
    return [joint.options[STANDS_FOR] for joint in model.joints.values() if STANDS_FOR in joint.options]


def _joint(one: KeptContact, dimension: int, length: float) -> tuple[str, dict[str, Any]]:
    """Kind and options of the joint that stands for a contact."""
    normal, plane = one.face.normal, one.face.kind == "plane"
    along = (normal[1], -normal[0]) if plane and dimension == 2 else ()
    kinds = KEPT_AS[dimension]
    if one.sticks and not one.radius:
        return kinds.turns, {}
    if one.sticks and plane:
        axis = along if dimension == 2 else normal
        return kinds.rolls, {"axis": axis, "radius": one.radius, **({"side": "left"} if dimension == 2 else {})}
    if one.sticks:
        side = "inside" if one.face.kind == "hollow" else "outside"
        track = {"radii": (one.face.radius, one.radius), "side": side}
        return kinds.rolls_around, track if dimension == 2 else {**track, "axis": one.toward}
    if plane:
        return kinds.slides, {"axis": along if dimension == 2 else normal}
    return kinds.slides_around, {"length": length}


def is_compliant(model: ModelDefinition, contact: Detail) -> bool:
    """Whether a contact has a stiffness, stated or by the materials of its surfaces."""
    names = contact["between"] or contact["among"] or ()
    return contact["stiffness"] is not None or any(model.surfaces[name]["young"] is not None for name in names)


def _free_name(model: ModelDefinition, name: str) -> str:
    """The name of a contact as that of a joint, which may have it already."""
    while name in model.joints or name in model.drivers or name in model.forces:
        name += "_contact"
    return name


def _candidates(mechanism: Mechanism, contact: Detail) -> Iterator[KeptContact]:
    """Every pair of a rounded point and the face that is nearest to it, of rigid contacts and ropes."""
    from mubo.mechanism.formulations.contact_units import rounded_points

    model, surfaces = mechanism.model, mechanism.model.surfaces
    kinetic = float(contact["friction"] or 0.0)
    law = (float(contact["static_friction"] or kinetic), kinetic)
    if is_compliant(model, contact):
        return
    if contact["rope"] is not None:
        (body, center), (on, at) = (model.place(end) for end in contact["rope"])
        face = ContactFace("hollow", tuple(at), float(contact["length"]))
        yield _kept(mechanism, contact, (body, tuple(center), 0.0), (on, face), law)
        return
    pairs = [contact["between"]] if contact["between"] else combinations(contact["among"] or (), 2)
    for names in pairs:
        first, second = (surfaces[name] for name in names)
        if first["body"] == second["body"]:
            continue
        one, two = rounded_points(model, first), rounded_points(model, second)
        swapped = len(one) != 1 and (len(two) == 1 or not one)
        ordered = [(second, first, -1.0)] if swapped else [(first, second, 1.0)]
        ordered += [(second, first, -1.0)] if len(one) > 1 and len(two) > 1 else []
        for of, other, sense in ordered:
            for place, radius in rounded_points(model, of):
                point: Vector = tuple(place[: model.dimension])
                for face in _nearest_face(mechanism, of["body"], point, other):
                    end = (other["body"], face)
                    found = _kept(mechanism, contact, (of["body"], point, radius), end, law)
                    yield replace(found, sense=sense)


def _kept(
    mechanism: Mechanism,
    contact: Detail,
    end: tuple[str, Vector, float],
    to: tuple[str, ContactFace],
    law: tuple[float, float],
) -> KeptContact:
    (body, center, radius), (on, face) = end, to
    from_face = _ground(mechanism, body, center) - _ground(mechanism, on, face.at)
    if face.kind == "plane":
        gap = float(from_face @ (_pose(mechanism, on)[1] @ np.array(face.normal))) - radius
    else:
        apart = float(np.linalg.norm(from_face))
        gap = apart - radius - face.radius if face.kind == "round" else face.radius - radius - apart
    toward = tuple(float(x) for x in _pose(mechanism, on)[1].T @ from_face)
    return KeptContact(contact.name, "", body, center, radius, on, face, gap, *law, toward=toward)


def _nearest_face(mechanism: Mechanism, body: str, center: Vector, surface: Detail) -> Iterator[ContactFace]:
    """The face of a surface that a point is nearest to; none where that is a corner."""
    from mubo.mechanism.formulations.contact_units import rounded_points

    at = tuple(float(x) for x in surface["at"] or (0.0,) * mechanism.dimension)
    shape, radius = surface["shape"], float(surface["radius"] or 0.0)
    if shape == "plane":
        normal = np.array(surface["normal"], float) / np.linalg.norm(surface["normal"])
        yield ContactFace("plane", at, 0.0, tuple(float(x) for x in normal))
    elif shape in ("circle", "sphere", "hollow"):
        yield ContactFace("hollow" if shape == "hollow" else "round", at, radius)
    elif shape == "point":
        return
    else:
        origin, axes = _pose(mechanism, surface["body"])
        local = axes.T @ (_ground(mechanism, body, center) - origin)
        corners = [np.array(place[: mechanism.dimension]) for place, _ in rounded_points(mechanism.model, surface)]
        faces = _edges(corners) if mechanism.dimension == 2 else _solid_faces(surface)
        for start, normal, inside in faces:
            if inside(local) and normal @ (local - start) >= -2 * CLOSED * mechanism.size:
                out = start + radius * normal
                yield ContactFace("plane", tuple(map(float, out)), 0.0, tuple(map(float, normal)))


def _edges(corners: list[Array]) -> Iterator[tuple[Array, Array, Any]]:
    """Edges of a polygon: start, outward normal, and whether the foot of a point lies on it."""
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    ordered = corners if area >= 0 else corners[::-1]
    for start, end in zip(ordered, [*ordered[1:], ordered[0]], strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        yield (
            start,
            np.array([along[1], -along[0]]) / length,
            lambda at, s=start, a=along, n=length: -CLOSED <= float((at - s) @ a) / n**2 <= 1 + CLOSED,
        )


def _solid_faces(surface: Detail) -> Iterator[tuple[Array, Array, Any]]:
    """Triangles of a box or hull: a corner, outward normal, and whether the foot of a point lies on it."""
    from mubo.mechanism.formulations.contact_solids import hull_triangles

    if surface["shape"] not in ("box", "hull"):
        return
    for a, b, c in hull_triangles(surface):
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        inward = [np.cross(normal, q - p) for p, q in ((a, b), (b, c), (c, a))]
        corners = (a, b, c)
        yield (
            a,
            normal,
            lambda at, i=inward, k=corners: all(
                float((at - p) @ n) >= -CLOSED * float(n @ n) for p, n in zip(k, i, strict=True)
            ),
        )


def _pose(mechanism: Mechanism, body: str) -> tuple[Array, Array]:
    """Origin of a body and its axes as columns, as drawn."""
    pose = np.asarray(mechanism.poses[body], float)
    if mechanism.dimension == 3:
        return pose[:3], matrix(pose[3:])
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return pose[:2], np.array([[c, -s], [s, c]])


def _ground(mechanism: Mechanism, body: str, at: Sequence[float]) -> Array:
    origin, axes = _pose(mechanism, body)
    return np.asarray(origin + axes @ np.array(at, float))
