"""Options of joints, and motion laws, from what users write to what mubo holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mubo.elements import JOINTS, Option
from mubo.errors import ModelError, nearest
from mubo.model.parts import Vector
from mubo.model.units import Units
from mubo.motion import Expression, Function, Law


def read_options(units: Units, kind: str, between: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a joint as mubo holds them; what each may be is declared with the kind."""
    if kind not in JOINTS:
        raise ModelError(f'there is no joint type "{kind}". {nearest(kind, JOINTS)}')
    declared = {option.name: option for option in JOINTS[kind].options}
    out: dict[str, Any] = {}
    for name, value in given.items():
        if name not in declared:
            raise ModelError(f'a {kind} joint has no "{name}". {nearest(name, declared)}')
        try:
            out[name] = _read(units, declared[name], value, between)
        except ModelError as error:
            raise ModelError(f"{name}: {error}") from None
    return out


def _read(units: Units, option: Option, value: Any, between: Sequence[str]) -> Any:
    holds = option.holds
    if isinstance(holds, tuple):
        if value not in holds:
            raise ModelError(f'"{value}" is not one of {", ".join(holds)}')
        return value
    if holds == "direction":
        return read_vector(units, value, "number")
    if holds == "lengths":
        return tuple(_positive(option, length) for length in read_vector(units, value, "length"))
    if holds == "contour":
        value = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < 4:
            raise ModelError("needs a list of at least four points [x, y]")
        return tuple(read_vector(units, point, "length") for point in value)
    if holds == "body":
        return str(value)
    if holds == "law":
        return law(value)
    if holds == "coordinate":
        holds = "angle" if between[0].endswith(".phi") else "length"
    return _positive(option, units.read(value, holds))


def _positive(option: Option, value: float) -> float:
    if option.positive and not value > 0:
        raise ModelError(f"must be positive; found {value:g}")
    if option.least is not None and value < option.least:
        raise ModelError(f"must be at least {option.least:g}; found {value:g}")
    return value


def read_vector(units: Units, value: Any, kind: str) -> Vector:
    """Two numbers or quantities."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise ModelError(f"expected two numbers [x, y]; found {value!r}")
    return units.read(value[0], kind), units.read(value[1], kind)


def law(motion: Law | str | float | Callable[[float], float]) -> Law:
    """A motion law from what users write: a law, an expression, a constant or a Python function."""
    if isinstance(motion, str):
        return Expression(motion)
    if isinstance(motion, int | float):
        return Expression(repr(float(motion)))
    if isinstance(motion, Law):
        return motion
    if callable(motion):
        return Function(motion)
    raise ModelError(f"a motion is an expression, a law, a table or a function; found {motion!r}")
