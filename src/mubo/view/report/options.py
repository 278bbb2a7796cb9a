"""Options of joints and forces in words: "axis = (1, 0), angle = 0.5 (28.65°)"."""

from __future__ import annotations

import math
from typing import Any

from mubo.elements import Element, Option
from mubo.model import Force, Joint, Model
from mubo.model.coordinates import holds_at
from mubo.view.report.markup import number, vector


def option_words(model: Model, element: Element, part: Joint | Force) -> str:
    """The options that were given, in the order of the declaration."""
    told = [o for o in element.options if o.name in part.options]
    return ", ".join(f"{option.name} = {_value(model, option, part)}" for option in told)


def _value(model: Model, option: Option, part: Joint | Force) -> str:
    value = part.options[option.name]
    if option.holds == "angle" or (option.holds == "coordinate" and _turns(model, part)):
        return angle_words(model, value)
    if option.holds == "law":
        return str(value.words)
    return f"{len(value)} points" if option.holds == "contour" else _plain(value)


def _turns(model: Model, part: Joint | Force) -> bool:
    if isinstance(part, Joint):
        return part.between[0].endswith(".phi")
    return holds_at(model, part.on[0]) == "angle"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        flat = all(isinstance(entry, int | float) for entry in value)
        return vector(value) if flat else "(" + ", ".join(_plain(entry) for entry in value) + ")"
    return number(value) if isinstance(value, int | float) else str(value)


def angle_words(model: Model, radians: float) -> str:
    """An angle in the model's unit; plain radians in degrees too, which people picture."""
    factor = model.units.angle_factor()
    shown = number(radians / factor)
    return shown if factor != 1.0 or radians == 0 else f"{shown} ({number(math.degrees(radians), 4)}°)"
