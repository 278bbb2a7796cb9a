"""Units of contact as arrays of the core: see core/contact/units.hpp."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.tree import Tree
from mubo.model.parts import Detail

CONTACT, STOP, FRICTION, FREEWHEEL, GEAR = range(5)  # kinds of units
PLANE, ROUND, HOLLOW, POLYGON, BLOCK, SEGMENT, HULL, EDGE = range(8)  # kinds of surfaces
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
    freewheel: bool = False  # a clutch or a ratchet
    carrier: str = ""  # of gears: the third body, and the factors of all three
    factors: tuple[float, ...] = ()


@dataclass(frozen=True)
class ContactUnits:
    """Units in the order of the core, and what each belongs to."""

    units: list[tuple[Any, ...]]
    owners: list[ContactOwner]
    first_units: dict[tuple[str, str], int] = field(default_factory=dict)  # of every element
    bodies: dict[str, Body] = field(default_factory=dict)  # on their links
    rounded: dict[str, list[tuple[Numbers, float]]] = field(default_factory=dict)  # points of surfaces
    met: dict[str, tuple[int, Numbers, float]] = field(default_factory=dict)  # surfaces as points meet them

    def __bool__(self) -> bool:
        return bool(self.units)


def unit_body(tree: Tree, name: str) -> Body:
    """Return a body on its link: link, place, axes by columns, angle in the plane."""
    link, frame = tree.links.frame[name]
    axes = frame.axes.T
    place = -axes @ frame.at
    return link, [float(x) for x in place], [float(x) for x in axes.T.ravel()], -tree.links.turned.get(name, 0.0)


def padded(values: Any) -> Numbers:
    return [*(float(x) for x in values), 0.0, 0.0, 0.0][:3]


def append_unit(
    tree: Tree, out: ContactUnits, kind: int, owner: ContactOwner, values: Numbers, surface: int = 0,
    numbers: Numbers | None = None, load: int = -1,
) -> None:  # fmt: skip
    sense = tree.senses[load] if load >= 0 else -1
    names = (*owner.bodies, owner.carrier) if owner.carrier else owner.bodies
    for name in names:
        if name not in out.bodies:
            out.bodies[name] = unit_body(tree, name)
    bodies = [out.bodies[name] for name in names]
    element = out.first_units.setdefault((owner.kind, owner.name), len(out.owners))
    numbers_of_unit = [float(x) for x in (*values, element)]
    out.units.append((kind, len(out.owners), bodies, numbers_of_unit, surface, numbers or [], load, sense))
    out.owners.append(owner)


# Numbers of a unit that is no joint: turns, axis, points, zero, limit, sense; pitch and factors of gears.
NO_JOINT = [0.0, *[0.0] * 9, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
NO_SURFACE = [0.0] * 6  # point, its radius, rounding of the surface, corners apart
NO_GEARS = [0.0] * 5  # pitch, factors, Stribeck's speed, Poisson's restitution


def is_poisson(contact: Detail) -> float:
    return float(contact["impact"] == "poisson")


def law_numbers(contact: Detail, first: Detail | None = None, second: Detail | None = None) -> Numbers:
    """Rigid, restitution, stiffness, exponent, damping, static and kinetic friction. A rope's stiffness is linear."""
    stiffness = contact["stiffness"]
    if stiffness is None and first is not None and second is not None and first["young"] is not None:
        stiffness = _hertz(contact, first, second)
    kinetic = float(contact["friction"] or 0.0)
    static = float(contact["static_friction"] or kinetic)
    e = contact["restitution"]
    if stiffness is None:
        return [1.0, float(e or 0.0), 0.0, HERTZ, 0.0, static, kinetic]
    damping = DAMPING[contact["damping"] or ("lankarani_nikravesh" if e is not None else "none")]
    exponent = float(contact["exponent"] or (1.0 if contact["rope"] else HERTZ))
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
