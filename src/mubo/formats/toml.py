"""The native model file. All problems of a file are reported together, with line, element and nearest right word."""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError
from mubo.formats.toml_parts import PARTS, Reader
from mubo.formats.toml_tables import (
    NAMED,
    read_analysis,
    read_markers,
    read_optimize,
    read_plates,
    read_subject,
    read_tolerances,
)
from mubo.model import Builder, ModelDefinition, Origin, Units
from mubo.model.check import Problem
from mubo.model.options import read_vector
from mubo.model.tables import TOP, UNIT_KEYS, file_tables

if TYPE_CHECKING:
    from mubo.formats.walk.axes import Laboratory

TABLES = (*(option.name for option in TOP), *file_tables(), "joint", "force")
ORDER = ("body", "joint", "driver", "point", "measure", "force", *NAMED)  # each after those that it refers to
# Line numbers, which the parser of TOML does not keep.
_HEADER = re.compile(r"^\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"^\s*([A-Za-z0-9_.-]+)\s*=")
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

    `origin` is the content of a file of another format beyond them.
    """
    stated = data.get("parameters", {})
    if "extends" in data:
        from mubo.formats.extended import extended_tables

        data, origin = extended_tables(data, path)
    if "masses" in data:
        from mubo.formats.part_masses import with_masses

        data = with_masses(data, path)
    reader = Reader(path)
    if "use" in data or "part" in data:
        from mubo.formats.repeated_parts import expand_uses

        data = expand_uses(reader, data, native_model)
    if not reader.problems:  # uses become elements that stand on what was understood
        _read(reader, data)
    if origin is not None:  # beside what the reader of a recording found
        notes = () if reader.model.origin is None else reader.model.origin.notes
        reader.model.origin = replace(origin, notes=(*origin.notes, *notes))
    model = reader.model.build()
    problems = reader.problems or model.problems
    if problems:
        raise ModelError(
            "\n".join(_located(path, text, problems)),
            names=[problem.where[1] for problem in problems if len(problem.where) > 1],
        )
    left = [name for name in model.unused_parameters if name in stated]
    unused = [Problem(("parameters", name), "nothing uses this parameter") for name in left]
    for line in _located(path, text, unused):
        warnings.warn(line, stacklevel=2)
    return model


def _located(path: Path, text: str, problems: Iterable[Problem]) -> Iterator[str]:
    """Yield each problem with the path of the file and the line where it stands."""
    lines = lines_of(text) if problems else {}
    for problem in problems:
        line = line_of(lines, problem.where)
        yield f"{path}, line {line}: {problem}" if line else f"{path}: {problem}"


def _read(reader: Reader, data: Mapping[str, Any]) -> None:
    """Reads every table in the order in which they need each other."""
    reader.keys((), data, TABLES)
    units = reader.attempt(("units",), lambda: _units(reader, data.get("units", {}))) or Units()
    name, dimension = str(data.get("name", reader.path.stem)), data.get("dimension", 2)
    units = _parameters(reader, units, data["parameters"]) if "parameters" in data else units
    reader.model = reader.attempt(("dimension",), lambda: Builder(name, units, dimension)) or Builder(name, units)
    reader.model.source = str(reader.path)
    if "gravity" in data:
        reader.attempt(("gravity",), lambda: _gravity(reader, data["gravity"]))
    if "subject" in data:
        reader.attempt(("subject",), lambda: read_subject(reader, data["subject"]))
    laboratory: Laboratory | None = None
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
        if section == "body" and "markers" in data:
            laboratory = read_markers(reader, data)
    if "tolerances" in data:
        read_tolerances(reader, data["tolerances"])
    if "analysis" in data:
        reader.attempt(("analysis",), lambda: read_analysis(reader, data["analysis"]))
    if "plate" in data:
        read_plates(reader, data["plate"], laboratory)
    if "optimize" in data:
        reader.attempt(("optimize",), lambda: read_optimize(reader, data["optimize"]))


def _units(reader: Reader, given: str | Mapping[str, Any]) -> Units | None:
    if isinstance(given, str):
        return Units.declare(given)
    if not isinstance(given, Mapping):
        raise ModelError(
            'units are a table such as { length = "mm", angle = "deg" }, or a set such as "machine design"'
        )
    if not reader.keys(("units",), given, UNIT_KEYS):
        return None
    return Units.declare({key: str(value) for key, value in given.items()})


def _parameters(reader: Reader, units: Units, given: Any) -> Units:
    from mubo.model.read_parameters import with_parameters

    if not isinstance(given, Mapping):
        reader.note(("parameters",), 'write [parameters] and names with their values below it: a = 0.04, b = "3*a"')
        return units
    return with_parameters(units, given, lambda name, text: reader.note(("parameters", name), text))


def _gravity(reader: Reader, given: Any) -> None:
    reader.model.gravity = read_vector(reader.model.units, given, "length/time^2", reader.model.dimension)


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    """Line of every table header and key: {("joint", "A"): 12, ("joint", "A", "between"): 14}."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = tuple(part.strip().strip('"') for part in header[1].split("."))
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *key[1].split(".")), number)
    return lines


def line_of(lines: dict[tuple[str, ...], int], where: tuple[str, ...]) -> int | None:
    """Line of an element, or of the nearest thing around it."""
    for length in range(len(where), 0, -1):
        if where[:length] in lines:
            return lines[where[:length]]
    return None
