"""Details of parts: pins, sections, materials, outlines and keep-outs, from what users write to what mubo holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from mubo.elements import TABLES, Option, TableSchema
from mubo.elements.details import MATERIAL, ROLLING
from mubo.errors import ModelError, nearest
from mubo.model.contacts import contact_problems, surface_problems
from mubo.model.coordinates import target_of
from mubo.model.options import read_option
from mubo.model.parts import GROUND, Detail, Parts
from mubo.quantities.units import Units

# The dimensions that define a section of each shape.
SIZES = {
    "rectangle": ("height", "width"),
    "round": ("diameter",),
    "tube": ("diameter", "thickness"),
    "I": ("height", "width", "web", "flange"),
}
BY_NUMBERS = ("area", "modulus")
Found = tuple[tuple[str, ...], str]  # where, and what is wrong


Attempt = Callable[[str, Callable[[], Any]], Any]


def read_detail(
    units: Units,
    dimension: int,
    table: TableSchema,
    name: str,
    given: Mapping[str, Any],
    attempt: Attempt = lambda option, read: read(),
) -> Detail:
    """A detail from its keys; `attempt(option, read)` answers what `read` does, or None if it notes an error.

    >>> read_detail(Units(length="m"), 2, TABLES["pin"], "A", {"diameter": "20 mm", "width": 0.03})["diameter"]
    0.02
    """
    declared = table.keys
    for key in given:
        if key not in declared:
            raise ModelError(f'there is no key "{key}". {nearest(key, declared)}')
    options: dict[str, Any] = {}
    for key, value in given.items():
        option = declared[key]
        read = attempt(key, lambda o=option, v=value: _read(units, dimension, o, v))  # type: ignore[misc]
        options |= {} if read is None else {key: read}
    return Detail(name, options)


def _read(units: Units, dimension: int, option: Option, value: Any) -> Any:
    if option.holds != "material":
        return read_option(units, option, value, dimension)
    if isinstance(value, Mapping):
        return read_detail(units, dimension, MATERIAL, "", value)
    if not isinstance(value, str):
        raise ModelError(f"material: expected a name, or a table such as {{ yield = 250e6 }}; found {value!r}")
    return value


def material_of(model: Parts, detail: Detail) -> Detail | None:
    """The material of a pin or section: by its name, or as written in place."""
    given = detail["material"]
    return model.materials.get(given) if isinstance(given, str) else given


def problems_of_details(model: Parts) -> Iterator[Found]:
    """The problems of details: place and message."""
    for table in TABLES.values():
        for name, detail in getattr(model, table.part).items():
            where = (table.name, name)
            known = {"joint": model.joints, "body": model.bodies, "driver": model.drivers}.get(table.of)
            if known is not None and name not in known:
                yield where, f'there is no {table.of} "{name}". {nearest(name, known)}'
                continue
            yield from _missing(table, detail, where)
            yield from _names(model, table, detail, where)
            yield from RULES.get(table.name, lambda model, detail, where: ())(model, detail, where)


def _missing(table: TableSchema, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    for text in table.missing(detail.options):
        yield where, text
    if isinstance(detail["material"], Detail):
        yield from _missing(MATERIAL, detail["material"], (*where, "material"))
    groups = [group for group in table.either if set(group) & detail.options.keys()]
    if table.either and (len(groups) != 1 or not set(groups[0]) <= detail.options.keys()):
        allowed = ", or ".join(" with ".join(f'"{name}"' for name in group) for group in table.either)
        yield where, f"needs {allowed}"


def _names(model: Parts, table: TableSchema, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """Points of the body, bodies and materials that are named."""
    given = detail["material"]
    if isinstance(given, str) and given not in model.materials:
        yield (*where, "material"), f'there is no material "{given}". {nearest(given, model.materials)}'
    for key in ("along", "lugs", "torque_at"):
        named = detail[key] or ()
        points = model.bodies[detail.name].points if table.of == "body" else {}
        for name in (named,) if isinstance(named, str) else named:
            if name not in points:
                yield (*where, key), f'body "{detail.name}" has no point "{name}". {nearest(name, points)}'
    for name in detail["bodies"] or ():
        if name not in model.bodies:
            yield (*where, "bodies"), f'there is no body "{name}". {nearest(name, model.bodies)}'


def _pin(model: Parts, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    joint = model.joints[detail.name]
    element = model.kinds.get(joint.kind)
    if element is not None and not (element.dofs and all(f.split()[0] in TURNS for f in element.dofs)):
        yield where, f"joint {joint.name} is {element.word}: only a joint about which bodies turn alone is a pin"
    rolls = detail["bearing"] in ROLLING
    if rolls and "rating" not in detail.options:
        yield where, f'"rating" is missing: a {detail["bearing"]} bearing has a dynamic load rating C'
    for key in ("rating", "static_rating", "life"):
        if key in detail.options and not rolls:
            yield (*where, key), f'"{key}" belongs to a rolling bearing: bearing = "ball" or "roller"'
    for key in ("speed", "pv"):
        if key in detail.options and detail["bearing"] != "plain":
            yield (*where, key), f'"{key}" belongs to a plain bearing: bearing = "plain"'


TURNS = ("turn", "ball")


def _section(model: Parts, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    if detail.name == GROUND:
        yield where, "the ground is no beam: it has no length and nothing carries it"
    if detail["material"] is None:
        yield where, '"material" is missing: the name of a material, or { yield = 250e6 } in place'
    shape, given = detail["shape"], detail.options
    sizes = {size for needed in SIZES.values() for size in needed}
    needed = SIZES[shape] if shape else BY_NUMBERS
    for size in needed:
        if size not in given:
            of = f'a section of shape "{shape}"' if shape else 'a section without a "shape"'
            yield where, f'"{size}" is missing: {of} has {" and ".join(needed)}'
    for key in given:
        if (key in sizes and key not in needed) or (shape and key in (*BY_NUMBERS, "second_moment")):
            yield (*where, key), f'a section {f"of shape {shape}" if shape else "without a shape"} has no "{key}"'
    if not set(needed) - given.keys() and shape:
        yield from _hollow(detail, where)
    if detail["along"] is not None and len(set(detail["along"])) < max(2, len(detail["along"])):
        yield (*where, "along"), "a beam goes through two points or more, each once"
    elif detail["along"]:
        points = model.bodies[detail.name].points
        places = [points[name] for name in detail["along"] if name in points]
        if any(math.dist(a, b) == 0 for a, b in pairwise(places)):
            yield (*where, "along"), "two points that follow each other are the same place"


def _strut(model: Parts, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """A ram stands between two points, and yields before or after it buckles."""
    target = target_of(model, model.drivers[detail.name].of)
    ends = model.joints[target.joint].between if target.joint in model.joints else target.points
    if target.holds != "length" or len(ends) != 2:
        yield where, "only a driver between two points, or of a slide, is a ram"
    if detail["inner"] is not None and detail["diameter"] is not None and not detail["inner"] < detail["diameter"]:
        yield (*where, "inner"), "the inner diameter must be smaller than the outer one"
    material = material_of(model, detail)
    if detail["material"] is None or (material is not None and material["E"] is None):
        yield where, '"material" is missing: a material with E and yield, or { E = 210e9, yield = 250e6 }'


def _hollow(detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    """Walls that leave no room inside."""
    if "thickness" in detail.options and not 2 * detail["thickness"] < detail["diameter"]:
        yield (*where, "thickness"), "twice the wall of a tube must be less than its diameter"
    if "flange" in detail.options and not 2 * detail["flange"] < detail["height"]:
        yield (*where, "flange"), "two flanges must be less than the height"
    if "web" in detail.options and not detail["web"] <= detail["width"]:
        yield (*where, "web"), "the web must not be wider than the flanges"


def _outline(model: Parts, detail: Detail, where: tuple[str, ...]) -> Iterator[Found]:
    if detail["file"] is not None:
        yield (*where, "file"), "a drawing is read by model files; in Python give its polygon"


RULES: dict[str, Callable[[Any, Detail, tuple[str, ...]], Iterator[Found]]] = {
    "pin": _pin,
    "section": _section,
    "strut": _strut,
    "outline": _outline,
    "surface": surface_problems,
    "contact": contact_problems,
}
