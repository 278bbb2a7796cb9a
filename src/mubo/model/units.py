"""Units at the border. Inside, lengths are in the model's length unit and angles in radians."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Real

from mubo.errors import ModelError, nearest

FACTORS: dict[str, dict[str, float]] = {
    "length": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "um": 1e-6, "in": 0.0254, "ft": 0.3048},
    "angle": {"rad": 1.0, "deg": math.pi / 180, "rev": 2 * math.pi},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": 0.45359237},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0},
}
_BASE = {"length": "m", "angle": "rad", "mass": "kg", "time": "s"}
_QUANTITY = re.compile(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z]+)\s*$")


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


@dataclass(frozen=True)
class Units:
    """The units a model declares; an empty string where it declares none."""

    length: str = ""
    angle: str = ""
    mass: str = ""
    time: str = ""
    unstated: str = ""  # what has no unit though others are declared: "length" in a card deck

    def __post_init__(self) -> None:
        for kind, factors in FACTORS.items():
            unit = getattr(self, kind)
            if unit and unit not in factors:
                raise ModelError(f'units: "{unit}" is not a unit of {kind}. {nearest(unit, factors)}')

    @property
    def declared(self) -> bool:
        return any(getattr(self, kind) for kind in FACTORS)

    def angle_factor(self) -> float:
        """Radians per unit of angle of the model."""
        return FACTORS["angle"][self.angle or "rad"]

    def factor(self, holds: str) -> float:
        """What a number in the model's units is multiplied by to be as mubo holds it: angles are radians inside."""
        power = int(re.sub(r".*angle\^(-?\d+).*", r"\1", holds)) if "angle^" in holds else int(holds == "angle")
        return self.angle_factor() ** power

    def read(self, value: object, kind: str) -> float:
        """A number, or text like "60 deg", as mubo holds it: radians, and the model's other units."""
        if isinstance(value, str):
            match = _QUANTITY.match(value)
            factors = FACTORS.get(kind)
            if match is None or factors is None:
                example = f', or text such as "1 {_BASE[kind]}"' if kind in _BASE else ""
                raise ModelError(f'expected a number{example}; found "{value}"')
            unit = match[2]
            if unit not in factors:
                raise ModelError(f'"{value}" is no {kind}: unknown unit "{unit}". {nearest(unit, factors)}')
            own = 1.0 if kind == "angle" else factors[getattr(self, kind) or _BASE[kind]]
            return finite(float(match[1]) * (factors[unit] / own), value)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ModelError(f"expected a number; found {value!r}")
        return finite(value, value) * (self.angle_factor() if kind == "angle" else 1.0)

    def of(self, holds: str, order: int = 0) -> str:
        """Unit of what a column holds, or of its first or second derivative; "" where the model declares none."""
        if not self.declared or holds in ("number", self.unstated):
            return ""
        if holds == "time":
            return self.time or "s"
        if "^" in holds:
            return self._product(holds, order)
        return self.rate(holds, order) if holds in ("length", "angle") else self.effort(holds)

    def rate(self, kind: str, order: int) -> str:
        """Unit of a length or angle, or of its first or second derivative."""
        base = (self.angle or "rad") if kind == "angle" else (self.length or "m")
        time = self.time or "s"
        return base + ("" if order == 0 else f"/{time}" if order == 1 else f"/{time}^{order}")

    def _product(self, holds: str, order: int) -> str:
        """Unit of a product of kinds such as "length^2 time^-1"."""
        powers = {kind: int(power) for kind, power in (word.split("^") for word in holds.split())}
        powers["time"] = powers.get("time", 0) - order
        words = {kind: getattr(self, kind) or _BASE[kind] for kind in _BASE}

        def text(sign: int) -> str:
            chosen = [(words[kind], sign * p) for kind, p in powers.items() if sign * p > 0]
            return " ".join(word if p == 1 else f"{word}^{p}" for word, p in chosen)

        below = text(-1)
        return (text(1) or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")

    def effort(self, kind: str) -> str:
        """Unit of a "force", a "torque", an "energy" or a "power"."""
        length, mass, time = self.length or "m", self.mass or "kg", self.time or "s"
        if (length, mass, time) == ("m", "kg", "s"):
            return {"force": "N", "torque": "N m", "energy": "J", "power": "W"}[kind]
        if kind == "power":
            return f"{mass} {length}^2/{time}^3"
        return f"{mass} {length}/{time}^2" if kind == "force" else f"{mass} {length}^2/{time}^2"
