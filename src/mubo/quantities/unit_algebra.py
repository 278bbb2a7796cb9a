"""Units as text: products, quotients and powers of units, each with its factor to m, rad, kg, s and its dimension.

"N*m/rad", "N m/rad", "kg/m^3", "m/s²" and "rpm" are units; a kind of quantity is written alike with the names
of kinds: "force/length", "angle/time^2". An angle counts as a dimension of its own: "rad/s" is no "1/s", and "N m" no
"N m/rad". A quotient divides by the one unit behind it, or by a bracket: "N m/rad*s" and "N m/(rad/s)" are both
N m s/rad.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache

FACTORS: dict[str, dict[str, float]] = {
    "length": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "km": 1e3, "um": 1e-6, "in": 0.0254, "ft": 0.3048},
    "angle": {"rad": 1.0, "deg": math.pi / 180, "rev": 2 * math.pi},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": 0.45359237},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0},
}
"""The units that a model may declare, by kind."""
Powers = dict[str, int]  # of the kinds of FACTORS
Measure = tuple[float, Powers]  # factor to m, rad, kg, s, and the dimension

_FORCE: Powers = {"mass": 1, "length": 1, "time": -2}
_TORQUE: Powers = {"mass": 1, "length": 2, "time": -2}
_POWER: Powers = {"mass": 1, "length": 2, "time": -3}
_PRESSURE: Powers = {"mass": 1, "length": -1, "time": -2}
STANDARD_GRAVITY = 9.80665  # m/s², by definition (CGPM 1901)
HORSEPOWER = 550 * FACTORS["length"]["ft"] * STANDARD_GRAVITY * FACTORS["mass"]["lb"]  # 550 ft lbf/s
PRODUCTS: dict[str, Measure] = {
    **{word: (size, _FORCE) for word, size in (("N", 1.0), ("mN", 1e-3), ("kN", 1e3), ("MN", 1e6))},
    "kgf": (STANDARD_GRAVITY, _FORCE),
    "lbf": (STANDARD_GRAVITY * FACTORS["mass"]["lb"], _FORCE),
    **{word: (size, _TORQUE) for word, size in (("Nm", 1.0), ("Nmm", 1e-3), ("kNm", 1e3), ("J", 1.0), ("kJ", 1e3))},
    **{word: (size, _POWER) for word, size in (("W", 1.0), ("kW", 1e3), ("hp", HORSEPOWER))},
    **{word: (size, _PRESSURE) for word, size in (("Pa", 1.0), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9), ("bar", 1e5))},
    "psi": (STANDARD_GRAVITY * FACTORS["mass"]["lb"] / FACTORS["length"]["in"] ** 2, _PRESSURE),
    "ksi": (1e3 * STANDARD_GRAVITY * FACTORS["mass"]["lb"] / FACTORS["length"]["in"] ** 2, _PRESSURE),
    "Hz": (1.0, {"time": -1}),
    "rpm": (FACTORS["angle"]["rev"] / FACTORS["time"]["min"], {"angle": 1, "time": -1}),
    "1": (1.0, {}),
}
"""Units that are products of others."""
FORCES = {word: size for word, (size, powers) in PRODUCTS.items() if powers == _FORCE}
"""The units of force that a model may declare, in newtons."""
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
"""Words that other programs write for these units."""
KINDS: dict[str, tuple[Powers, str]] = {
    **{kind: ({kind: 1}, next(iter(factors))) for kind, factors in FACTORS.items()},
    "number": ({}, "1"),
    "force": (_FORCE, "N"),
    "torque": (_TORQUE, "N m"),
    "energy": (_TORQUE, "J"),
    "power": (_POWER, "W"),
    "stress": (_PRESSURE, "Pa"),
}
"""Kinds of quantities by name: their dimension, and a unit as an example."""

_SAME = {"**": "^", "²": "^2", "³": "^3", "·": "*", "⋅": "*"}
_AROUND = re.compile(r"\s*([*/^])\s*|(?<=\()\s+|\s+(?=\))")
_DIVISOR = re.compile(r"/\(([^()]+)\)")
_TURNED = str.maketrans("*/", "/*")
NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+|(?![eE][-+]?\d))"  # in "1e0*d" the e belongs to the number
_UNIT_WORD = r"([A-Za-zµ°]+)(?:(?:\^|\*\*)-?\d+|[²³])?(?![\w.(]|-\d)"
_LITERAL = re.compile(rf"(?<![\w.])({NUMBER})\s*{_UNIT_WORD}")
_FURTHER = re.compile(rf"(?:\s+|\s*/\s*){_UNIT_WORD}")
_PART = re.compile(r"([*/-]?)([A-Za-zµ°]+|1)(?:\^(-?\d))?")


@cache
def measure(unit: str) -> Measure | None:
    """Factor to m, rad, kg, s and the powers of these kinds, or None: "mm/s^2" is 1e-3, length 1 and time -2."""
    return (1.0, {}) if unit.strip() == "-" else _product(unit, _unit)


def mark_quantities(text: str, mark: str) -> str:
    """The text of an expression with every number that has a unit as a call of `mark`: "2*5 N/mm" is 2*mark(5, 'N/mm').

    A unit follows its number, and another one follows it after a space or a slash: "5 N m", "1 rev/s". A name that is
    no unit ends it, as n in "1 rev/n". t is the time, not a tonne.
    """
    out, done = [], 0
    for found in _LITERAL.finditer(text):
        if found.start() < done or _unit(found[2]) is None or found[2] == "t":
            continue
        end = found.end()
        while (more := _FURTHER.match(text, end)) and _unit(more[1]) is not None:
            end = more.end()
        out.append(f"{text[done : found.start()]}{mark}({found[1]}, {text[found.start(2) : end]!r})")
        done = end
    return "".join(out) + text[done:]


@cache
def powers_of(kind: str) -> Powers:
    """The dimension of a kind of quantity: "force/length" has mass 1 and time -2."""
    answer = _product(kind, lambda word: (1.0, KINDS[word][0]) if word in KINDS else None)
    if answer is None:
        raise LookupError(f"there is no kind of quantity {kind}")
    return answer[1]


def example_of(kind: str) -> str:
    """A unit of a kind: "N/m" for "force/length"."""
    return re.sub(r"[a-z]+", lambda word: KINDS[word[0]][1], kind).replace("*", " ")


def words_of(kind: str) -> str:
    """A kind as it is spoken: "force per length"."""
    return kind.replace("/", " per ").replace("*", " times ").replace("^2", "²").replace("^3", "³")


def unknown_word(unit: str) -> str:
    """The first word of a unit that is none."""
    words = re.findall(r"[A-Za-zµ°]+", unit)
    return next((word for word in words if _unit(word) is None), unit)


def units_of(kind: str) -> list[str]:
    """All single words of a kind's dimension."""
    powers = powers_of(kind)
    single = [word for factors in FACTORS.values() for word in factors] + list(PRODUCTS)
    return [word for word in single if (known := _unit(word)) and known[1] == powers]


def _unit(word: str) -> Measure | None:
    name = OTHER_WORDS.get(word) or OTHER_WORDS.get(word.removesuffix("s")) or word
    for kind, factors in FACTORS.items():
        if name in factors:
            return factors[name], {kind: 1}
    return PRODUCTS.get(name)


def _product(text: str, known: Callable[[str], Measure | None]) -> Measure | None:
    for written, same in _SAME.items():
        text = text.replace(written, same)
    text = "*".join(_AROUND.sub(r"\1", text).split())
    text = _DIVISOR.sub(lambda bracket: "/" + bracket[1].translate(_TURNED), text)
    factor, powers, end = 1.0, dict.fromkeys(FACTORS, 0), 0
    while end < len(text):
        part = _PART.match(text, end)
        found = known(part[2]) if part else None
        if part is None or found is None or (end > 0) != bool(part[1]) or (part[1], part[2]) == ("-", "1"):
            return None
        power = int(part[3] or 1) * (-1 if part[1] == "/" else 1)
        factor *= found[0] ** power
        _add(powers, found[1], power)
        end = part.end()
    return (factor, {kind: power for kind, power in powers.items() if power}) if text else None


def _add(powers: Powers, more: Mapping[str, int], times: int) -> None:
    for kind, exponent in more.items():
        powers[kind] += exponent * times
