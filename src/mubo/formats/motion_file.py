"""Motion laws as model files write them. Numbers in a law are in the model's units: degrees, if it declares them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.formats.motion_data import column_law, segment_law
from mubo.formats.quantity import in_model_units, plain_number
from mubo.model import Units
from mubo.motion import Expression, Function, Harmonic, Law, Polynomial, Program, Segment, Table

_Read = Callable[[Any], float]

# Each form of a law is known by its first key.
FORMS = {
    "polynomial": ("polynomial",),
    "rate": ("rate", "start"),
    "harmonic": ("harmonic",),
    "program": ("program", "start", "value", "repeat"),
    "table": ("table", "column", "time_column", "smooth", "max_gap"),
    "segment": ("segment", "from", "to", "coordinate", "plane", "at", "time_column", "smooth", "max_gap"),
    "time": ("time", "value", "smooth", "filled"),
}


def read_motion(given: Any, folder: Path, units: Units, holds: str, over: str = "time") -> Law:
    """A law from an expression, a number, or a table with the keys of one of FORMS.

    `holds` is what the law gives, "angle" or "length", and `over` what it depends on: "time", or the "angle" of a cam.
    `folder` is where motion files are.
    """
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
    for key in given:
        if key not in FORMS[form]:
            raise ModelError(f'a motion by {form} has no "{key}". {nearest(key, FORMS[form])}')
    if form == "table":
        return column_law(given, folder, units, holds, over)
    if form == "segment":
        return segment_law(given, folder, units, holds, over)

    def driven(value: Any) -> float:
        return in_model_units(value, units, holds)

    def when(value: Any) -> float:
        return in_model_units(value, units, over)

    if form == "polynomial":
        return Polynomial(_numbers(given["polynomial"], "polynomial", driven))
    if form == "rate":
        return Polynomial((_number(given.get("start", 0.0), "start", driven), _number(given["rate"], "rate", driven)))
    if form == "harmonic":
        return _harmonic(given["harmonic"], units, driven)
    return _program(given, when, driven) if form == "program" else _samples(given, when, driven)


def _program(given: Mapping[str, Any], when: _Read, driven: _Read) -> Program:
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
        lasts = _number(part["lasts"], f"segment {number}: lasts", when)
        rise = _number(part.get("rise", 0.0), f"segment {number}: rise", driven)
        segments.append(Segment(str(part["law"]), lasts, rise))
    start = _number(given.get("start", 0.0), "start", when)
    value = _number(given.get("value", 0.0), "value", driven)
    return Program(tuple(segments), start, value, bool(given.get("repeat", False)))


def _harmonic(given: Any, units: Units, driven: _Read) -> Harmonic:
    """Amplitude and mean are of the kind driven, rate is a number; phase is an angle, radians if a plain number."""
    readers: dict[str, _Read] = {
        "amplitude": driven,
        "rate": lambda value: units.read(value, "number"),
        "mean": driven,
        "phase": lambda value: units.read(value, "angle") if isinstance(value, str) else plain_number(value),
    }
    if not isinstance(given, Mapping) or not {"amplitude", "rate"} <= given.keys():
        raise ModelError("harmonic needs amplitude and rate, and may have mean and phase (radians)")
    for key in given:
        if key not in readers:
            raise ModelError(f'a harmonic has no "{key}". {nearest(key, readers)}')
    return Harmonic(**{key: _number(value, key, readers[key]) for key, value in given.items()})


def _samples(given: Mapping[str, Any], when: _Read, driven: _Read) -> Table:
    if "value" not in given:
        raise ModelError('a motion by samples needs "value" beside "time"')
    filled = given.get("filled", 0)
    if isinstance(filled, bool) or not isinstance(filled, int) or filled < 0:
        raise ModelError(f"filled should be how many of the samples were filled in, a whole number; found {filled!r}")
    time = _numbers(given["time"], "time", when)
    return Table(time, _numbers(given["value"], "value", driven), given.get("smooth", "none"), filled)


def _number(given: Any, name: str, read: _Read) -> float:
    try:
        return read(given)
    except ModelError as error:
        raise ModelError(f"{name}: {error}") from None


def _numbers(given: Any, name: str, read: _Read) -> tuple[float, ...]:
    if not isinstance(given, list) or not given:
        raise ModelError(f"{name} needs a list of numbers")
    return tuple(_number(value, name, read) for value in given)


def write_motion(law: Law) -> str:
    """A law as TOML text."""
    if isinstance(law, Expression):
        return quoted(law.text)
    if isinstance(law, Polynomial):
        return f"{{ polynomial = {_list(law.coefficients)} }}"
    if isinstance(law, Harmonic):
        terms = ", ".join(f"{k} = {float(getattr(law, k))!r}" for k in ("amplitude", "rate", "mean", "phase"))
        return f"{{ harmonic = {{ {terms} }} }}"
    if isinstance(law, Program):
        parts = ", ".join(
            f'{{ law = "{s.law}", lasts = {float(s.lasts)!r}, rise = {float(s.rise)!r} }}' for s in law.segments
        )
        repeat = "true" if law.repeat else "false"
        return (
            f"{{ program = [{parts}], start = {float(law.start)!r}, value = {float(law.value)!r}, repeat = {repeat} }}"
        )
    if isinstance(law, Table):
        smooth = f'"{law.smooth}"' if isinstance(law.smooth, str) else repr(float(law.smooth))
        filled = f", filled = {law.filled}" if law.filled else ""
        return f"{{ time = {_list(law.time)}, value = {_list(law.value)}, smooth = {smooth}{filled} }}"
    what = "a Python function" if isinstance(law, Function) else type(law).__name__
    raise ModelError(f"{what} cannot be written to a file", suggestion="Use an expression, a polynomial or a table.")


def _list(values: tuple[float, ...]) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def quoted(text: str) -> str:
    """Text as a TOML string: quotes, backslashes and control characters escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
