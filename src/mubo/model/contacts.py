"""Problems of surfaces and contacts as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model.parts import GROUND, Detail

Found = tuple[tuple[str, ...], str]
# The keys that every shape needs, and those that it may have besides body, shape and material.
NEEDED = {
    "circle": ("radius",),
    "sphere": ("radius",),
    "point": (),
    "plane": ("normal",),
    "polygon": ("corners",),
    "box": ("size",),
    "capsule": ("to", "radius"),
    "hollow": ("radius",),
}
ALLOWED = {"polygon": ("radius",), "box": ("at", "radius"), "plane": ("at",)}
ALWAYS = ("body", "shape", "young", "poisson")
ROUNDED = ("circle", "sphere", "point", "polygon", "box", "capsule")  # shapes that consist of rounded points


def surface_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """Problems of a surface: its body, and the keys of its shape."""
    body, shape = detail["body"], detail["shape"]
    if body is not None and body not in model.bodies and body != GROUND:
        yield (*where, "body"), f'there is no body "{body}". {nearest(body, model.bodies)}'
    if shape is None:
        return
    for key in NEEDED[shape]:
        if key not in detail.options:
            yield where, f'"{key}" is missing: a {shape} has {" and ".join(NEEDED[shape])}'
    allowed = (*NEEDED[shape], *ALLOWED.get(shape, ("at",)), *ALWAYS)
    for key in detail.options:
        if key not in allowed:
            yield (*where, key), f'a {shape} has no "{key}"'
    for key, dimension in (("circle", 2), ("polygon", 2), ("sphere", 3)):
        if shape == key and model.dimension != dimension:
            yield (*where, "shape"), f"a {shape} belongs to models of dimension {dimension}"
    if ("young" in detail.options) != ("poisson" in detail.options):
        missing = "poisson" if "young" in detail.options else "young"
        yield where, f"\"{missing}\" is missing: the stiffness of Hertz needs Young's modulus and Poisson's ratio"
    if detail["poisson"] is not None and not 0 <= detail["poisson"] <= 0.5:
        yield (*where, "poisson"), f"Poisson's ratio lies between 0 and 0.5; found {detail['poisson']:g}"


def contact_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """Problems of a contact: its surfaces, and its law."""
    names = detail["between"] or detail["among"] or ()
    unknown = [name for name in names if name not in model.surfaces]
    for name in unknown:
        yield where, f'there is no surface "{name}". {nearest(name, model.surfaces)}'
    if detail["between"] is not None and len(names) != 2:
        yield (*where, "between"), f"a contact is between two surfaces; found {len(names)}"
    if detail["among"] is not None and len(set(names)) < 2:
        yield (*where, "among"), "needs two surfaces or more, each once"
    if detail["between"] is not None and len(names) == 2 and not unknown:
        yield from _pair_problems(model, names, where)
    for key in ("restitution",):
        value = detail[key]
        if value is not None and not 0 <= value <= 1:
            yield (*where, key), f"restitution lies between 0 (no rebound) and 1 (elastic); found {value:g}"
    yield from _law_problems(model, detail, names if not unknown else (), where)
    if detail["of"] is not None:
        yield from _stop_problems(model, detail, where)


def refuse_contacts(model: Any, study: str) -> None:
    """Refuse a study that has no contacts for a model that has some."""
    if model.contacts:
        name = next(iter(model.contacts))
        raise ModelError(
            f"contact {name}: {study} does not know contacts, which change with the motion",
            names=[name],
            suggestion="Use simulate, or replace the contact by a joint or a spring.",
        )


def _pair_problems(model: Any, names: tuple[str, ...], where: tuple[str, ...]) -> Iterator[Found]:
    surfaces = [model.surfaces[name] for name in names]
    if surfaces[0]["body"] == surfaces[1]["body"]:
        yield where, f"both surfaces belong to body {surfaces[0]['body']}: they cannot meet"
    if not any(surface["shape"] in ROUNDED for surface in surfaces):
        yield where, "one of the two needs a shape with a rounded point or corners: " + ", ".join(ROUNDED)


def _law_problems(model: Any, detail: Detail, names: Any, where: tuple[str, ...]) -> Iterator[Found]:
    static, kinetic = detail["static_friction"], detail["friction"]
    if static is not None and not (kinetic or 0) <= static:
        yield (*where, "static_friction"), "static friction is at least the kinetic one"
    if static and not kinetic:
        yield (*where, "static_friction"), '"friction" is missing: the kinetic coefficient'
    compliant = detail["stiffness"] is not None
    elastic = [name for name in names if model.surfaces[name]["young"] is not None]
    if elastic and not compliant and len(elastic) < len(names):
        lacking = next(name for name in names if name not in elastic)
        yield where, f'surface {lacking}: "young" is missing: Young\'s modulus of both surfaces, or a stiffness'
    if not compliant and not elastic:
        for key in ("exponent", "damping"):
            if key in detail.options:
                yield (*where, key), f'"{key}" belongs to compliant contact: give "stiffness", or Young\'s moduli'
    if detail["damping"] == "flores" and detail["restitution"] == 0:
        yield (*where, "restitution"), "Flores' damping has no limit at restitution 0: take a positive one"


def _stop_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    ends = [key for key in ("lower", "upper", "lower_angle", "upper_angle") if key in detail.options]
    joint = detail["of"].partition(".")[0]
    if joint not in model.joints:
        yield (*where, "of"), f'there is no joint "{joint}". {nearest(joint, model.joints)}'
    if not ends:
        yield where, 'needs "lower" or "upper" of a slide, "lower_angle" or "upper_angle" of a turn'
    if detail["friction"]:
        yield (*where, "friction"), "an end stop has no friction: give the joint a friction force"
