"""Contacts, end stops and exact friction of a model as the units of the core: see core/contact/units.hpp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.frames import frames_of
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import coordinate_of, reported_dofs
from mubo.model.parts import Detail

CONTACT, STOP, FRICTION = 0, 1, 2  # kinds of units
PLANE, ROUND, HOLLOW, POLYGON, BLOCK = range(5)  # kinds of surfaces
DAMPING = {"none": 0, "hunt_crossley": 1, "lankarani_nikravesh": 2, "flores": 3}
HERTZ = 1.5
Numbers = list[float]
Body = tuple[int, Numbers, Numbers, float]


@dataclass(frozen=True)
class ContactOwner:
    """The element of a unit: "contact" or "force", its name, the sense of its normal for the first surface named."""

    kind: str
    name: str
    bodies: tuple[str, str]
    sense: float = 1.0
    holds: str = "force"


@dataclass(frozen=True)
class ContactUnits:
    """Units in the order of the core, and what each belongs to."""

    units: list[tuple[Any, ...]]
    owners: list[ContactOwner]

    def __bool__(self) -> bool:
        return bool(self.units)


def has_contacts(model: ModelDefinition, loads: Sequence[Any]) -> bool:
    """Whether a simulation of the model switches between modes of contact or friction."""
    return bool(model.contacts) or any(load.sticks for load in loads)


def refuse_switching(mechanism: Mechanism, what: str) -> None:
    """Refuse contacts and exact friction where a study cannot locate their switches."""
    names = [f"contact {name}" for name in mechanism.model.contacts]
    names += [f"force {load.name}" for load in mechanism.loads if load.sticks]
    if names:
        raise ModelError(
            f"{names[0]}: {what} does not follow contacts and friction that sticks",
            names=[names[0].partition(" ")[2]],
            suggestion="Use simulate; of friction, give `speed` to smooth it.",
        )


def contact_units(tree: Tree) -> ContactUnits:
    """All units of a tree."""
    out = ContactUnits([], [])
    for contact in tree.model.contacts.values():
        if contact["of"] is not None:
            _add_stops(tree, contact, out)
            continue
        pairs = [contact["between"]] if contact["between"] else combinations(contact["among"], 2)
        surfaces = tree.model.surfaces
        for first, second in pairs:
            if surfaces[first]["body"] != surfaces[second]["body"]:
                _add_pair(tree, contact, surfaces[first], surfaces[second], out)
    for number, load in enumerate(tree.mechanism.loads):
        if load.sticks:
            _add_friction(tree, number, out)
    return out


def _body(tree: Tree, name: str) -> Body:
    """A body on its link: link, place, axes by columns, angle in the plane."""
    link, frame = tree.links.frame[name]
    axes = frame.axes.T
    place = -axes @ frame.at
    return link, [float(x) for x in place], [float(x) for x in axes.T.ravel()], -tree.links.turned.get(name, 0.0)


def _lifted(values: Any) -> Numbers:
    return [*(float(x) for x in values), 0.0, 0.0, 0.0][:3]


def _points(model: ModelDefinition, surface: Detail) -> list[tuple[Numbers, float]]:
    """Rounded points that a surface consists of: place and radius; none of planes and hollows."""
    shape, radius = surface["shape"], float(surface["radius"] or 0.0)
    at = _lifted(surface["at"] or ())
    if shape in ("circle", "sphere", "point"):
        return [(at, radius)]
    if shape == "capsule":
        return [(at, radius), (_lifted(surface["to"]), radius)]
    if shape == "polygon":
        return [(_lifted(corner), radius) for corner in surface["corners"]]
    if shape == "box":
        return [(corner, radius) for corner in _box_corners(model, surface)]
    return []


def _box_corners(model: ModelDefinition, surface: Detail) -> list[Numbers]:
    at, size = np.array(_lifted(surface["at"] or ())), np.array(_lifted(surface["size"]))
    signs: list[tuple[int, ...]] = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    if model.dimension == 3:
        signs = list(product((-1, 1), repeat=3))
    return [[float(x) for x in at + np.array(sign) * size / 2] for sign in signs]


def _surface(model: ModelDefinition, surface: Detail) -> tuple[int, Numbers, float]:
    """A surface that rounded points meet: kind, numbers, radius."""
    shape, radius = surface["shape"], float(surface["radius"] or 0.0)
    at = _lifted(surface["at"] or ())
    if shape == "plane":
        normal = np.array(_lifted(surface["normal"]))
        return PLANE, [*at, *(float(x) for x in normal / np.linalg.norm(normal))], 0.0
    if shape == "hollow":
        return HOLLOW, at, radius
    if shape == "box" and model.dimension == 3:
        return BLOCK, [*at, *(x / 2 for x in _lifted(surface["size"]))], radius
    corners = [corner for corner, _ in _points(model, surface)]
    if len(corners) == 1:
        return ROUND, at, radius
    if model.dimension == 3:
        raise ModelError(
            f"surface {surface.name}: in space a {shape} meets planes, hollows and boxes alone",
            names=[surface.name],
            suggestion="Use spheres along it.",
        )
    return POLYGON, [x for corner in _counter_clockwise(corners) for x in corner], radius


def _counter_clockwise(corners: list[Numbers]) -> list[Numbers]:
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    return corners if area >= 0 else corners[::-1]


def _add_pair(tree: Tree, contact: Detail, first: Detail, second: Detail, out: ContactUnits) -> None:
    """Candidates of two surfaces: the rounded points of one, or of both, against the other."""
    model = tree.model
    one, two = _points(model, first), _points(model, second)
    law = _law(contact, first, second)
    if len(one) != 1 and (len(two) == 1 or not one):
        _add_points(tree, contact, second, first, law, -1.0, False, out)
        return
    _add_points(tree, contact, first, second, law, 1.0, False, out)
    if len(one) > 1 and len(two) > 1:
        _add_points(tree, contact, second, first, law, -1.0, True, out)


def _add_points(
    tree: Tree, contact: Detail, of: Detail, on: Detail, law: Numbers, sense: float, apart: bool, out: ContactUnits
) -> None:
    kind, numbers, rounding = _surface(tree.model, on)
    bodies = (of["body"], on["body"])
    for point, radius in _points(tree.model, of):
        values = [*law, *point, radius, rounding, float(apart), 0.0, *[0.0] * 9, 0.0, 0.0, 1.0]
        _append(tree, out, CONTACT, ContactOwner("contact", contact.name, bodies, sense), values, kind, numbers)


def _append(
    tree: Tree, out: ContactUnits, kind: int, owner: ContactOwner, values: Numbers, surface: int = 0,
    numbers: Numbers | None = None, load: int = -1,
) -> None:  # fmt: skip
    sense = tree.senses[load] if load >= 0 else -1
    bodies = (_body(tree, name) for name in owner.bodies)
    out.units.append((kind, len(out.owners), *bodies, values, surface, numbers or [], load, sense))
    out.owners.append(owner)


def _law(contact: Detail, first: Detail | None = None, second: Detail | None = None) -> Numbers:
    """Rigid, restitution, stiffness, exponent, damping, static and kinetic friction."""
    stiffness = contact["stiffness"]
    if stiffness is None and first is not None and second is not None and first["young"] is not None:
        stiffness = _hertz(contact, first, second)
    kinetic = float(contact["friction"] or 0.0)
    static = float(contact["static_friction"] or kinetic)
    e = contact["restitution"]
    if stiffness is None:
        return [1.0, float(e or 0.0), 0.0, HERTZ, 0.0, static, kinetic]
    damping = DAMPING[contact["damping"] or ("lankarani_nikravesh" if e is not None else "none")]
    exponent = float(contact["exponent"] or HERTZ)
    return [0.0, 1.0 if e is None else float(e), float(stiffness), exponent, float(damping), static, kinetic]


def _hertz(contact: Detail, first: Detail, second: Detail) -> float:
    """K = 4/3 √R / ((1 − ν₁²)/E₁ + (1 − ν₂²)/E₂) with 1/R = 1/R₁ + 1/R₂, of a hollow less."""
    soft, curvature = 0.0, 0.0
    for surface in (first, second):
        soft += (1 - float(surface["poisson"]) ** 2) / float(surface["young"])
        radius = float(surface["radius"] or 0.0)
        if surface["shape"] == "plane":
            continue
        if radius <= 0:
            raise ModelError(
                f"contact {contact.name}: surface {surface.name} has no radius, from which Hertz' stiffness follows",
                names=[contact.name],
                suggestion="Give `stiffness`, or round it by `radius`.",
            )
        curvature += (-1 if surface["shape"] == "hollow" else 1) / radius
    if curvature <= 0:
        raise ModelError(
            f"contact {contact.name}: the hollow is not larger than what moves in it", names=[contact.name]
        )
    return float(4 / 3 / np.sqrt(curvature) / soft)


def _joint_numbers(tree: Tree, of: str) -> tuple[tuple[str, str], bool, Numbers]:
    """Bodies (second, first) of a joint coordinate, whether it turns, and its axis and points in their axes."""
    model = tree.model
    joint, number = coordinate_of(model, of)
    dof = reported_dofs(model, joint)[number]
    angle = tree.mechanism.values.get(joint.name, {}).get("angle", [0.0])[0] if model.dimension == 2 else 0.0
    first, second = frames_of(model, joint, angle)
    if dof.kind not in ("turn", "slide"):
        raise ModelError(f"{of}: exact friction and end stops need a coordinate that turns or slides", names=[of])
    axis = first.axes[:, "xyz".index(dof.axis)]
    numbers = [*(float(x) for x in axis), *(float(x) for x in first.at), *(float(x) for x in second.at)]
    return (second.body, first.body), dof.kind == "turn", numbers


def _add_stops(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    bodies, turns, numbers = _joint_numbers(tree, contact["of"])
    if turns and tree.model.dimension == 3:
        raise ModelError(
            f"contact {contact.name}: rigid stops of turns in space are not known",
            names=[contact.name],
            suggestion="Use a joint_stop force, or surfaces that meet.",
        )
    for side, sense in (("lower", 1.0), ("upper", -1.0)):
        limit = contact[f"{side}_angle" if turns else side]
        if limit is None:
            continue
        holds = "torque" if turns else "force"
        values = [*_law(contact), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(turns), *numbers, 0.0, float(limit), sense]
        _append(tree, out, STOP, ContactOwner("contact", contact.name, bodies, sense, holds), values)


def _add_friction(tree: Tree, number: int, out: ContactUnits) -> None:
    load = tree.mechanism.loads[number]
    force = tree.model.forces[load.name]
    bodies, turns, numbers = _joint_numbers(tree, force.on[0])
    law = [1.0, 0.0, 0.0, HERTZ, 0.0, load.static_ratio, 1.0]
    values = [*law, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, float(turns), *numbers, 0.0, 0.0, 1.0]
    owner = ContactOwner("force", load.name, bodies, 1.0, "torque" if turns else "force")
    _append(tree, out, FRICTION, owner, values, load=number)


def bodies_of(owner: ContactOwner) -> tuple[str, ...]:
    """Moving bodies of a unit."""
    return tuple(name for name in owner.bodies if name != GROUND)


def units_by_owner(units: ContactUnits) -> Iterator[tuple[str, str, list[int]]]:
    """Kind and name of every element with the numbers of its units, in order."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, owner in enumerate(units.owners):
        found.setdefault((owner.kind, owner.name), []).append(number)
    for (kind, name), numbers in found.items():
        yield kind, name, numbers
