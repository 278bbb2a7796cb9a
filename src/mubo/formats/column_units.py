"""Units in the headers of result tables: "A.vx [mm/s]" is a name and a unit, and units of one kind convert."""

from __future__ import annotations

import re

from mubo.model.units import FACTORS

# Words that other programs write for the units that model files know.
OTHER_WORDS = {
    "sec": "s",
    "second": "s",
    "msec": "ms",
    "meter": "m",
    "millimeter": "mm",
    "centimeter": "cm",
    "inch": "in",
    "foot": "ft",
    "µm": "um",
    "degree": "deg",
    "°": "deg",
    "radian": "rad",
    "newton": "N",
}
# Units that are products of others: factor, and the powers of their kinds.
PRODUCTS: dict[str, tuple[float, dict[str, int]]] = {
    "N": (1.0, {"mass": 1, "length": 1, "time": -2}),
    "kN": (1e3, {"mass": 1, "length": 1, "time": -2}),
    "J": (1.0, {"mass": 1, "length": 2, "time": -2}),
    "W": (1.0, {"mass": 1, "length": 2, "time": -3}),
    "rpm": (FACTORS["angle"]["rev"] / FACTORS["time"]["min"], {"angle": 1, "time": -1}),
    "1": (1.0, {}),
}
_SAME = {"**": "^", "²": "^2", "³": "^3", "·": "*", "⋅": "*", " ": ""}
_PART = re.compile(r"([*/-]?)([A-Za-zµ°]+|1)(?:\^(-?\d))?")
_SQUARE = re.compile(r"^(.*\S)\s*\[([^\[\]]*)\]$")
_ROUND = re.compile(r"^(.*\S)\s*\(([^()]*)\)$")


def split_unit(cell: str) -> tuple[str, str]:
    """Name and unit of a header cell: "A.x [mm]", or "A.x (mm)" if mm is a unit; "q[3]" is a name."""
    cell = cell.strip()
    square, round_ = _SQUARE.match(cell), _ROUND.match(cell)
    if square and not square[2].strip().isdigit():
        return square[1], square[2].strip()
    if round_ and measure(round_[2]) is not None:
        return round_[1], round_[2].strip()
    return cell, ""


def measure(unit: str) -> tuple[float, dict[str, int]] | None:
    """Factor to m, rad, kg, s and the powers of these kinds, or None: "mm/s^2" is 1e-3, length 1 and time -2."""
    text = unit.strip()
    if text == "-":
        return 1.0, {}
    for written, same in _SAME.items():
        text = text.replace(written, same)
    factor, powers, end = 1.0, dict.fromkeys(FACTORS, 0), 0
    while end < len(text):
        part = _PART.match(text, end)
        known = _known(part[2]) if part else None
        if part is None or known is None or (end > 0) != bool(part[1]):
            return None
        power = int(part[3] or 1) * (-1 if part[1] == "/" else 1)
        factor *= known[0] ** power
        for kind, exponent in known[1].items():
            powers[kind] += exponent * power
        end = part.end()
    return (factor, {kind: power for kind, power in powers.items() if power}) if text else None


def _known(word: str) -> tuple[float, dict[str, int]] | None:
    name = OTHER_WORDS.get(word) or OTHER_WORDS.get(word.removesuffix("s")) or word
    for kind, factors in FACTORS.items():
        if name in factors:
            return factors[name], {kind: 1}
    return PRODUCTS.get(name)


def conversion(unit: str, into: str) -> float | None:
    """Numbers in `unit` times this are in `into`; None if they do not convert."""
    if unit == into:
        return 1.0
    one, other = measure(unit), measure(into)
    if one is None or other is None or one[1] != other[1]:
        return None
    return one[0] / other[0]
