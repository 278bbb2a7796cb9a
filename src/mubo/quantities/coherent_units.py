"""The units that a model declares for length, angle, mass, time and force, and the system that follows from them.

Inside, all units are consistent: force = mass · length / time², angles are radians. Where a model declares a unit of
force, masses are kept in the unit that follows, force · time² / length (tonnes of mm, N and s), whatever unit they are
written in. "Coherent" units are these with the declared unit of angle.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mubo.quantities.unit_algebra import FACTORS, FORCES, KINDS, powers_of

BASE_UNITS = {kind: next(iter(factors)) for kind, factors in FACTORS.items()}
EFFORTS = {"force": "N", "torque": "N m", "energy": "J", "power": "W", "stress": "Pa"}


@dataclass(frozen=True)
class CoherentUnits:
    """The declared base units; an empty string where a model declares none."""

    length: str = ""
    angle: str = ""
    mass: str = ""
    time: str = ""
    unstated: str = ""  # what has no unit though others are declared, such as "length"
    force: str = ""

    def angle_factor(self) -> float:
        """Radians per unit of angle of the model."""
        return FACTORS["angle"][self.angle or "rad"]

    def size(self, kind: str) -> float:
        """The internal unit of length, mass or time, in m, kg or s; of an angle the declared one, in rad."""
        if kind == "mass" and self.force:
            return FORCES[self.force] * self.size("time") ** 2 * self.size("length") ** -1
        return FACTORS[kind][getattr(self, kind) or BASE_UNITS[kind]]

    @property
    def own_sizes(self) -> tuple[float, ...]:
        """The model's units of length, angle, mass and time in m, rad, kg and s, as expressions have them."""
        return tuple(self.size(kind) for kind in BASE_UNITS)

    def mass_factor(self) -> float:
        """The factor from a mass, density or inertia in the model's units to the internal unit."""
        return FACTORS["mass"][self.mass or "kg"] / self.size("mass")

    @property
    def mass_unit(self) -> str:
        """The internal unit of mass, as text: "kg", or "N s^2/mm" where a unit of force is declared."""
        return f"{self.force} {self.time or 's'}^2/{self.length or 'm'}" if self.force else self.mass or "kg"

    def coherent_size(self, powers: Mapping[str, int], radians: bool) -> float:
        """The coherent unit of a dimension in m, rad, kg, s; with `radians` the unit of angle does not count."""
        size = 1.0
        for kind, power in powers.items():
            if not (radians and kind == "angle"):
                size *= self.size(kind) ** power
        return size

    def unit_from_powers(self, powers: Iterable[float]) -> str:
        """The coherent unit of a dimension, powers of length, angle, mass and time: "mm/s"."""
        return self.product_label({kind: int(p) for kind, p in zip(BASE_UNITS, powers, strict=False) if p})

    def kind_label(self, kind: str) -> str:
        """The coherent unit of a kind such as "length", "angle/time", "force*time/length" or "stress".

        Angles are in the declared unit where they are counted, as in a rate, and in radians where something is per
        angle, as a stiffness.
        """
        rate = re.fullmatch(r"(length|angle)(?:/time(?:\^(\d))?)?", kind)
        if rate:
            base, order = getattr(self, rate[1]) or BASE_UNITS[rate[1]], int(rate[2] or "/" in kind)
            return base + (
                "" if order == 0 else f"/{self.time or 's'}" if order == 1 else f"/{self.time or 's'}^{order}"
            )
        if kind in KINDS:
            return self.effort(kind) if kind in EFFORTS else getattr(self, kind) or BASE_UNITS[kind]
        turn = "rad" if powers_of(kind).get("angle", 0) < 0 else self.angle or "rad"
        words = {one: getattr(self, one) or unit for one, unit in BASE_UNITS.items()} | {"angle": turn}
        if self._newtons or "mass" in kind:  # force and torque by their names: N s/m
            words |= {word: self.effort(word) for word in EFFORTS}
            return re.sub("[a-z]+", lambda word: words[word[0]], kind).replace("*", " ")
        return CoherentUnits(self.length, turn, self.mass, self.time).product_label(powers_of(kind))

    def product_label(self, powers: Mapping[str, int]) -> str:
        """The coherent unit of a product of base kinds such as length² / time."""
        powers, words = dict(powers), {kind: getattr(self, kind) or BASE_UNITS[kind] for kind in BASE_UNITS}
        if self.force and (forces := powers.pop("mass", 0)):  # a mass in columns is part of a force
            words["force"], powers = self.force, {"force": forces, **powers}
            powers["length"] = powers.get("length", 0) - forces
            powers["time"] = powers.get("time", 0) + 2 * forces

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
        """The coherent unit of a "force", a "torque", an "energy", a "power" or a "stress"."""
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
