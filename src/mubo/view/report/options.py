"""Options of joints and forces in words: "axis = (1, 0), angle = 0.5 (28.65°)"."""

from __future__ import annotations

import math
from typing import Any

from mubo.elements import Element, Option
from mubo.model import Force, Joint, ModelDefinition
from mubo.model.coordinates import holds_at
from mubo.view.report.markup import number, settled, vector
from mubo.view.report.units import option_unit, unit_of, with_unit


def option_words(model: ModelDefinition, element: Element, part: Joint | Force) -> str:
    """The options that were given, in the order of the declaration."""
    told = [o for o in element.options if o.name in part.options]
    return ", ".join(f"{option.name} = {_value(model, option, part)}" for option in told)


def _value(model: ModelDefinition, option: Option, part: Joint | Force) -> str:
    value = part.options[option.name]
    turns = _turns(model, part)
    if option.holds == "angle" or (option.holds == "coordinate" and turns):
        return angle_words(model, value)
    unit = option_unit(model.units, option, "angle" if turns else "length")
    if option.holds == "law":
        return with_unit(str(value.words), unit)
    return f"{len(value)} points" if option.holds == "contour" else with_unit(_plain(value), unit)


def _turns(model: ModelDefinition, part: Joint | Force) -> bool:
    if isinstance(part, Joint):
        return part.between[0].endswith(".phi")
    joint = part.on[0].partition(".")[0] in model.joints
    return joint and holds_at(model, part.on[0]) == "angle"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        flat = all(isinstance(entry, int | float) for entry in value)
        return vector(value) if flat else "(" + ", ".join(_plain(entry) for entry in value) + ")"
    return number(value) if isinstance(value, int | float) else str(value)


def angle_words(model: ModelDefinition, radians: float) -> str:
    """An angle in the model's unit; plain radians in degrees too, which people picture."""
    factor, (held,) = model.units.angle_factor(), settled([radians], 1.0)
    shown = with_unit(number(held / factor), unit_of(model.units, "angle"))
    return shown if factor != 1.0 or held == 0 else f"{shown} ({number(math.degrees(held), 4)}°)"
