"""What a native file says about initial conditions, events and the analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError, nearest
from mubo.model import Analysis

if TYPE_CHECKING:
    from mubo.formats.toml import Reader

OF_JOINT, OF_BODY = ("q", "v"), ("position", "orientation", "angle", "velocity", "omega")
ANALYSES: dict[str, tuple[str, ...]] = {"kinematics": ("type", "start", "end", "step")}
ANALYSES["inverse"] = ANALYSES["kinematics"]
ANALYSES["statics"] = ANALYSES["kinematics"]
ANALYSES["strength"] = ANALYSES["kinematics"]
ANALYSES["gait"] = ANALYSES["kinematics"]
ANALYSES["simulate"] = (*ANALYSES["kinematics"], "rtol", "atol", "method")
ANALYSES["kinematics"] = (*ANALYSES["kinematics"], "reverse")


def read_initial(reader: Reader, name: str, given: Mapping[str, Any]) -> None:
    """[initial.JOINT] with q and v, one number or a list; [initial.BODY] with vectors."""
    where = ("initial", name)
    if reader.keys(where, given, OF_JOINT + OF_BODY):
        reader.attempt(where, lambda: reader.model.start(name, **given))


def read_event(reader: Reader, name: str, given: Mapping[str, Any]) -> None:
    """[event.NAME] with of, value, direction and stop."""
    where = ("event", name)
    reader.keys(where, given, ("of", "value", "direction", "stop"))
    missing = [key for key in ("of", "value") if key not in given]
    for key in missing:
        reader.note(where, f'"{key}" is missing')
    if "stop" in given and not isinstance(given["stop"], bool):
        reader.note((*where, "stop"), "stop is true or false")
    if not missing:
        options = {key: given[key] for key in ("direction", "stop") if key in given}
        reader.attempt(where, lambda: reader.model.watch(name, str(given["of"]), given["value"], **options))


def read_analysis(reader: Reader, given: Mapping[str, Any]) -> None:
    """[analysis] with type, start, end, step; a simulation may say its tolerances and method. Statics need no times:
    what is not driven stays where it is."""
    where, units = ("analysis",), reader.model.units
    kind = str(given.get("type", "kinematics"))
    if kind == "statics":
        start = given.get("start", 0.0)
        given = {"start": start, "end": start, "step": 1.0, **given}
    if kind not in ANALYSES:
        reader.note((*where, "type"), f'there is no analysis "{kind}". {nearest(kind, ANALYSES)}')
        kind = "simulate"
    reader.keys(where, given, ANALYSES[kind])
    values: dict[str, Any] = {}
    for key in ("start", "end", "step"):
        if key not in given:
            reader.note(where, f'"{key}" is missing')
        else:
            value = reader.attempt((*where, key), lambda k=key: units.read(given[k], "time"))  # type: ignore[misc]
            values[key] = 0.0 if value is None else value
    if len(values) < 3:
        return
    if not values["step"] > 0:
        reader.note((*where, "step"), f"the time step must be positive; found {values['step']:g}")
    if values["end"] < values["start"]:
        reader.note((*where, "end"), f"the end {values['end']:g} is before the start {values['start']:g}")
    for key in ("rtol", "atol"):
        if key in given:
            values[key] = reader.attempt((*where, key), lambda k=key: _tolerance(units.read(given[k], "number")))  # type: ignore[misc]
    reverse = given.get("reverse", False)
    if not isinstance(reverse, bool):
        reader.note((*where, "reverse"), "reverse is true or false")
    reader.model.analysis = Analysis(kind, **values, method=str(given.get("method", "")), reverse=reverse is True)


def _tolerance(value: float) -> float:
    if not value > 0:
        raise ModelError(f"a tolerance must be positive; found {value:g}")
    return value
