"""Is the model complete and consistent, before anything is computed? All problems come together."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from mubo.elements import AMBIENTS, COORDINATES, TABLES, Element
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model.coordinates import point_of, target_of
from mubo.model.options import too_far
from mubo.model.parts import GROUND, Body, Joint, Parts, Vector

_DETAILS = tuple(table.part for table in TABLES.values())
_NAME = re.compile(r"^[A-Za-z_0-9]+$")


@dataclass(frozen=True)
class Problem:
    """A problem of a model: its place, ("joint", "A", "between"), and the message."""

    where: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{' '.join(self.where[:2])}: {self.text}" if self.where else self.text


def check(model: Parts, sound: tuple[Mapping[str, Body], Mapping[str, Joint]] | None = None) -> list[Problem]:
    """Every problem of names and references; those of its file alone where that could not be read as a mechanism.

    `sound` are the bodies and joints of a model without problems in which no name, kind or reference differs: only
    numbers are then looked at, those of bodies and joints that are other ones.
    """
    if model.origin is not None and model.origin.problems:
        return [Problem((), text) for text in model.origin.problems]
    known, named = sound or ({}, None), sound is None
    joints = () if known[1] is model.joints else model.joints.values()
    bodies = [body for body in model.bodies.values() if known[0].get(body.name) is not body]
    far = [*too_far(model, bodies, joints)]
    return [
        *(_names(model) if named else ()),
        *_masses(bodies, {where[1] for where, _ in far if where[0] == "body"}),
        *(_ground(model) if joints or known[0].get(GROUND) is not model.bodies[GROUND] else ()),
        *(problem for joint in joints for problem in _joint(model, joint)),
        *(_drivers(model) if named else ()),
        *_forces(model),
        *(_points(model) if named else ()),
        *(_loose_bodies(model) if named else ()),
        *_measures(model),
        *_details(model),
        *(Problem(*found) for found in far),
        *_numbers(model),
    ]


def _forces(model: Parts) -> Iterator[Problem]:
    if model.forces:
        from mubo.model.load_check import load_problems

        yield from (Problem(*found) for force in model.forces.values() for found in load_problems(model, force))


def _measures(model: Parts) -> Iterator[Problem]:
    if model.measures:
        from mubo.model.measures import problems_of

        yield from (Problem(*found) for found in problems_of(model))


def _details(model: Parts) -> Iterator[Problem]:
    if any(map(model.__dict__.get, _DETAILS)):
        from mubo.model.details import problems_of_details

        yield from (Problem(*found) for found in problems_of_details(model))


def _numbers(model: Parts) -> Iterator[Problem]:
    """Problems of numbers that follow from parameters."""
    if model.units.parameters:
        from mubo.model.number_check import number_problems

        yield from (Problem(*found) for found in number_problems(model))


def _masses(bodies: Iterable[Body], beyond: Collection[str]) -> Iterator[Problem]:
    """Problems of masses; `beyond` are bodies so large that nothing can be computed of them."""
    for body in bodies:
        for name in body.added:
            if name not in body.points:
                yield Problem(
                    ("body", body.name, "added_masses"),
                    f'a mass is added at "{name}", which is no point of the body. {nearest(name, body.points)}',
                )
        try:
            _ = body.name in beyond or body.own  # an error here is a shape that this body cannot have
        except ModelError as error:
            yield Problem(("body", body.name, "shape"), str(error))


def _names(model: Parts) -> Iterator[Problem]:
    for kind, parts in (
        ("body", model.bodies),
        ("joint", model.joints),
        ("driver", model.drivers),
        ("point", model.points),
        ("force", model.forces),
        ("measure", model.measures),
        ("event", model.events),
        *((table.name, getattr(model, table.part)) for table in TABLES.values() if not table.of),
    ):
        for name in parts:
            if not _NAME.fullmatch(name):
                yield Problem((kind, name), "names consist of letters, digits and underscores")
    for body in model.bodies.values():
        for name in body.points:
            if not _NAME.fullmatch(name) or name in AMBIENTS[model.dimension].coordinates:
                yield Problem(("body", body.name, "points"), f'a point cannot be called "{name}"')
    columns: dict[str, str] = {}
    for kind, parts in (
        ("body", model.bodies),
        ("point", model.points),
        ("joint", model.joints),
        ("driver", model.drivers),
        ("contact", getattr(model, "contacts", {})),
    ):
        for name in parts:
            owner = columns.setdefault(name, kind)
            if {owner, kind} in ({"body", "point"}, {"joint", "driver"}, {"body", "contact"}, {"point", "contact"}):
                yield Problem((kind, name), f"a {owner} has this name too; columns of the result would collide")
    for name in model.forces:  # a driver has a power too, and a coupling a force
        coupling = name in model.joints and getattr(model.kinds.get(model.joints[name].kind), "couples", False)
        if name in model.drivers or coupling:
            owner = "driver" if name in model.drivers else "joint"
            yield Problem(("force", name), f"a {owner} has this name too; columns of the result would collide")


def _ground(model: Parts) -> Iterator[Problem]:
    ground = model.bodies[GROUND]
    if any(ground.position) or ground.angle != 0.0:
        yield Problem(("body", GROUND), "the ground is the origin: it has neither position nor angle")
    anchors: dict[str, str] = {}
    for joint in model.joints.values():
        if joint.kind in model.kinds and model.kinds[joint.kind].anchors and joint.between:
            first = anchors.setdefault(joint.between[0], joint.name)
            if first != joint.name:
                yield Problem(("joint", joint.name), f'"{joint.between[0]}" is grounded by "{first}" already')


def _joint(model: Parts, joint: Joint) -> Iterator[Problem]:
    where = ("joint", joint.name)
    element = model.kinds.get(joint.kind)
    if element is None:
        yield Problem((*where, "type"), f'there is no joint type "{joint.kind}". {nearest(joint.kind, model.kinds)}')
        return
    wanted = 2 if element.key == "between" else 1
    if len(joint.between) < wanted or (len(joint.between) > wanted and not element.composite):
        yield Problem((*where, element.key), f"{element.key} needs {wanted} entries; found {len(joint.between)}")
        return
    for reference in joint.between:
        problem = _reference(model, reference, element)
        if problem:
            yield Problem((*where, element.key), problem)
    bodies = [reference.partition(".")[0] for reference in joint.between]
    if len(set(bodies)) < len(bodies):
        again = next(body for body in bodies if bodies.count(body) > 1)
        yield Problem((*where, "between"), f'joins "{again}" to itself')
    if element.key != "between" and bodies == [GROUND]:
        yield Problem((*where, element.key), "the ground is fixed already")
    yield from _options(model, joint, element)


def _options(model: Parts, joint: Joint, element: Element) -> Iterator[Problem]:
    where = ("joint", joint.name)
    for option in element.options:
        value = joint.options.get(option.name)
        if value is None:
            if option.required:
                yield Problem(where, f'"{option.name}" is missing: {option.meaning}')
        elif option.holds == "direction" and not any(value):
            yield Problem((*where, option.name), f"{option.name} has zero length")
        elif option.holds == "directions" and not _square(*value):
            yield Problem((*where, option.name), f"{option.name} must be two directions square to each other")
        elif option.holds == "body":
            ends = [reference.partition(".")[0] for reference in joint.between]
            if value not in model.bodies:
                yield Problem((*where, option.name), f'there is no body "{value}". {nearest(value, model.bodies)}')
            elif value in ends:
                yield Problem((*where, option.name), f'"{value}" cannot carry a wheel that is part of itself')
    if "along" in joint.options and "axis" in joint.options:
        axis, along = joint.options["axis"], joint.options["along"]
        if any(axis) and any(along) and not _square(axis, along):
            yield Problem((*where, "along"), "along must be square to the axis")
    if joint.options.get("armature") and len(joint.between) > 2:
        yield Problem((*where, "armature"), "a drive acts between two bodies: write joints of two ends each")
    if element.relates:
        from mubo.model.coupler_check import coupler_problems

        yield from (Problem(*found) for found in coupler_problems(model, joint))
    if element.on_shafts:
        from mubo.model.coupler_check import shaft_problems

        yield from (Problem(*found) for found in shaft_problems(model, joint))
    if element.toothed:
        yield from _teeth(joint, element)
    if element.profiled:
        yield from _profile(joint, element)
    if element.curved:
        yield from _curve(joint)


def _teeth(joint: Joint, element: Element) -> Iterator[Problem]:
    """Wheels have radii, or numbers of teeth with the size of a tooth."""
    given = [name for name in ("radii", "teeth", element.toothed) if name in joint.options]
    if given not in (["radii"], ["teeth", element.toothed]):
        found = f"; found {' and '.join(given)}" if given else ""
        yield Problem(
            ("joint", joint.name), f'"{joint.kind}" takes "radii", or "teeth" with "{element.toothed}"{found}'
        )


def _profile(joint: Joint, element: Element) -> Iterator[Problem]:
    """A cam is given by a lift or by a contour, and only a lift can be laid out against the cam's rotation."""
    where, given = ("joint", joint.name), joint.options
    if ("lift" in given) == ("contour" in given):
        yield Problem(where, 'a cam needs "lift" (with "base") or "contour", one of them')
    elif "contour" in given and "base" in given:
        yield Problem((*where, "base"), 'a cam with "contour" has no "base": its points say where the edge is')
    laid_out = [name for name in ("turns", "travel", "offset") if name in given]
    if laid_out and "contour" in given:
        yield Problem((*where, laid_out[0]), f'a cam with "contour" has no "{laid_out[0]}": that belongs to a lift')
    elif laid_out and not {"turns", "travel"} <= given.keys():
        missing = "travel" if "turns" in given else "turns"
        meaning = next(option.meaning for option in element.options if option.name == missing)
        yield Problem(where, f'a cam with "{laid_out[0]}" needs "{missing}" too: {meaning}')


def _curve(joint: Joint) -> Iterator[Problem]:
    """A curve is given by formulas over a range, or by points."""
    where, given = ("joint", joint.name), joint.options
    if ("y" in given) == ("points" in given):
        yield Problem(where, 'a curved slot needs "y" (with "range", and "x" where it is no function of x) or "points"')
    elif "y" in given and "range" not in given:
        yield Problem(where, 'a curve by formulas needs "range": from where to where it goes')
    for name in ("x", "range") if "points" in given else ():
        if name in given:
            yield Problem((*where, name), f'a curve through "points" has no "{name}"')


def _square(first: Vector, second: Vector) -> bool:
    along = sum(a * b for a, b in zip(first, second, strict=True))
    return any(first) and any(second) and abs(along) <= 1e-9 * math.hypot(*first) * math.hypot(*second)


def _reference(model: Parts, reference: str, element: Element) -> str:
    """Returns the problem of a reference "body.point", "body" or "body.coordinate"; empty if there is none."""
    body, dot, tail = reference.partition(".")
    if body not in model.bodies:
        return f'there is no body "{body}". {nearest(body, model.bodies)}'
    if element.key == "of":
        if tail not in COORDINATES:
            return f'"{reference}" is not a coordinate of a body: write "{body}.x", "{body}.y" or "{body}.phi"'
        return ""
    if element.ends == "body":
        return f'expected a body, found "{reference}"' if dot else ""
    try:
        point_of(model, reference)
    except ModelError as error:
        return str(error)
    return ""


def _drivers(model: Parts) -> Iterator[Problem]:
    driven: dict[str | tuple[str, str], str] = {}
    for driver in model.drivers.values():
        where = ("driver", driver.name, "between" if isinstance(driver.of, tuple) else "of")
        try:
            target = target_of(model, driver.of)
        except ModelError as error:
            yield Problem(where, str(error))
            continue
        if set(target.bodies) == {GROUND}:
            yield Problem(where, "the ground cannot be driven")
        first = driven.setdefault(driver.of, driver.name)
        if first != driver.name:
            yield Problem(where, f'"{driver.of}" is driven by "{first}" already')


def _points(model: Parts) -> Iterator[Problem]:
    for point in model.points.values():
        if point.body not in model.bodies:
            text = f'there is no body "{point.body}". {nearest(point.body, model.bodies)}'
            yield Problem(("point", point.name, "body"), text)


def _loose_bodies(model: Parts) -> Iterator[Problem]:
    if len(model.bodies) == 1:
        yield Problem((), "the model has no bodies")
