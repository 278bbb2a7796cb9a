"""The reader of a native file and its functions for the parts of a mechanism: bodies, joints, forces and drivers.

The reader has the model under construction and the problems found so far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.elements import Element, Option, TableSchema, loads_of
from mubo.errors import ModelError, nearest
from mubo.geometry import FIGURE
from mubo.laws import Law
from mubo.model import GROUND, Builder, Force, Joint
from mubo.model.bodies import read_body
from mubo.model.check import Problem
from mubo.model.coordinates import holds_at
from mubo.model.laws import driven_kind, read_law
from mubo.model.options import measured, read_options
from mubo.model.tables import BODY, DRIVER

Given = Mapping[str, Any]
# Kinds of keys whose form can be judged without the model: whether a value has it, and what is expected.
FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "text": (lambda value: isinstance(value, str), "a text"),
    "pair": (
        lambda value: isinstance(value, list) and len(value) == 2 and all(isinstance(x, str) for x in value),
        "two names",
    ),
}


class Reader:
    """A model that is read; what is wrong is noted with its place, and reading goes on."""

    def __init__(self, path: Path) -> None:
        self.path, self.folder = path, path.parent
        self.model = Builder(path.stem)
        self.problems: list[Problem] = []

    def table(self, where: tuple[str, ...], schema: TableSchema, given: Any) -> bool:
        """Whether a table has the keys that are declared, those that it needs, and values of their form."""
        before = len(self.problems)
        if not isinstance(given, Mapping):
            header = ".".join(where)
            self.note(where, f"write [{header}] and its keys below it: {', '.join(list(schema.keys)[:4])}")
            return False
        self.keys(where, given, schema.keys)
        for text in schema.missing(given):
            self.note(where, text)
        for option in schema.options:
            if option.name in given:
                self._form((*where, option.name), option, given[option.name])
        self._either(where, schema, given)
        return len(self.problems) == before

    def _form(self, where: tuple[str, ...], option: Option, value: Any) -> None:
        kind = option.holds
        if isinstance(kind, tuple):
            if value not in kind:
                self.note(where, f'there is no {option.name} "{value}" ({option.meaning}). {nearest(str(value), kind)}')
        elif kind in FORMS and not FORMS[kind][0](value):
            example = f" such as {option.example!r}".replace("'", '"') if kind != "boolean" else ""
            self.note(where, f"{option.name} is {FORMS[kind][1]}{example}; found {value!r}")

    def _either(self, where: tuple[str, ...], schema: TableSchema, given: Mapping[str, Any]) -> None:
        groups = [group for group in schema.either if set(group) & given.keys()]
        if schema.either and len(groups) != 1:
            allowed = ", ".join(" with ".join(group) for group in schema.either)
            found = f"; found {' and '.join(group[0] for group in groups)}" if groups else ""
            self.note(where, f"a {schema.name} has one of {allowed}{found}")

    def keys(self, where: tuple[str, ...], given: Mapping[str, Any], allowed: Iterable[str]) -> bool:
        """Whether all keys are known; others are noted with the nearest right word."""
        unknown = [key for key in given if key not in allowed]
        for key in unknown:
            self.note((*where, key), f'there is no key "{key}". {nearest(key, allowed)}')
        return not unknown

    def note(self, where: tuple[str, ...], text: str) -> None:
        """Keeps a problem for the report."""
        self.problems.append(Problem(where, text))

    def attempt(self, where: tuple[str, ...], read: Callable[[], Any], prefix: str = "") -> Any:
        """The answer of `read`, or None with the problem noted."""
        try:
            return read()
        except ModelError as error:
            self.note(where, prefix + _in_one_line(str(error)))
        except (TypeError, AttributeError):
            self.note(where, prefix + "has the wrong form")
        except ArithmeticError:
            self.note(where, prefix + "has a number that is too large or too small to compute with")
        return None


def _in_one_line(message: str) -> str:
    """A message and its suggestion, each a sentence."""
    return re.sub(r"([^.:;,?!…])\n +", r"\1. ", message).replace("\n ", "")


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
            value = _read_motion(reader, value, kind, option.over)
    return read_options(units, element.name, between, {option.name: value}, reader.model.dimension, what, of)


def _read_motion(reader: Reader, given: Any, kind: str, over: str = "time") -> Law:
    """A motion law: text is an expression; what else it may be is known by the reader of motion files."""
    if isinstance(given, str):
        return read_law(given, reader.model.units, kind, over)
    from mubo.formats.motion_file import read_motion

    return read_motion(given, reader.folder, reader.model.units, kind, over)


def read_driver(reader: Reader, name: str, given: Given) -> None:
    """Reads [driver.NAME]: one whose motion cannot be read is noted, and is fixed for the rest of the file."""
    where, model = ("driver", name), reader.model
    if not reader.table(where, DRIVER, given):
        return
    of = tuple(given["between"]) if "between" in given else given["of"]
    kind = driven_kind(model, of)
    motion = reader.attempt((*where, "motion"), lambda: _read_motion(reader, given["motion"], kind))
    reader.attempt(where, lambda: model.driver(name, of, 0.0 if motion is None else motion, given.get("start", "")))


PARTS = {"body": read_body_table, "joint": read_joint, "driver": read_driver, "force": read_force}
