"""The native model file. All problems of a file are reported together, with line, element and nearest right word."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.locate import line_of, lines_of
from mubo.formats.reader import Reader
from mubo.formats.toml_parts import PARTS
from mubo.formats.toml_tables import NAMED, read_analysis, read_optimize, read_subject, read_tolerances, read_walk
from mubo.model import Builder, ModelDefinition, Origin, Units
from mubo.model.check import Problem
from mubo.model.options import read_vector
from mubo.model.read_parameters import with_parameters
from mubo.model.tables import TOP, UNIT_KEYS, file_tables

TABLES = (*(option.name for option in TOP), *file_tables(), "joint", "force")
ORDER = ("body", "joint", "driver", "point", "measure", "force", *NAMED)  # each after those that it refers to
READERS = {name: (PARTS | NAMED)[name] for name in ORDER}


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
    _read(reader, data)
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


def _read(reader: Reader, data: Mapping[str, Any]) -> None:
    """Reads every table in the order in which they need each other."""
    reader.keys((), data, TABLES)
    units = reader.attempt(("units",), lambda: _units(reader, data.get("units", {}))) or Units()
    name, dimension = str(data.get("name", reader.path.stem)), data.get("dimension", 2)
    units = _parameters(reader, units, data.get("parameters", {}))
    reader.model = reader.attempt(("dimension",), lambda: Builder(name, units, dimension)) or Builder(name, units)
    reader.model.source = str(reader.path)
    if "gravity" in data:
        reader.attempt(("gravity",), lambda: _gravity(reader, data["gravity"]))
    if "subject" in data:
        reader.attempt(("subject",), lambda: read_subject(reader, data["subject"]))
    for section, read in READERS.items():
        entries = data.get(section, {})
        if not isinstance(entries, dict):
            reader.note((section,), f"write [{section}.NAME] for each {section}")
            continue
        for name, entry in entries.items():
            if not isinstance(entry, dict):
                reader.note((section, name), f"write [{section}.{name}] and its keys below it")
                continue
            reader.attempt((section, name), lambda r=read, n=name, e=entry: r(reader, n, e))  # type: ignore[misc]
    read_tolerances(reader, data.get("tolerances", {}))
    if "analysis" in data:
        reader.attempt(("analysis",), lambda: read_analysis(reader, data["analysis"]))
    read_walk(reader, data)
    if "optimize" in data:
        reader.attempt(("optimize",), lambda: read_optimize(reader, data["optimize"]))


def _units(reader: Reader, given: Mapping[str, Any]) -> Units | None:
    if not isinstance(given, Mapping):
        raise ModelError('units are a table such as { length = "mm", angle = "deg" }')
    if not reader.keys(("units",), given, UNIT_KEYS):
        return None
    return Units.declare({key: str(value) for key, value in given.items()})


def _parameters(reader: Reader, units: Units, given: Any) -> Units:
    if not isinstance(given, Mapping):
        reader.note(("parameters",), 'write [parameters] and names with their values below it: a = 0.04, b = "3*a"')
        return units
    return with_parameters(units, given, lambda name, text: reader.note(("parameters", name), text))


def _gravity(reader: Reader, given: Any) -> None:
    reader.model.gravity = read_vector(reader.model.units, given, "length/time^2", reader.model.dimension)
