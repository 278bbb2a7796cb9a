"""Contacts, end stops and exact friction of a model as the units of the core: see core/contact/units.hpp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from mubo.errors import ModelError
from mubo.mechanism.formulations.contact_arrays import (
    BLOCK,
    CONTACT,
    EDGE,
    HOLLOW,
    HULL,
    NO_JOINT,
    PLANE,
    POLYGON,
    ROUND,
    SEGMENT,
    ContactOwner,
    ContactUnits,
    Numbers,
    append_unit,
    is_poisson,
    law_numbers,
    padded,
)
from mubo.mechanism.formulations.contact_solids import crossing_edges, hull_triangles, solid_corners
from mubo.mechanism.formulations.joint_contacts import add_clutch, add_friction, add_stops, add_wheels
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND, ModelDefinition
from mubo.model.parts import Detail
from mubo.note import Note


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
            (add_clutch if contact["freewheel"] else add_stops)(tree, contact, out)
            continue
        if contact["rope"] is not None:
            add_rope(tree, contact, out)
            continue
        if contact["wheels"] is not None:
            add_wheels(tree, contact, out)
            continue
        pairs = [contact["between"]] if contact["between"] else combinations(contact["among"], 2)
        surfaces = tree.model.surfaces
        for first, second in pairs:
            if surfaces[first]["body"] != surfaces[second]["body"]:
                _add_pair(tree, contact, surfaces[first], surfaces[second], out)
    for number, load in enumerate(tree.mechanism.loads):
        if load.sticks:
            add_friction(tree, number, out)
    return out


def rounded_points(model: ModelDefinition, surface: Detail) -> list[tuple[Numbers, float]]:
    """Rounded points that a surface consists of: place and radius; none of planes and hollows."""
    shape, radius = surface["shape"], float(surface["radius"] or 0.0)
    at = padded(surface["at"] or ())
    if shape in ("circle", "sphere", "point"):
        return [(at, radius)]
    if shape == "capsule":
        return [(at, radius), (padded(surface["to"]), radius)]
    if shape == "polygon":
        return [(padded(corner), radius) for corner in surface["corners"]]
    if shape in ("box", "hull") and model.dimension == 3:
        return [([float(x) for x in corner], radius) for corner in solid_corners(surface)]
    if shape == "box":
        return [(corner, radius) for corner in _box_corners(surface)]
    return []


def _box_corners(surface: Detail) -> list[Numbers]:
    """Corners of a box in the plane, counter-clockwise."""
    at, size = np.array(padded(surface["at"] or ())), np.array(padded(surface["size"]))
    signs = ((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0))
    return [[float(x) for x in at + np.array(sign) * size / 2] for sign in signs]


def _surface(model: ModelDefinition, surface: Detail) -> tuple[int, Numbers, float]:
    """A surface that rounded points meet: kind, numbers, radius."""
    shape, radius = surface["shape"], float(surface["radius"] or 0.0)
    at = padded(surface["at"] or ())
    if shape == "plane":
        normal = np.array(padded(surface["normal"]))
        return PLANE, [*at, *(float(x) for x in normal / np.linalg.norm(normal))], 0.0
    if shape == "hollow":
        return HOLLOW, at, radius
    if shape == "box" and model.dimension == 3:
        return BLOCK, [*at, *(x / 2 for x in padded(surface["size"]))], radius
    corners = [corner for corner, _ in rounded_points(model, surface)]
    if len(corners) == 1:
        return ROUND, at, radius
    if shape == "capsule" and model.dimension == 3:
        return SEGMENT, [*at, *(float(x) for x in np.subtract(padded(surface["to"]), at))], radius
    if shape == "hull":
        return HULL, [float(x) for x in hull_triangles(surface).ravel()], radius
    return POLYGON, [x for corner in _counter_clockwise(corners) for x in corner], radius


def _counter_clockwise(corners: list[Numbers]) -> list[Numbers]:
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    return corners if area >= 0 else corners[::-1]


def _add_pair(tree: Tree, contact: Detail, first: Detail, second: Detail, out: ContactUnits) -> None:
    """Candidates of two surfaces: the rounded points of one, or of both, against the other."""
    model = tree.model
    one, two = _rounded(model, first, out), _rounded(model, second, out)
    law = law_numbers(contact, first, second)
    if len(one) != 1 and (len(two) == 1 or not one):
        _add_points(tree, contact, second, first, law, -1.0, False, out)
        return
    _add_points(tree, contact, first, second, law, 1.0, False, out)
    if len(one) > 1 and len(two) > 1:
        _add_points(tree, contact, second, first, law, -1.0, True, out)
        if model.dimension == 3:
            _add_edges(tree, contact, first, second, law, out)


def _rounded(model: ModelDefinition, surface: Detail, out: ContactUnits) -> list[tuple[Numbers, float]]:
    """Rounded points of a surface, which are found once for all its pairs."""
    if surface.name not in out.rounded:
        out.rounded[surface.name] = rounded_points(model, surface)
    return out.rounded[surface.name]


def _add_edges(tree: Tree, contact: Detail, of: Detail, on: Detail, law: Numbers, out: ContactUnits) -> None:
    """Candidates of the edges of two solids that cross."""
    owner = ContactOwner("contact", contact.name, (of["body"], on["body"]))
    radii = [float(surface["radius"] or 0.0) for surface in (of, on)]
    for start, numbers in crossing_edges(of, on):
        values = [*law, *(float(x) for x in start), *radii, 0.0, *NO_JOINT, *_sliding(contact)]
        append_unit(tree, out, CONTACT, owner, values, EDGE, [float(x) for x in numbers])


def _sliding(contact: Detail) -> Numbers:
    """Stribeck's speed and Poisson's restitution."""
    return [float(contact["stribeck"] or 0.0), is_poisson(contact)]


def _add_points(
    tree: Tree, contact: Detail, of: Detail, on: Detail, law: Numbers, sense: float, apart: bool, out: ContactUnits
) -> None:
    if on.name not in out.met:
        out.met[on.name] = _surface(tree.model, on)
    kind, numbers, rounding = out.met[on.name]
    bodies = (of["body"], on["body"])
    for point, radius in _rounded(tree.model, of, out):
        values = [*law, *point, radius, rounding, float(apart), *NO_JOINT, *_sliding(contact)]
        append_unit(tree, out, CONTACT, ContactOwner("contact", contact.name, bodies, sense), values, kind, numbers)


def add_rope(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    """A rope is a point inside a circle or sphere about its other end, whose radius is its length."""
    (first, at), (second, around) = (tree.model.place(end) for end in contact["rope"])
    values = [*law_numbers(contact), *padded(at), 0.0, float(contact["length"]), 0.0, *NO_JOINT, 0.0, 0.0]
    owner = ContactOwner("contact", contact.name, (first, second))
    append_unit(tree, out, CONTACT, owner, values, HOLLOW, padded(around))


def idle_pair_notes(tree: Tree) -> Iterator[Note]:
    """Notes on contacts that can never change: both surfaces are on bodies that do not move."""
    surfaces = tree.model.surfaces
    fixed = {GROUND, *tree.mechanism.fixed}
    for contact in tree.model.contacts.values():
        pair = contact["between"]
        if pair and {surfaces[name]["body"] for name in pair} <= fixed:
            yield Note("mechanism.never_meet", contact=contact.name)


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
