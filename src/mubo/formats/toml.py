"""The native model file. All problems of a file are reported together, with line, element and nearest right word."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from mubo.elements import JOINTS, Option
from mubo.errors import ModelError, nearest
from mubo.formats.locate import line_of, lines_of
from mubo.formats.motion_file import read_motion
from mubo.model import GROUND, Analysis, Body, Joint, Model, Units, check, target_of
from mubo.model.check import Problem
from mubo.model.options import read_options

TOP = ("name", "units", "body", "joint", "driver", "point", "analysis")
_Kind = TypeVar("_Kind", bound=Model)


def read_toml(text: str, model: _Kind, path: Path) -> _Kind:
    """Fills a model from the text of a native file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path}: {error}") from None
    except (RecursionError, ValueError) as error:
        raise ModelError(f"{path}: is nested too deeply or has a number that is too long: {error}") from None
    reader = _Reader(model, path)
    reader.read(data)
    problems = reader.problems or check(model)
    if problems:
        lines = lines_of(text)
        raise ModelError(
            "\n".join(_located(path, lines, problem) for problem in problems),
            names=[problem.where[1] for problem in problems if len(problem.where) > 1],
        )
    return model


def _located(path: Path, lines: dict[tuple[str, ...], int], problem: Problem) -> str:
    line = line_of(lines, problem.where)
    return f"{path}, line {line}: {problem}" if line else f"{path}: {problem}"


class _Reader:
    """Walks the parsed file; what is wrong is noted and the walk goes on."""

    def __init__(self, model: Model, path: Path) -> None:
        self.model, self.folder = model, path.parent
        self.problems: list[Problem] = []

    def read(self, data: Mapping[str, Any]) -> None:
        self._keys((), data, TOP)
        if "name" in data:
            self.model.name = str(data["name"])
        self._try(("units",), lambda: self._units(data.get("units", {})))
        for section, read in (
            ("body", self._body),
            ("joint", self._joint),
            ("driver", self._driver),
            ("point", self._point),
        ):
            entries = data.get(section, {})
            if not isinstance(entries, dict):
                self._note((section,), f"write [{section}.NAME] for each {section}")
                continue
            for name, entry in entries.items():
                if not isinstance(entry, dict):
                    self._note((section, name), f"write [{section}.{name}] and its keys below it")
                    continue
                self._try((section, name), lambda r=read, n=name, e=entry: r(n, e))  # type: ignore[misc]
        if "analysis" in data:
            self._try(("analysis",), lambda: self._analysis(data["analysis"]))

    def _units(self, given: Mapping[str, Any]) -> None:
        if self._keys(("units",), given, ("length", "angle", "mass", "time")):
            self.model.units = Units(**{key: str(value) for key, value in given.items()})

    def _body(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("body", name)
        self._keys(where, given, ("position", "angle", "points"))
        model, units = self.model, self.model.units
        position = self._try((*where, "position"), lambda: model._vector(given.get("position", (0, 0))))
        angle = self._try((*where, "angle"), lambda: units.read(given.get("angle", 0.0), "angle"))
        points = {}
        listed = given.get("points", {})
        if not isinstance(listed, dict):
            self._note((*where, "points"), "points are a table: { A = [0, 0], B = [1, 0] }")
            listed = {}
        for key, value in listed.items():
            at = self._try((*where, "points"), lambda v=value: model._vector(v), f"point {key}: ")  # type: ignore[misc]
            points[key] = at or (0.0, 0.0)
        model.bodies[name] = Body(name, position or (0.0, 0.0), angle or 0.0, points)
        if name == GROUND and ("position" in given or "angle" in given):
            self._note(where, "the ground is the origin: it has neither position nor angle")

    def _joint(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("joint", name)
        kind = given.get("type")
        if kind is None:
            self._note(where, f'"type" is missing. Allowed: {", ".join(sorted(JOINTS))}.')
            return
        if kind not in JOINTS:
            self._note((*where, "type"), f'there is no joint type "{kind}". {nearest(str(kind), JOINTS)}')
            return
        element = JOINTS[kind]
        self._keys(where, given, ("type", element.key, *(o.name for o in element.options)))
        if element.key not in given:
            self._note(where, f'"{element.key}" is missing')
            return
        on = given[element.key]
        between = tuple(str(r) for r in on) if isinstance(on, list) else (str(on),)
        if not between:
            self._note((*where, element.key), f"{element.key} names nothing")
            return
        options: dict[str, Any] = {}
        for option in element.options:
            if option.name in given:
                value = given[option.name]
                read = self._try((*where, option.name), lambda o=option, v=value: self._option(kind, between, o, v))  # type: ignore[misc]
                options.update(read or {})
        self.model.joints[name] = Joint(name, kind, between, options)

    def _option(self, kind: str, between: tuple[str, ...], option: Option, value: Any) -> dict[str, Any]:
        if option.holds == "law":
            value = read_motion(value, self.folder, self.model.units, "length", "angle")
        return read_options(self.model.units, kind, between, {option.name: value})

    def _driver(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("driver", name)
        self._keys(where, given, ("of", "between", "motion"))
        if "of" in given and "between" in given:
            self._note(where, 'a driver has "of" (a coordinate or joint) or "between" (two points), one of them')
            return
        if "of" in given and not isinstance(given["of"], str):
            self._note(
                (*where, "of"), 'of is a text such as "crank.phi" or "A"; for a distance write between = [..., ...]'
            )
            return
        pair = given.get("between", ["", ""])
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(end, str) for end in pair):
            self._note((*where, "between"), 'between needs two points such as ["ground.N", "boom.M"]')
            return
        missing = [key for key in ("of", "motion") if key not in given and not (key == "of" and "between" in given)]
        for key in missing:
            self._note(where, f'"{key}" is missing')
        if missing:
            return
        holds = "length" if "between" in given else self._holds(str(given["of"]))
        motion = self._try(
            (*where, "motion"), lambda: read_motion(given["motion"], self.folder, self.model.units, holds)
        )
        if motion is not None:
            self.model.drive(name, given["between"] if "between" in given else str(given["of"]), motion)

    def _holds(self, of: str) -> str:
        """What a driver drives, "angle" or "length"; what is wrong with `of` itself is found by the check."""
        try:
            return target_of(self.model, of).holds
        except ModelError:
            return "angle" if of.endswith(".phi") else "length"

    def _point(self, name: str, given: Mapping[str, Any]) -> None:
        where = ("point", name)
        self._keys(where, given, ("body", "at"))
        missing = [key for key in ("body", "at") if key not in given]
        for key in missing:
            self._note(where, f'"{key}" is missing')
        if not missing:
            self._try((*where, "at"), lambda: self.model.point(name, str(given["body"]), given["at"]))

    def _analysis(self, given: Mapping[str, Any]) -> None:
        where = ("analysis",)
        self._keys(where, given, ("type", "start", "end", "step"))
        kind = str(given.get("type", "kinematics"))
        if kind != "kinematics":
            self._note((*where, "type"), f'there is no analysis "{kind}". {nearest(kind, ["kinematics"])}')
        values = {}
        for key in ("start", "end", "step"):
            if key not in given:
                self._note(where, f'"{key}" is missing')
            else:
                value = self._try((*where, key), lambda k=key: self.model.units.read(given[k], "time"))  # type: ignore[misc]
                values[key] = 0.0 if value is None else value
        if len(values) == 3:
            if not values["step"] > 0:
                self._note((*where, "step"), f"the time step must be positive; found {values['step']:g}")
            if values["end"] < values["start"]:
                self._note((*where, "end"), f"the end {values['end']:g} is before the start {values['start']:g}")
            self.model.analysis = Analysis(kind, **values)

    def _keys(self, where: tuple[str, ...], given: Mapping[str, Any], allowed: Iterable[str]) -> bool:
        unknown = [key for key in given if key not in allowed]
        for key in unknown:
            self._note((*where, key), f'there is no key "{key}". {nearest(key, allowed)}')
        return not unknown

    def _note(self, where: tuple[str, ...], text: str) -> None:
        self.problems.append(Problem(where, text))

    def _try(self, where: tuple[str, ...], read: Callable[[], Any], prefix: str = "") -> Any:
        """What `read` answers, or None with the problem noted."""
        try:
            return read()
        except ModelError as error:
            self._note(where, prefix + str(error).replace("\n ", ""))
        except (TypeError, AttributeError):
            self._note(where, prefix + "has the wrong form")
        return None
