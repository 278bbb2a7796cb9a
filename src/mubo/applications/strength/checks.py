"""A line of the table that is signed: what was found, what is allowed, the safety between them, and its units.

Stresses are shown in MPa and long times in hours, everything else in the model's units.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from mubo.laws.number_text import quantity_text
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

MEGA, HOUR = 1e6, 3600.0


@dataclass(frozen=True)
class StrengthCheck:
    """One thing that was looked at: its value with what it `holds`, the limit, and by what factor it is safe.

    Where there is no limit, the value is reported alone. `asked` is the required safety factor, 1 if none is given.
    """

    table: str  # "pin", "section", "keepout" or "clearance"
    name: str
    what: str
    value: float
    holds: str
    limit: float | None = None
    safety: float | None = None
    asked: float = 1.0
    t: float | None = None
    where: str = ""
    how: str = ""  # formula and source
    fits: bool | None = None  # of a distance, which has no safety factor

    @property
    def ok(self) -> bool | None:
        """Whether it is as safe as required; None where nothing limits it."""
        return self.fits if self.safety is None else self.safety >= self.asked

    @property
    def margin(self) -> float:
        """Safety over what is asked for: the least of a part governs it."""
        return float("inf") if self.safety is None else self.safety / self.asked

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


def against(limit: float | None, value: float) -> float | None:
    """The safety of a value against a limit; None without one."""
    if limit is None:
        return None
    return limit / value if value > 0 else float("inf")


def governing(checks: list[StrengthCheck]) -> StrengthCheck | None:
    """The check with the least margin of those that have a limit."""
    limited = [check for check in checks if check.safety is not None]
    return min(limited, key=lambda check: check.margin, default=None)


def format_value(units: Units, holds: str, value: float, digits: int = 4) -> str:
    """A value with its unit; bare where the model declares none.

    >>> format_value(Units(length="mm", force="N"), "stress", 126.0677)
    '126.1 MPa'
    """
    number, unit = scaled(units, holds, value)
    return f"{number:.0f} {unit}" if unit == "h" and number >= 1000 else quantity_text(number, unit, digits)


def scaled(units: Units, holds: str, value: float) -> tuple[float, str]:
    """The number that is shown, and its unit."""
    if not units.declared or holds == "number":
        return value, ""
    if holds.startswith("stress") and not units.pressure:
        pascals = value * units.size("mass") / (units.size("length") * units.size("time") ** 2)
        if holds == "stress":
            return pascals / MEGA, "MPa"
        return pascals * units.size("length") / units.size("time") / MEGA, "MPa m/s"
    if holds == "time" and value * units.size("time") >= HOUR:
        return value * units.size("time") / HOUR, "h"
    factor, unit, _ = units.unit(holds)
    return value / factor, unit
