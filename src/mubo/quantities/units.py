"""Units at the border. Inside, lengths are in the model's length unit and angles in radians.

Inside, all units are consistent: force = mass · length / time². Where a model declares a unit of force, masses are kept
in the unit that follows, force · time² / length (tonnes of mm, N and s), whatever unit they are written in.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from numbers import Real
from typing import NamedTuple

from mubo.errors import ModelError, nearest
from mubo.laws.dependent import Dependent
from mubo.lazy_dataclass import dataclass
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters
from mubo.quantities.unit_algebra import (
    FACTORS,
    FORCES,
    KINDS,
    NUMBER,
    example_of,
    measure,
    powers_of,
    units_of,
    unknown_word,
    words_of,
)

BASE_UNITS = {kind: next(iter(factors)) for kind, factors in FACTORS.items()}
DECLARABLE = {**FACTORS, "force": FORCES}
UNSTATED = "unstated"  # in place of a unit: numbers of this kind carry none, though others do
EFFORTS = {"force": "N", "torque": "N m", "energy": "J", "power": "W", "stress": "Pa"}
_QUANTITY = re.compile(rf"^\s*([-+]?{NUMBER})((?:\s*[A-Za-zµ°]|\s+1\s*/).*?)\s*$")


class Quantity(NamedTuple):
    """A number with a unit: its factor to m, rad, kg, s, and the powers of these."""

    number: float
    factor: float
    powers: Mapping[str, int]


def quantity(text: str) -> Quantity | None:
    """Reads text such as "1500 rpm"; returns None where it is not a number with a known unit."""
    match = _QUANTITY.match(text)
    known = measure(match[2]) if match else None
    return Quantity(float(match[1]), *known) if match and known else None


def is_expression(text: str) -> bool:
    """Whether text is an expression: neither a number with a unit, nor a number alone, nor no formula at all."""
    if quantity(text) is not None:
        return False
    try:
        tree = Formula(text).tree
    except ModelError:
        return False
    while isinstance(tree, ast.UnaryOp):
        tree = tree.operand
    return not isinstance(tree, ast.Constant)


def finite(value: Real | float, shown: object) -> float:
    """The value as a float; infinite and too large numbers are refused."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        text = str(shown) if len(str(shown)) < 30 else str(shown)[:27] + "..."
        raise ModelError(f"expected a finite number; found {text}")
    return number


def _plain(value: object) -> float:
    """A number without a unit."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ModelError(f"expected a number; found {value!r}")
    return value if isinstance(value, Dependent) else finite(value, value)


@dataclass(frozen=True)
class Units:
    """The units a model declares; an empty string where it declares none."""

    length: str = ""
    angle: str = ""
    mass: str = ""
    time: str = ""
    unstated: str = ""  # what has no unit though others are declared, such as "length"
    force: str = ""
    parameters: Parameters = field(default_factory=Parameters)  # which may stand in numbers

    def __post_init__(self) -> None:
        for kind, factors in DECLARABLE.items():
            unit = getattr(self, kind)
            if unit and unit not in factors:
                raise ModelError(f'units: "{unit}" is not a unit of {kind}. {nearest(unit, factors)}')
        if not self.parameters:  # those that are there keep the units in which they were read
            object.__setattr__(self, "parameters", replace(self.parameters, own=self.own_sizes))

    @classmethod
    def declare(cls, words: Mapping[str, str]) -> Units:
        """Units by kind: {"length": "mm", "angle": "deg"}; one of them may be "unstated"."""
        for kind in words:
            if kind not in DECLARABLE:
                raise ModelError(f'units: there is no "{kind}". {nearest(kind, DECLARABLE)}')
        stated = {kind: word for kind, word in words.items() if word != UNSTATED}
        without = [kind for kind in words if kind not in stated]
        if len(without) > 1:
            raise ModelError(f'units: only one kind may be "{UNSTATED}"; found {" and ".join(without)}')
        return cls(**stated, unstated="".join(without))  # type: ignore[arg-type]

    @property
    def declared(self) -> bool:
        return any(self.stated.values())

    @property
    def words_of_file(self) -> dict[str, str]:
        """The keys and values of the file from which `declare` reads these units."""
        return ({self.unstated: UNSTATED} if self.unstated else {}) | self.stated

    @property
    def stated(self) -> dict[str, str]:
        """The units that are declared, by kind, in the order of files."""
        return {kind: getattr(self, kind) for kind in DECLARABLE if getattr(self, kind)}

    def angle_factor(self) -> float:
        """Radians per unit of angle of the model."""
        return FACTORS["angle"][self.angle or "rad"]

    @property
    def own_sizes(self) -> tuple[float, ...]:
        """The model's units of length, angle, mass and time in m, rad, kg and s, as expressions have them."""
        return tuple(self.size(kind) for kind in BASE_UNITS)

    def size(self, kind: str) -> float:
        """The internal unit of length, mass or time, in m, kg or s."""
        if kind == "mass" and self.force:
            return FORCES[self.force] * self.size("time") ** 2 * self.size("length") ** -1
        return FACTORS[kind][getattr(self, kind) or BASE_UNITS[kind]]

    def mass_factor(self) -> float:
        """The factor from a mass, density or inertia in the model's units to the internal unit."""
        return FACTORS["mass"][self.mass or "kg"] / self.size("mass")

    @property
    def mass_unit(self) -> str:
        """The internal unit of mass, as text: "kg", or "N s^2/mm" where a unit of force is declared."""
        return f"{self.force} {self.time or 's'}^2/{self.length or 'm'}" if self.force else self.mass or "kg"

    def factor(self, holds: str) -> float:
        """The factor from a number in the model's units to the internal unit, in which angles are radians."""
        power = int(re.sub(r".*angle\^(-?\d+).*", r"\1", holds)) if "angle^" in holds else int(holds == "angle")
        return self.angle_factor() ** power

    def read(self, value: object, kind: str) -> float:
        """A number, or text like "60 deg", as mubo holds it: angles in radians, masses in the unit that goes with a
        declared force, all else in the model's units.

        `kind` is what it is: "length", "angle/time", "force/length" (see `unit_algebra`). A plain number is in the
        model's units, but stiffness and damping of a turn are per radian.
        """
        turns = powers_of(kind).get("angle") == 1
        factor = self.angle_factor() if turns else 1.0
        factor *= self.mass_factor() if "mass" in kind else 1.0
        if isinstance(value, str):
            if self._expressed(value):
                return self.parameters.number(value, kind, factor, 1.0)
            return self._converted(value, kind, radians=True)
        number = _plain(value)
        return number if factor == 1.0 else number * factor

    def in_own(self, value: object, kind: str) -> float:
        """A number, or text with a unit, in the model's units, which for angles may be degrees: as motion laws are."""
        if isinstance(value, str) and self._expressed(value):
            return self.parameters.number(value, kind, 1.0, self.angle_factor())
        return self._converted(value, kind, radians=False) if isinstance(value, str) else _plain(value)

    def own(self, found: Quantity) -> float:
        """A quantity of any dimension in the model's units."""
        return finite(found.number * (found.factor / self._own(found.powers, radians=False)), found.number)

    def _expressed(self, text: str) -> bool:
        """Whether text is to be read as an expression of parameters: of none, where the model has none."""
        return is_expression(text) and bool(self.parameters or not Formula(text).names)

    def _converted(self, text: str, kind: str, radians: bool) -> float:
        """A size with a unit of this kind, in the model's units."""
        match, found = _QUANTITY.match(text), quantity(text)
        if match is None or kind == "number":
            example = f', or text such as "1 {example_of(kind)}"' if kind != "number" else ""
            raise ModelError(f'expected a number{example}; found "{text}"')
        if found is None:
            word = unknown_word(match[2])
            known = nearest(word, units_of(kind) or [example_of(kind)])
            raise ModelError(f'"{text}" is no {words_of(kind)}: unknown unit "{word}". {known}')
        if found.powers != powers_of(kind):
            raise ModelError(f'"{text}" is no {words_of(kind)}: write a number, or text such as "1 {example_of(kind)}"')
        return finite(found.number * (found.factor / self._own(found.powers, radians)), text)

    def _own(self, powers: Mapping[str, int], radians: bool) -> float:
        """The model's unit of a dimension, in m, rad, kg, s; with `radians` its unit of angle does not count."""
        size = 1.0
        for kind, power in powers.items():
            if not (radians and kind == "angle"):
                size *= self.size(kind) ** power
        return size

    def unit_of(self, holds: str, order: int = 0) -> str:
        """Unit of the quantity of a column, or of its first or second derivative; "" where the model declares none."""
        if not self.declared or holds in ("number", self.unstated):
            return ""
        if holds == "time":
            return self.time or "s"
        if "^" in holds:
            return self._product(holds, order)
        return self.rate(holds, order) if holds in ("length", "angle") else self.effort(holds)

    def conversion(self, holds: str, order: int, unit: str) -> float | None:
        """The factor from a column in the model's units to another unit; None where it is no unit of that quantity."""
        found = measure(unit)
        words = (word.split("^") for word in holds.split())
        powers = dict(powers_of(holds)) if holds in KINDS else {kind: int(power) for kind, power in words}
        powers["time"] = powers.get("time", 0) - order
        powers = {kind: power for kind, power in powers.items() if power}
        if found is None or found[1] != powers:
            return None
        return self._own(powers, radians=False) / found[0]

    def of_kind(self, kind: str) -> str:
        """Unit of an option of a joint or load as mubo holds it, such as "force*time/length"; turns are per radian."""
        if not self.declared or kind == "number":
            return ""
        words = {"length": self.length or "m", "angle": "rad", "mass": self.mass or "kg", "time": self.time or "s"}
        if kind in KINDS:
            return words.get(kind) or self.unit_of(kind)
        if self._newtons:  # force and torque by their names: N s/m
            words |= {word: self.effort(word) for word in EFFORTS}
            return re.sub("[a-z]+", lambda word: words[word[0]], kind).replace("*", " ")
        return Units.declare(words)._product(" ".join(f"{word}^{power}" for word, power in powers_of(kind).items()), 0)

    def unit_from_powers(self, powers: Iterable[float]) -> str:
        """The model's unit of a dimension, powers of length, angle, mass and time: "mm/s"."""
        product = " ".join(f"{kind}^{int(power)}" for kind, power in zip(BASE_UNITS, powers, strict=False) if power)
        return self._product(product, 0)

    def rate(self, kind: str, order: int) -> str:
        """Unit of a length or angle, or of its first or second derivative."""
        base = (self.angle or "rad") if kind == "angle" else (self.length or "m")
        time = self.time or "s"
        return base + ("" if order == 0 else f"/{time}" if order == 1 else f"/{time}^{order}")

    def _product(self, holds: str, order: int) -> str:
        """Unit of a product of kinds such as "length^2 time^-1"."""
        powers = {kind: int(power) for kind, power in (word.split("^") for word in holds.split())}
        powers["time"] = powers.get("time", 0) - order
        words = {kind: getattr(self, kind) or BASE_UNITS[kind] for kind in BASE_UNITS}
        if self.force and (forces := powers.pop("mass", 0)):  # a mass in columns is part of a force
            words["force"], powers = self.force, {"force": forces, **powers}
            powers["length"] = powers.get("length", 0) - forces
            powers["time"] += 2 * forces

        def text(sign: int) -> str:
            chosen = [(words[kind], sign * p) for kind, p in powers.items() if sign * p > 0]
            return " ".join(word if p == 1 else f"{word}^{p}" for word, p in chosen)

        below = text(-1)
        return (text(1) or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")

    @property
    def _newtons(self) -> str:
        """The unit of force by its name: the one declared, or N where mass · length / time² is one; "" of others."""
        if self.force:
            return self.force
        newton = self.size("mass") * self.size("length") / self.size("time") ** 2
        return "N" if math.isclose(newton, 1.0, rel_tol=1e-12) else ""

    def effort(self, kind: str) -> str:
        """Unit of a "force", a "torque", an "energy", a "power" or a "stress"."""
        length, mass, time, force = self.length or "m", self.mass or "kg", self.time or "s", self._newtons
        if (force, length, time) == ("N", "m", "s"):
            return EFFORTS[kind]
        if force:
            words = {"force": force, "power": f"{force} {length}/{time}", "stress": f"{force}/{length}^2"}
            return words.get(kind, f"{force} {length}")
        if kind == "stress":
            return f"{mass}/({length} {time}^2)"
        if kind == "power":
            return f"{mass} {length}^2/{time}^3"
        return f"{mass} {length}/{time}^2" if kind == "force" else f"{mass} {length}^2/{time}^2"
