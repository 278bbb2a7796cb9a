"""Numbers, quantities and sums as people read them: "−36.16 kW", "1.9 − 0.25 t²"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_POWER = re.compile(r"e([+-])0*(\d+)$")
_EXPONENT = re.compile(r"\^(-?\d+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))
PREFIXED = ("N", "N m", "W", "J", "Pa", "Hz", "m", "s")
ONLY_SMALLER = ("m", "s")  # nobody reads kilometres of a mechanism or kiloseconds


def number(value: float, digits: int = 6) -> str:
    """Six digits, a real minus sign, powers of ten as such: 6.2 × 10⁻¹⁵."""
    text = f"{value:.{digits}g}"
    power = _POWER.search(text)
    if power:
        text = f"{text[: power.start()]} × 10{raised(int(power[1] + power[2]))}"
    return text.replace("-", "−")


def signed_number(value: float, digits: int = 4) -> str:
    """A number with its sign, also where it is positive: a derivative, a change.

    >>> signed_number(-0.25), signed_number(3.0)
    ('−0.25', '+3')
    """
    return ("+" if value >= 0 else "") + number(value, digits)


def raised(power: int) -> str:
    """An exponent: ⁻¹⁵."""
    return str(power).translate(_RAISED)


def unit_text(unit: str) -> str:
    """A unit as people read it; files keep the form that is typed.

    >>> unit_text("kg mm^2/s^3")
    'kg mm²/s³'
    """
    return _EXPONENT.sub(lambda found: raised(int(found[1])), unit.replace("**", "^"))


def signed_sum(terms: Sequence[tuple[float, str]]) -> str:
    """Factors and names with their signs: "1 − 2 t"."""
    out = ""
    for factor, name in terms or [(0.0, "")]:
        sign = " − " if factor < 0 else " + "
        size = "" if abs(factor) == 1 and name else number(abs(factor)) + (" " if name else "")
        out += (sign if out else sign.strip().replace("+", "")) + size + name
    return out


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
    return f"{number(value / factor, digits)} {unit_text(shown)}".strip()
