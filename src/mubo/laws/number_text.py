"""Numbers and sums as people read them: "1.9 − 0.25 t²"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_POWER = re.compile(r"e([+-])0*(\d+)$")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 6) -> str:
    """Six digits, a real minus sign, powers of ten as such: 6.2 × 10⁻¹⁵."""
    text = f"{value:.{digits}g}"
    power = _POWER.search(text)
    if power:
        text = f"{text[: power.start()]} × 10{raised(int(power[1] + power[2]))}"
    return text.replace("-", "−")


def raised(power: int) -> str:
    """An exponent: ⁻¹⁵."""
    return str(power).translate(_RAISED)


def signed_sum(terms: Sequence[tuple[float, str]]) -> str:
    """Factors and names with their signs: "1 − 2 t"."""
    out = ""
    for factor, name in terms or [(0.0, "")]:
        sign = " − " if factor < 0 else " + "
        size = "" if abs(factor) == 1 and name else number(abs(factor)) + (" " if name else "")
        out += (sign if out else sign.strip().replace("+", "")) + size + name
    return out
