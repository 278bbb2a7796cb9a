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
    "hull": ("corners",),
    "box": ("size",),
    "capsule": ("to", "radius"),
    "hollow": ("radius",),
}
ALLOWED = {"polygon": ("radius",), "hull": ("radius",), "box": ("at", "radius"), "plane": ("at",)}
# The keys of a contact that belong to one of its kinds.
OF_GROUP = {
    "of": ("lower", "upper", "lower_angle", "upper_angle", "freewheel", "teeth", "pitch"),
    "rope": ("length",),
    "wheels": ("radii", "carrier", "phase", "backlash"),
}
ALWAYS = ("body", "shape", "young", "poisson")
ROUNDED = ("circle", "sphere", "point", "polygon", "box", "capsule", "hull")  # shapes that consist of rounded points


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
    for key, dimension in (("circle", 2), ("polygon", 2), ("sphere", 3), ("hull", 3)):
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
    for group, problems in (("of", _stop_problems), ("rope", _rope_problems), ("wheels", _wheel_problems)):
        if detail[group] is not None:
            yield from problems(model, detail, where)
        for key in OF_GROUP[group]:
            if detail[group] is None and key in detail.options:
                yield (*where, key), f'"{key}" belongs to a contact with "{group}"'


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
    hollows = [surface for surface in surfaces if surface["shape"] == "hollow"]
    for hollow in hollows if len(hollows) == 1 else ():
        inner = surfaces[0] if surfaces[1] is hollow else surfaces[1]
        if inner["radius"] and hollow["radius"] and inner["radius"] >= hollow["radius"]:
            yield (
                where,
                f"surface {inner.name} of radius {inner['radius']:.4g} does not fit into hollow {hollow.name} of "
                f"radius {hollow['radius']:.4g}: the hollow is curved more tightly. Make one of them smaller or larger",
            )


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
    if detail["stribeck"] is not None and not (static or 0) > (kinetic or 0):
        yield (
            (*where, "stribeck"),
            "Stribeck's curve falls from static to kinetic friction: give both, the static larger",
        )
    if detail["impact"] is not None and (compliant or elastic):
        yield (*where, "impact"), '"impact" is the law of rigid contacts; this one is compliant'
    if detail["damping"] == "flores" and detail["restitution"] == 0:
        yield (*where, "restitution"), "Flores' damping has no limit at restitution 0: take a positive one"


def _stop_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    if detail["freewheel"] is not None:
        yield from _clutch_problems(model, detail, where)
        return
    for key in ("teeth", "pitch"):
        if key in detail.options:
            yield (*where, key), f'"{key}" belongs to a ratchet: say in which sense it runs freely by "freewheel"'
    ends = [key for key in ("lower", "upper", "lower_angle", "upper_angle") if key in detail.options]
    yield from _joint_problems(model, detail, where)
    if not ends:
        yield where, 'needs "lower" or "upper" of a slide, "lower_angle" or "upper_angle" of a turn'
    if detail["friction"]:
        yield (*where, "friction"), "an end stop has no friction: give the joint a friction force"


def _joint_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    joint = detail["of"].partition(".")[0]
    if joint not in model.joints:
        yield (*where, "of"), f'there is no joint "{joint}". {nearest(joint, model.joints)}'


def _clutch_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    yield from _joint_problems(model, detail, where)
    if "teeth" in detail.options and "pitch" in detail.options:
        yield where, 'give "teeth" of a ratchet that turns, or "pitch" of one that slides'
    teeth = detail["teeth"]
    if teeth is not None and teeth != round(teeth):
        yield (*where, "teeth"), f"a ratchet has a whole number of teeth; found {teeth:g}"
    for key in ("upper", "upper_angle", "friction", "stiffness"):
        if key in detail.options:
            yield (*where, key), f'a freewheel has no "{key}"'


def _rope_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """Ends of a rope are points of two bodies."""
    ends = detail["rope"]
    if len(ends) != 2:
        yield (*where, "rope"), f"a rope has two ends; found {len(ends)}"
    for end in ends:
        try:
            model.place(end)
        except ModelError as error:
            yield (*where, "rope"), str(error)
    if len({end.partition(".")[0] for end in ends}) < len(ends):
        yield (*where, "rope"), "both ends of the rope are on one body: it holds nothing"
    if detail["friction"]:
        yield (*where, "friction"), "a rope has no friction"


def _wheel_problems(model: Any, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    for name in (*detail["wheels"], *([detail["carrier"]] if detail["carrier"] else [])):
        if name not in model.bodies and name != GROUND:
            yield where, f'there is no body "{name}". {nearest(name, model.bodies)}'
    if len(detail["wheels"]) != 2:
        yield (*where, "wheels"), f"gears are two wheels; found {len(detail['wheels'])}"
    if model.dimension == 3:
        yield (*where, "wheels"), "gears with backlash belong to models of the plane"
