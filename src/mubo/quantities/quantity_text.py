"""A number with its unit as people read it: four digits, an SI prefix where the unit takes one, a real minus sign."""

from __future__ import annotations

import math

from mubo.laws.number_text import number

PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))
PREFIXED = ("N", "N m", "W", "J", "Pa", "Hz", "m", "s")
ONLY_SMALLER = ("m", "s")  # nobody reads kilometres of a mechanism or kiloseconds


def with_prefix(size: float, unit: str) -> tuple[float, str]:
    """The factor and the unit with the prefix that leaves one to three digits before the point.

    >>> with_prefix(163_300.0, "N m")
    (1000.0, 'kN m')
    """
    if unit not in PREFIXED or not 0 < abs(size) < math.inf:
        return 1.0, unit
    largest = 1.0 if unit in ONLY_SMALLER else math.inf
    fitting = [one for one in PREFIXES if one[0] <= largest and abs(size) >= 0.99995 * one[0]]
    factor, letter = fitting[0] if fitting else PREFIXES[-1]
    return factor, letter + unit


def quantity_text(value: float, unit: str, digits: int = 4) -> str:
    """The number with its unit, of an infinite one the word.

    >>> quantity_text(-36157.0, "W")
    '−36.16 kW'
    """
    if not math.isfinite(value):
        return "infinite" if value > 0 else "−infinite"
    factor, shown = with_prefix(value, unit)
    return f"{number(value / factor, digits)} {shown.replace('^2', '²')}".strip()
