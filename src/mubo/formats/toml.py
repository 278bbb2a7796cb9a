"""The native model file. All problems of a file are reported together, with line, element and nearest right word."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.elements import TABLES, Element, Option, loads_of
from mubo.errors import ModelError, nearest
from mubo.formats.curve_file import read_size
from mubo.formats.locate import line_of, lines_of
from mubo.formats.motion_file import read_motion
from mubo.formats.toml_details import read_details, read_subject
from mubo.formats.toml_dynamics import read_analysis, read_event, read_initial
from mubo.formats.toml_optimize import read_optimize
from mubo.formats.toml_tolerances import read_tolerances
from mubo.formats.toml_walk import read_walk
from mubo.laws import Polynomial
from mubo.model import GROUND, Builder, Force, Joint, ModelDefinition, Origin, Units
from mubo.model.bodies import FIELDS, read_body
from mubo.model.check import Problem
from mubo.model.coordinates import holds_at
from mubo.model.geometry_from_lengths import FIGURE, kept_figure, with_figure
from mubo.model.laws import driven_kind
from mubo.model.measures import KEYS as MEASURE_KEYS
from mubo.model.options import measured, read_options, read_vector
from mubo.model.read_parameters import with_parameters
from mubo.quantities.units import DECLARABLE

TOP = (
    *("name", "dimension", "gravity", "units", "parameters", "tolerances"),
    *("subject", "markers", "plate"),
    *("body", "joint", "driver", "force", "point", "measure", "initial", "event"),
    *TABLES,
    *("analysis", "optimize"),
)


def read_toml(text: str, path: Path) -> ModelDefinition:
    """The model of the text of a native file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path}: {error}") from None
    except (RecursionError, ValueError) as error:
        raise ModelError(f"{path}: is nested too deeply or has a number that is too long: {error}") from None
    return native_model(data, path, text)


def native_model(data: Mapping[str, Any], path: Path, text: str = "", origin: Origin | None = None) -> ModelDefinition:
    """The model of the tables of a native file; `text` is where problems are given their lines.

    `origin` is what a file of another format said beyond them.
    """
    reader = Reader(path)
    reader.read(data)
    reader.model.origin = origin
    model = reader.model.build()
    problems = reader.problems or model.problems
    if problems:
        lines = lines_of(text)
        raise ModelError(
            "\n".join(_located(path, lines, problem) for problem in problems),
            names=[problem.where[1] for problem in problems if len(problem.where) > 1],
        )
    for name in model.unused_parameters:
        unused = Problem(("parameters", name), "nothing uses this parameter")
        warnings.warn(_located(path, lines_of(text), unused), stacklevel=2)
    return model


def _located(path: Path, lines: dict[tuple[str, ...], int], problem: Problem) -> str:
    line = line_of(lines, problem.where)
    return f"{path}, line {line}: {problem}" if line else f"{path}: {problem}"


class Reader:
    """Walks the parsed file; what is wrong is noted and the walk goes on."""

    def __init__(self, path: Path) -> None:
        self.path, self.folder = path, path.parent
        self.model = Builder(path.stem)
        self.problems: list[Problem] = []

    def read(self, data: Mapping[str, Any]) -> None:
        self.keys((), data, TOP)
        units = self.attempt(("units",), lambda: self._units(data.get("units", {}))) or Units()
        name, dimension = str(data.get("name", self.path.stem)), data.get("dimension", 2)
        units = self._parameters(units, data.get("parameters", {}))
        self.model = self.attempt(("dimension",), lambda: Builder(name, units, dimension)) or Builder(name, units)
        self.model.source = str(self.path)
        if "gravity" in data:
            self.attempt(("gravity",), lambda: self._gravity(data["gravity"]))
        if "subject" in data:
            self.attempt(("subject",), lambda: read_subject(self, data["subject"]))
        for section, read in (
            ("body", self._body),
            ("joint", self._joint),
            ("driver", self._driver),
            ("point", self._point),
            ("measure", self._measure),
            ("force", self._force),
            ("initial", lambda name, given: read_initial(self, name, given)),
            ("event", lambda name, given: read_event(self, name, given)),
            *read_details(self),
        ):
            entries = data.get(section, {})
            if not isinstance(entries, dict):
                self.note((section,), f"write [{section}.NAME] for each {section}")
                continue
            for name, entry in entries.items():
                if not isinstance(entry, dict):
                    self.note((section, name), f"write [{section}.{name}] and its keys below it")
                    continue
                self.attempt((section, name), lambda r=read, n=name, e=entry: r(n, e))  # type: ignore[misc]
        read_tolerances(self, data.get("tolerances", {}))
        if "analysis" in data:
            self.attempt(("analysis",), lambda: read_analysis(self, data["analysis"]))
        read_walk(self, data)
        if "optimize" in data:
            self.attempt(("optimize",), lambda: read_optimize(self, data["optimize"]))

    def _units(self, given: Mapping[str, Any]) -> Units | None:
        if not isinstance(given, Mapping):
            raise ModelError('units are a table such as { length = "mm", angle = "deg" }')
        if not self.keys(("units",), given, tuple(DECLARABLE)):
            return None
        return Units.declare({key: str(value) for key, value in given.items()})

    def _parameters(self, units: Units, given: Any) -> Units:
        if not isinstance(given, Mapping):
            self.note(("parameters",), 'write [parameters] and names with their values below it: a = 0.04, b = "3*a"')
            return units
        return with_parameters(units, given, lambda name, text: self.note(("parameters", name), text))

    def _gravity(self, given: Any) -> None:
        self.model.gravity = read_vector(self.model.units, given, "length/time^2", self.model.dimension)

    def _body(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("body", name)
        model = self.model
        self.keys(where, given, FIELDS[model.dimension])
        points = {}
        listed = given.get("points", {})
        if not isinstance(listed, dict):
            self.note((*where, "points"), "points are a table: { A = [0, 0], B = [1, 0] }")
            listed = {}
        for key, value in listed.items():
            at = self.attempt((*where, "points"), lambda v=value: model.vector(v), f"point {key}: ")  # type: ignore[misc]
            points[key] = at or model.bodies[GROUND].position
        points = self.attempt(where, lambda: with_figure(model.units, model.dimension, points, given)) or points
        figure = self.attempt(where, lambda: kept_figure(model.units, given, listed)) if model.parameters else {}
        if name == GROUND:
            model.bodies[GROUND] = replace(model.bodies[GROUND], points=points, figure=figure or {})
            if set(given) - {"points", *FIGURE}:
                self.note(where, "the ground is the origin: it has neither position nor angle nor mass")
            return
        fields = {key: value for key, value in given.items() if key not in ("points", *FIGURE)}

        def attempt(field: str, read: Callable[[], Any]) -> Any:
            return self.attempt((*where, field), read)

        model.bodies[name] = read_body(
            model.units, model.dimension, name, points, fields, attempt, figure, model.subject
        )

    def _joint(self, name: str, given: Mapping[str, Any]) -> None:
        read = self._element(("joint", name), given, self.model.kinds)
        if read is not None:
            self.model.joints[name] = Joint(name, *read)

    def _force(self, name: str, given: Mapping[str, Any]) -> None:
        read = self._element(("force", name), given, loads_of(self.model.dimension))
        if read is not None:
            self.model.forces[name] = Force(name, *read)

    def _element(
        self, where: tuple[str, str], given: Mapping[str, Any], kinds: Mapping[str, Element]
    ) -> tuple[str, tuple[str, ...], dict[str, Any]] | None:
        """Kind, what it acts on and options of a joint or force; None where that cannot be told."""
        kind = given.get("type")
        if kind is None:
            self.note(where, f'"type" is missing. Allowed: {", ".join(sorted(kinds))}.')
            return None
        if str(kind) not in kinds:
            self.note((*where, "type"), f'there is no {where[0]} type "{kind}". {nearest(str(kind), kinds)}')
            return None
        element = kinds[str(kind)]
        self.keys(where, given, ("type", element.key, *(option.name for option in element.options)))
        on = given.get(element.key, [])
        between = tuple(str(end) for end in on) if isinstance(on, list) else (str(on),)
        if not between:
            missing = element.key not in given
            self.note(where, f'"{element.key}" is missing' if missing else f"{element.key} names nothing")
            return None
        options: dict[str, Any] = {}
        for option in element.options:
            if option.name in given:
                read = self.attempt(
                    (*where, option.name),
                    lambda o=option: self._option(where[0], element, between, o, given[o.name]),  # type: ignore[misc]
                )
                options.update(read or {})
        return element.name, between, options

    def _option(
        self, what: str, element: Element, between: tuple[str, ...], option: Option, value: Any
    ) -> dict[str, Any]:
        units, of = self.model.units, ""
        if what == "force":
            of = holds_at(self.model, between[0])
        if option.holds == "law":
            kind = measured(option, of)
            if option.over == "motion":
                value = read_size(value, self.folder, self.model, kind)
            else:
                value = read_motion(value, self.folder, units, kind, option.over)
        return read_options(units, element.name, between, {option.name: value}, self.model.dimension, what, of)

    def _driver(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("driver", name)
        self.keys(where, given, ("of", "between", "motion", "start"))
        if "of" in given and "between" in given:
            self.note(where, 'a driver has "of" (a coordinate or joint) or "between" (two points), one of them')
            return
        if "of" in given and not isinstance(given["of"], str):
            self.note(
                (*where, "of"), 'of is a text such as "crank.phi" or "A"; for a distance write between = [..., ...]'
            )
            return
        pair = given.get("between", ["", ""])
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(end, str) for end in pair):
            self.note((*where, "between"), 'between needs two points such as ["ground.N", "boom.M"]')
            return
        missing = [key for key in ("of", "motion") if key not in given and not (key == "of" and "between" in given)]
        for key in missing:
            self.note(where, f'"{key}" is missing')
        if missing:
            return
        of = tuple(given["between"]) if "between" in given else str(given["of"])
        holds = driven_kind(self.model, of)
        motion = self.attempt(
            (*where, "motion"), lambda: read_motion(given["motion"], self.folder, self.model.units, holds)
        )
        law = Polynomial((0.0,)) if motion is None else motion  # one that could not be read is noted: the rest is read
        self.attempt((*where, "start"), lambda: self.model.drive(name, of, law, given.get("start", "")))

    def _point(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("point", name)
        self.keys(where, given, ("body", "at"))
        missing = [key for key in ("body", "at") if key not in given]
        for key in missing:
            self.note(where, f'"{key}" is missing')
        if not missing:
            self.attempt((*where, "at"), lambda: self.model.point(name, str(given["body"]), given["at"]))

    def _measure(self, name: str, given: Mapping[str, Any]) -> None:
        if self.keys(("measure", name), given, (*MEASURE_KEYS, "turns", "number")):
            self.model.measure(name, **given)

    def keys(self, where: tuple[str, ...], given: Mapping[str, Any], allowed: Iterable[str]) -> bool:
        unknown = [key for key in given if key not in allowed]
        for key in unknown:
            self.note((*where, key), f'there is no key "{key}". {nearest(key, allowed)}')
        return not unknown

    def note(self, where: tuple[str, ...], text: str) -> None:
        self.problems.append(Problem(where, text))

    def attempt(self, where: tuple[str, ...], read: Callable[[], Any], prefix: str = "") -> Any:
        """What `read` answers, or None with the problem noted."""
        try:
            return read()
        except ModelError as error:
            self.note(where, prefix + str(error).replace("\n ", ""))
        except (TypeError, AttributeError):
            self.note(where, prefix + "has the wrong form")
        except ArithmeticError:
            self.note(where, prefix + "has a number that is too large or too small to compute with")
        return None
