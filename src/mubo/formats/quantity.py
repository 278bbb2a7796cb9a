"""Quantities as motion laws hold them: in the model's units, which for angles may be degrees."""

from __future__ import annotations

import string
from typing import Any

from mubo.errors import ModelError
from mubo.model.units import FACTORS, Units


def in_model_units(value: Any, units: Units, kind: str) -> float:
    """A plain number as it is; text such as "30 deg" in the model's unit of this kind ("angle", "length", "time").

    `units.read` answers radians for angles; the law of a driver is turned into radians later.
    """
    if not isinstance(value, str):
        return plain_number(value)
    read = units.read(value, kind)  # refuses what is not a quantity of this kind
    if kind != "angle":
        return read
    size = value.strip().rstrip(string.ascii_letters)
    unit = value.strip().removeprefix(size)
    return float(size) * (FACTORS["angle"][unit] / units.angle_factor())  # "30 deg" is 30.0 to the last digit


def plain_number(value: Any) -> float:
    """A number without a unit."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ModelError(f"expected a number; found {value!r}")
    return float(value)
