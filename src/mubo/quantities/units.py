"""Units at the border: in which unit a plain number of each quantity is read, and in which its results are written.

`Units.unit` answers both for every kind of quantity, so that what is read and what is written cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import NamedTuple

from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.quantities.coherent_units import CoherentUnits
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters
from mubo.quantities.quantity_text import QUANTITY, Quantity, finite, is_expression, plain_number, quantity
from mubo.quantities.sizes import Size, size_of
from mubo.quantities.unit_algebra import (
    KINDS,
    Powers,
    example_of,
    measure,
    powers_of,
    units_of,
    unknown_word,
    words_of,
)
from mubo.quantities.unit_keys import (
    DERIVED,
    KEYS,
    SET,
    SETS,
    UNSTATED,
    expand_set,
    require_stated,
    require_unit_of_key,
)

_WORD = re.compile(r"([*/]?)([a-z]+)(?:\^(\d))?")
_KEY_OF_KIND = {kind: key for key, kind in DERIVED.items()}
_PER_TIME = {0: "", 1: "/time"}


class Unit(NamedTuple):
    """A unit of the model: its size in internal units, in which angles are radians, its text and its size in SI."""

    factor: float
    label: str
    si: float


@dataclass(frozen=True)
class Units(CoherentUnits):
    """The units a model declares; an empty string where it declares none."""

    parameters: Parameters = field(default_factory=Parameters)  # which may stand in numbers
    velocity: str = ""
    acceleration: str = ""
    angular_velocity: str = ""
    angular_acceleration: str = ""
    torque: str = ""
    energy: str = ""
    power: str = ""
    pressure: str = ""
    inertia: str = ""
    density: str = ""
    stiffness: str = ""
    torsional_stiffness: str = ""

    def __post_init__(self) -> None:
        for key, unit in self.stated.items():
            require_unit_of_key(key, unit)
        if self.unstated:
            require_stated(self.unstated, self.stated)
        if not self.parameters:  # those that are there keep the units in which they were read
            object.__setattr__(self, "parameters", replace(self.parameters, own=self.own_sizes))

    @classmethod
    def declare(cls, given: str | Mapping[str, str]) -> Units:
        """Units by key, {"length": "mm", "torque": "N m"}, or by the name of a set; one of them may be "unstated"."""
        words = expand_set(given)
        for key in words:
            if key not in KEYS:
                raise ModelError(f'units: there is no "{key}". {nearest(key, (*KEYS, SET))}')
        stated = {key: word for key, word in words.items() if word != UNSTATED}
        without = [key for key in words if key not in stated]
        if len(without) > 1:
            raise ModelError(f'units: only one kind may be "{UNSTATED}"; found {" and ".join(without)}')
        return cls(**stated, unstated="".join(without))  # type: ignore[arg-type]

    @property
    def declared(self) -> bool:
        return any(self.stated.values())

    @property
    def file_entry(self) -> str | dict[str, str]:
        """The entry of a file from which `declare` reads these units: the name of a set, or keys and values."""
        name = next((name for name, words in SETS.items() if words == self.stated and not self.unstated), "")
        return name if name and name != "SI" else ({self.unstated: UNSTATED} if self.unstated else {}) | self.stated

    @property
    def stated(self) -> dict[str, str]:
        """The units that are declared, by key, in the order of files."""
        return {key: getattr(self, key) for key in KEYS if getattr(self, key)}

    def __getstate__(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # not the units that were asked for

    @cached_property
    def _known(self) -> dict[tuple[str, int], Unit]:
        """The units that were asked for, by quantity and order of the derivative."""
        return {}

    @cached_property
    def _sizes(self) -> dict[tuple[str, int], Size]:
        """The units of columns that expressions asked for, each asked once."""
        return {}

    def unit(self, holds: str, order: int = 0) -> Unit:
        """The unit of a quantity, or of its first or second derivative by time: that of plain numbers and of results.

        `holds` is a kind, "length", "force/length", or a product of base kinds, "length^2 time^-1", as measures are.
        The label is "" where the model declares no units.
        """
        if (holds, order) not in self._known:
            self._known[holds, order] = self._unit(holds, order)
        return self._known[holds, order]

    def _unit(self, holds: str, order: int) -> Unit:
        kind, powers = _kind_and_powers(holds, order)
        word = getattr(self, _KEY_OF_KIND.get(kind, ""), "") or self._key_of_product(kind, powers)
        if word:
            si = measure(word)[0]  # type: ignore[index]
            return Unit(si / self.coherent_size(powers, radians=True), word, si)
        silent = not self.declared or holds in ("number", self.unstated)
        if kind in KINDS or not kind or holds == "number":
            label = "" if silent else self.kind_label(kind) if kind else self.product_label(powers)
            return self._coherent(powers, label, "mass" in kind)
        return self._composed(kind, powers, silent)

    def _coherent(self, powers: Powers, label: str, weighed: bool) -> Unit:
        """A unit that follows from the base; a mass as such is in its own unit, also beside a unit of force."""
        mass = self.mass_factor() if weighed else 1.0
        turns = powers.get("angle", 0)
        return Unit(self.angle_factor() ** turns * mass, label, self.coherent_size(powers, radians=False) * mass)

    def _composed(self, kind: str, powers: Powers, silent: bool) -> Unit:
        """The unit of a quotient or product of kinds from the units of its parts; something per angle is per radian."""
        parts = [(sign, word, int(power or 1)) for sign, word, power in _WORD.findall(kind)]
        keyed = [word for _, word, _ in parts if getattr(self, _KEY_OF_KIND.get(word, ""), "")]
        if not keyed:
            rad = {one: p for one, p in powers.items() if one != "angle" or p > 0}
            return self._coherent(rad, "" if silent else self.kind_label(kind), "mass" in kind)
        factor, si, label = 1.0, 1.0, ""
        for sign, word, power in parts:
            one = Unit(1.0, "rad", 1.0) if (sign, word) == ("/", "angle") else self.unit(word)
            exponent = -power if sign == "/" else power
            factor, si = factor * one.factor**exponent, si * one.si**exponent
            text = f"({one.label})" if re.search(r"[ /]", one.label) and (power > 1 or sign == "/") else one.label
            label += {"*": " ", "/": "/", "": ""}[sign] + text + (f"^{power}" if power > 1 else "")
        return Unit(factor, label, si)

    def _key_of_product(self, kind: str, powers: Powers) -> str:
        """The unit of a product that is the dimension of one declared quantity, such as a power; "" of others."""
        if kind or not powers:
            return ""
        found = {getattr(self, key) for key, kind in DERIVED.items() if powers_of(kind) == powers}
        return found.pop() if len(found) == 1 else ""

    def factor(self, holds: str, order: int = 0) -> float:
        """The factor from a number in the model's units to the internal unit, in which angles are radians."""
        return self.unit(holds, order).factor

    def coherent_factor(self, holds: str, order: int = 0) -> float:
        """The factor from a number in coherent units, as in expressions, to the internal unit."""
        return self.angle_factor() ** _kind_and_powers(holds, order)[1].get("angle", 0)

    def column_size(self, holds: str, order: int = 0) -> Size:
        """The unit of a column as expressions follow it."""
        if (holds, order) not in self._sizes:
            unit = self.factor(holds, order) / self.coherent_factor(holds, order)
            self._sizes[holds, order] = replace(size_of(holds, order), unit=unit)
        return self._sizes[holds, order]

    def unit_of(self, holds: str, order: int = 0) -> str:
        """Unit of the quantity of a column, or of its first or second derivative; "" where the model declares none."""
        return self.unit(holds, order).label

    def time_text(self, t: float, digits: int = 9) -> str:
        """A time with its unit, as messages give it: "0.25 s"; bare where the model declares none."""
        return f"{t:.{digits}g} {self.unit_of('time')}".rstrip()

    def conversion(self, holds: str, order: int, unit: str) -> float | None:
        """The factor from a column in the model's units to another unit; None where it is no unit of that quantity."""
        found = measure(unit)
        if found is None or found[1] != _kind_and_powers(holds, order)[1]:
            return None
        return self.unit(holds, order).si / found[0]

    def read(self, value: object, kind: str) -> float:
        """A number, or text like "60 deg", as mubo holds it: angles in radians, masses in the unit that goes with a
        declared force, all else in coherent units.

        `kind` is what it is: "length", "angle/time", "force/length" (see `unit_algebra`). A plain number is in the
        unit of its quantity, but stiffness and damping of a turn are per radian.
        """
        factor = self.unit(kind).factor
        if isinstance(value, str):
            if self._expressed(value):
                return self.parameters.number(value, kind, factor, 1.0)
            found = self._measured(value, kind)
            return finite(found.number * (found.factor / self.coherent_size(found.powers, radians=True)), value)
        number = plain_number(value)
        return number if factor == 1.0 else number * factor

    def in_own(self, value: object, kind: str) -> float:
        """A number, or text with a unit, in the model's unit of its quantity: as motion laws are."""
        if not isinstance(value, str):
            return plain_number(value)
        unit = self.unit(kind)
        if self._expressed(value):
            return self.parameters.number(value, kind, 1.0, unit.factor)
        found = self._measured(value, kind)
        return finite(found.number * (found.factor / unit.si), value)

    def coefficient(self, value: object, holds: str, over: str, order: int) -> float:
        """A coefficient of a law that gives `holds` over "time" or "angle": a plain number is in the unit of what it
        gives per `over`^order, text in any unit."""
        if order == 0 or not isinstance(value, str):
            return self.in_own(value, holds)
        kind = f"{holds}/{over}" + (f"^{order}" if order > 1 else "")
        factor, si = (getattr(self.unit(holds), of) / getattr(self.unit(over), of) ** order for of in ("factor", "si"))
        if self._expressed(value):
            return self.parameters.number(value, kind, 1.0, factor)
        found = self._measured(value, kind)
        return finite(found.number * (found.factor / si), value)

    def own(self, found: Quantity) -> float:
        """A quantity of any dimension in coherent units, as parameters are."""
        return finite(found.number * (found.factor / self.coherent_size(found.powers, radians=False)), found.number)

    def _expressed(self, text: str) -> bool:
        """Whether text is to be read as an expression of parameters: of none, where the model has none."""
        return is_expression(text) and bool(self.parameters or not Formula(text).names)

    def _measured(self, text: str, kind: str) -> Quantity:
        """A number with a unit of this kind; anything else is refused."""
        match, found = QUANTITY.match(text), quantity(text)
        if match is None or kind == "number":
            example = f', or text such as "1 {example_of(kind)}"' if kind != "number" else ""
            raise ModelError(f'expected a number{example}; found "{text}"')
        if found is None:
            word = unknown_word(match[2])
            known = nearest(word, units_of(kind) or [example_of(kind)])
            raise ModelError(f'"{text}" is no {words_of(kind)}: unknown unit "{word}". {known}')
        if found.powers != powers_of(kind):
            raise ModelError(f'"{text}" is no {words_of(kind)}: write a number, or text such as "1 {example_of(kind)}"')
        return found


def _kind_and_powers(holds: str, order: int) -> tuple[str, Powers]:
    """The kind and the dimension of a column; the kind is "" of a product such as "length^2 time^-1"."""
    if "^" in holds and "/" not in holds and "*" not in holds:
        powers = {kind: int(power) for kind, power in (word.split("^") for word in holds.split())}
        kind = ""
    else:
        powers, kind = dict(powers_of(holds)), holds
        if order:
            kind = holds + _PER_TIME.get(order, f"/time^{order}") if holds in ("length", "angle", "number") else ""
    powers["time"] = powers.get("time", 0) - order
    return kind, {one: power for one, power in powers.items() if power}
