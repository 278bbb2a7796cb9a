"""Values as a designer reads them: stresses in MPa, long times in hours, everything else in the model's units."""

from __future__ import annotations

from mubo.model import Units

MEGA, HOUR = 1e6, 3600.0


def shown(units: Units, holds: str, value: float, digits: int = 4) -> str:
    """A value with its unit; bare where the model declares none.

    >>> shown(Units(length="mm", force="N"), "stress", 126.0677)
    '126.1 MPa'
    """
    number, unit = scaled(units, holds, value)
    return f"{number:.{digits}g} {unit}".strip()


def scaled(units: Units, holds: str, value: float) -> tuple[float, str]:
    """The number that is shown, and its unit."""
    if not units.declared or holds == "number":
        return value, ""
    if holds.startswith("stress"):
        pascals = value * units.size("mass") / (units.size("length") * units.size("time") ** 2)
        if holds == "stress":
            return pascals / MEGA, "MPa"
        return pascals * units.size("length") / units.size("time") / MEGA, "MPa m/s"
    if holds == "time" and value * units.size("time") >= HOUR:
        return value * units.size("time") / HOUR, "h"
    return value, unit_of(units, holds)


def unit_of(units: Units, holds: str) -> str:
    """The unit in which a value is held and saved; empty where the model declares none."""
    return units.rate("length", 1) if holds == "length/time" and units.declared else units.of_kind(holds)
