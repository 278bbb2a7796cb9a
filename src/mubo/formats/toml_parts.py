"""Readers of the parts of a mechanism in a native file: bodies, joints, forces and drivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mubo.elements import Element, Option, loads_of
from mubo.errors import nearest
from mubo.formats.motion_file import read_motion
from mubo.formats.reader import Given, Reader
from mubo.geometry import FIGURE
from mubo.model import GROUND, Force, Joint
from mubo.model.bodies import read_body
from mubo.model.coordinates import holds_at
from mubo.model.laws import driven_kind
from mubo.model.options import measured, read_options
from mubo.model.tables import BODY, DRIVER


def read_body_table(reader: Reader, name: str, given: Given) -> None:
    """Reads [body.NAME], every key by its own reader."""
    where = ("body", name)
    model = reader.model
    reader.keys(where, given, [key for key, option in BODY.keys.items() if option.dimension in (0, model.dimension)])
    points = {}
    listed = given.get("points", {})
    if not isinstance(listed, dict):
        reader.note((*where, "points"), "points are a table: { A = [0, 0], B = [1, 0] }")
        listed = {}
    for key, value in listed.items():
        at = reader.attempt((*where, "points"), lambda v=value: model.vector(v), f"point {key}: ")  # type: ignore[misc]
        points[key] = at or model.bodies[GROUND].position
    figure: Mapping[str, Any] | None = {}
    if any(given.get(key) for key in FIGURE):
        from mubo.geometry.points_from_lengths import kept_figure, with_figure

        points = reader.attempt(where, lambda: with_figure(model.units, model.dimension, points, given)) or points
        figure = reader.attempt(where, lambda: kept_figure(model.units, given, listed)) if model.parameters else {}
    if name == GROUND:
        model.bodies[GROUND] = replace(model.bodies[GROUND], points=points, figure=figure or {})
        if set(given) - {"points", *FIGURE}:
            reader.note(where, "the ground is the origin: it has neither position nor angle nor mass")
        return
    fields = {key: value for key, value in given.items() if key not in ("points", *FIGURE)}

    def attempt(field: str, read: Callable[[], Any]) -> Any:
        return reader.attempt((*where, field), read)

    model.bodies[name] = read_body(model.units, model.dimension, name, points, fields, attempt, figure, model.subject)


def read_joint(reader: Reader, name: str, given: Given) -> None:
    """Reads [joint.NAME] as its type declares."""
    read = _element(reader, ("joint", name), given, reader.model.kinds)
    if read is not None:
        reader.model.joints[name] = Joint(name, *read)


def read_force(reader: Reader, name: str, given: Given) -> None:
    """Reads [force.NAME] as its type declares."""
    read = _element(reader, ("force", name), given, loads_of(reader.model.dimension))
    if read is not None:
        reader.model.forces[name] = Force(name, *read)


def _element(
    reader: Reader, where: tuple[str, str], given: Given, kinds: Mapping[str, Element]
) -> tuple[str, tuple[str, ...], dict[str, Any]] | None:
    """Type, ends and options of a joint or force; None where its type or its ends are not known."""
    kind = given.get("type")
    if kind is None:
        reader.note(where, f'"type" is missing. Allowed: {", ".join(sorted(kinds))}.')
        return None
    if str(kind) not in kinds:
        reader.note((*where, "type"), f'there is no {where[0]} type "{kind}". {nearest(str(kind), kinds)}')
        return None
    element = kinds[str(kind)]
    reader.keys(where, given, ("type", element.key, *(option.name for option in element.options)))
    on = given.get(element.key, [])
    between = tuple(str(end) for end in on) if isinstance(on, list) else (str(on),)
    if not between:
        missing = element.key not in given
        reader.note(where, f'"{element.key}" is missing' if missing else f"{element.key} names nothing")
        return None
    options: dict[str, Any] = {}
    for option in element.options:
        if option.name in given:
            read = reader.attempt(
                (*where, option.name),
                lambda o=option: _option(reader, where[0], element, between, o, given[o.name]),  # type: ignore[misc]
            )
            options.update(read or {})
    return element.name, between, options


def _option(
    reader: Reader, what: str, element: Element, between: tuple[str, ...], option: Option, value: Any
) -> dict[str, Any]:
    from mubo.formats.curve_file import read_size

    units, of = reader.model.units, ""
    if what == "force":
        of = holds_at(reader.model, between[0])
    if option.holds == "law":
        kind = measured(option, of)
        if option.over == "motion":
            value = read_size(value, reader.folder, reader.model, kind)
        else:
            value = read_motion(value, reader.folder, units, kind, option.over)
    return read_options(units, element.name, between, {option.name: value}, reader.model.dimension, what, of)


def read_driver(reader: Reader, name: str, given: Given) -> None:
    """Reads [driver.NAME]: one whose motion cannot be read is noted, and is fixed for the rest of the file."""
    where, model = ("driver", name), reader.model
    if not reader.table(where, DRIVER, given):
        return
    of = tuple(given["between"]) if "between" in given else given["of"]
    kind = driven_kind(model, of)
    motion = reader.attempt((*where, "motion"), lambda: read_motion(given["motion"], reader.folder, model.units, kind))
    reader.attempt(where, lambda: model.driver(name, of, 0.0 if motion is None else motion, given.get("start", "")))


PARTS = {"body": read_body_table, "joint": read_joint, "driver": read_driver, "force": read_force}
