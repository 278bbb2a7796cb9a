"""Motion laws as model files write them, and the CSV tables they refer to."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.motion import Expression, Function, Harmonic, Law, Polynomial, Program, Segment, Table

FORMS = ("polynomial", "harmonic", "rate", "program", "table", "time")


def read_motion(given: Any, folder: Path) -> Law:
    """A law from an expression, a number, or one of the tables { polynomial }, { harmonic }, { table }, { time }."""
    if isinstance(given, str):
        return Expression(given)
    if isinstance(given, int | float) and not isinstance(given, bool):
        return Polynomial((float(given),))
    if not isinstance(given, Mapping):
        raise ModelError("a motion is an expression in t, a number, or a table such as { polynomial = [0, 1] }")
    form = next((form for form in FORMS if form in given), None)
    if form is None:
        first = next(iter(given), "")
        raise ModelError(f'a motion has no "{first}". {nearest(first, FORMS)}')
    allowed = {
        "table": ("table", "column", "time_column", "smooth"),
        "time": ("time", "value", "smooth"),
        "rate": ("rate", "start"),
        "program": ("program", "start", "value", "repeat"),
    }
    for key in given:
        if key not in allowed.get(form, (form,)):
            raise ModelError(f'a motion by {form} has no "{key}". {nearest(key, allowed.get(form, (form,)))}')
    if form == "polynomial":
        return Polynomial(_numbers(given["polynomial"], "polynomial"))
    if form == "harmonic":
        return _harmonic(given["harmonic"])
    if form == "rate":
        return Polynomial(_numbers([given.get("start", 0.0), given["rate"]], "rate"))
    if form == "program":
        return _program(given)
    smooth = given.get("smooth", "none")
    if form == "time":
        if "value" not in given:
            raise ModelError('a motion by samples needs "value" beside "time"')
        return Table(_numbers(given["time"], "time"), _numbers(given["value"], "value"), smooth)
    if "column" not in given:
        raise ModelError('a motion by table needs "column", the name of the column to follow')
    times, values = read_columns(folder / str(given["table"]), str(given["column"]), given.get("time_column"))
    return Table(times, values, smooth)


def _program(given: Mapping[str, Any]) -> Program:
    parts = given["program"]
    if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
        raise ModelError('a program is a list of segments such as { law = "cycloidal", lasts = 1, rise = 2 }')
    segments = []
    for number, part in enumerate(parts, 1):
        for key in part:
            if key not in ("law", "lasts", "rise"):
                raise ModelError(f'segment {number} has no "{key}". {nearest(key, ("law", "lasts", "rise"))}')
        if not {"law", "lasts"} <= part.keys():
            raise ModelError(f"segment {number} needs law and lasts")
        lasts, rise = _numbers([part["lasts"], part.get("rise", 0.0)], f"segment {number}")
        segments.append(Segment(str(part["law"]), lasts, rise))
    start, value = _numbers([given.get("start", 0.0), given.get("value", 0.0)], "start and value")
    return Program(tuple(segments), start, value, bool(given.get("repeat", False)))


def _harmonic(given: Any) -> Harmonic:
    names = ("amplitude", "rate", "mean", "phase")
    if not isinstance(given, Mapping) or not {"amplitude", "rate"} <= given.keys():
        raise ModelError("harmonic needs amplitude and rate, and may have mean and phase (radians)")
    for key in given:
        if key not in names:
            raise ModelError(f'a harmonic has no "{key}". {nearest(key, names)}')
    return Harmonic(**{key: _numbers([value], key)[0] for key, value in given.items()})


def _numbers(given: Any, name: str) -> tuple[float, ...]:
    if not isinstance(given, list) or not given:
        raise ModelError(f"{name} needs a list of numbers")
    for value in given:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ModelError(f"{name} needs a list of numbers; found {value!r}")
    return tuple(float(value) for value in given)


def read_columns(path: Path, column: str, time_column: str | None) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Times and values from a CSV file with a header; the time is `time_column`, else the first column."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    if not rows:
        raise ModelError(f"{path} is empty")
    header = [cell.split("[")[0].strip() for cell in rows[0]]
    picked = []
    for name in (time_column or header[0], column):
        if name not in header:
            raise ModelError(f'{path} has no column "{name}". {nearest(name, header)}')
        picked.append(header.index(name))
    values: list[tuple[float, float]] = []
    for number, row in enumerate(rows[1:], 2):
        try:
            values.append((float(row[picked[0]]), float(row[picked[1]])))
        except (ValueError, IndexError):
            raise ModelError(f"{path}, row {number}: expected numbers in the columns used") from None
    return tuple(t for t, _ in values), tuple(v for _, v in values)


def write_motion(law: Law) -> str:
    """A law as TOML text."""
    if isinstance(law, Expression):
        return '"' + law.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(law, Polynomial):
        return f"{{ polynomial = {_list(law.coefficients)} }}"
    if isinstance(law, Harmonic):
        terms = ", ".join(f"{k} = {getattr(law, k)!r}" for k in ("amplitude", "rate", "mean", "phase"))
        return f"{{ harmonic = {{ {terms} }} }}"
    if isinstance(law, Program):
        parts = ", ".join(f'{{ law = "{s.law}", lasts = {s.lasts!r}, rise = {s.rise!r} }}' for s in law.segments)
        repeat = "true" if law.repeat else "false"
        return f"{{ program = [{parts}], start = {law.start!r}, value = {law.value!r}, repeat = {repeat} }}"
    if isinstance(law, Table):
        smooth = f'"{law.smooth}"' if isinstance(law.smooth, str) else repr(law.smooth)
        return f"{{ time = {_list(law.time)}, value = {_list(law.value)}, smooth = {smooth} }}"
    what = "a Python function" if isinstance(law, Function) else type(law).__name__
    raise ModelError(f"{what} cannot be written to a file", suggestion="Use an expression, a polynomial or a table.")


def _list(values: tuple[float, ...]) -> str:
    return "[" + ", ".join(repr(value) for value in values) + "]"
