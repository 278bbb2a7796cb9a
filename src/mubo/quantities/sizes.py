"""Units of the parts of an expression, as powers of length, angle, mass and time."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.errors import ModelError

KINDS = ("length", "angle", "mass", "time")
Powers = tuple[float, ...]  # of each of the four
NUMBER: Powers = (0.0, 0.0, 0.0, 0.0)
ANGLE: Powers = (0.0, 1.0, 0.0, 0.0)
POWERS: dict[str, Powers] = {
    "number": NUMBER,
    "length": (1.0, 0.0, 0.0, 0.0),
    "angle": ANGLE,
    "mass": (0.0, 0.0, 1.0, 0.0),
    "time": (0.0, 0.0, 0.0, 1.0),
    "force": (1.0, 0.0, 1.0, -2.0),
    "torque": (2.0, 0.0, 1.0, -2.0),
    "energy": (2.0, 0.0, 1.0, -2.0),
    "power": (2.0, 0.0, 1.0, -3.0),
}


@dataclass(frozen=True)
class Size:
    """The unit of a part of an expression, as powers; None where it is not known.

    `plain`: numbers alone, which take the unit of what they are added to. `scaled`: a number is a factor of it, which
    may have hidden a unit. `unit`: the unit in which people write it, in coherent units; 0 where several are possible.
    """

    powers: Powers | None = NUMBER
    plain: bool = False
    scaled: bool = False
    unit: float = 1.0

    def times(self, other: Size, sign: int = 1) -> Size:
        known = self.powers is not None and other.powers is not None
        powers = tuple(a + sign * b for a, b in zip(self.powers or NUMBER, other.powers or NUMBER, strict=True))
        scaled = self.plain or other.plain or self.scaled or other.scaled
        unit = other.unit if self.plain and sign > 0 else self.unit if other.plain else unit_of_product(powers)
        return Size(powers if known else None, self.plain and other.plain, scaled, unit if known else 0.0)


def unit_of_product(powers: Powers) -> float:
    """The unit in which a product is written: 1 of a number, a length, an angle, a mass and a time, 0 of others."""
    return 1.0 if sorted(powers)[-1] in (0.0, 1.0) and sum(map(abs, powers)) <= 1 else 0.0


def size_of(holds: str, order: int) -> Size:
    """The unit of a column."""
    length, angle, mass, time = POWERS[holds] if holds in POWERS else _compound(holds)
    return Size((length, angle, mass, time - order))


def _compound(holds: str) -> Powers:
    pairs = (word.split("^") for word in holds.split())
    powers = {kind: float(power) for kind, power in pairs}
    length, angle, mass, time = (powers.get(kind, 0.0) for kind in KINDS)
    return length, angle, mass, time


def holds_of(size: Size) -> tuple[str, int]:
    """Returns the quantity of a column of this unit and the order of its derivative: ("length", 1) for a velocity.

    Other products of units are words such as "length^2 time^-1"; "number" stands where no unit is known.
    """
    if size.powers is None or any(power != int(power) for power in size.powers):
        return "number", 0
    length, angle, mass, time = (int(power) for power in size.powers)
    if mass == 0 and (length, angle) in ((1, 0), (0, 1)) and time <= 0:
        return ("length" if length else "angle"), -time
    if (length, angle, mass) == (0, 0, 0) and time in (0, 1):
        return ("time" if time else "number"), 0
    return " ".join(f"{k}^{p}" for k, p in zip(KINDS, (length, angle, mass, time), strict=True) if p), 0


def may_hide(size: Size) -> bool:
    """Whether a number in it may have hidden a unit, or it has none."""
    return size.plain or size.scaled or size.powers in (None, NUMBER)


def require_unit(text: str, size: Size, wanted: Size) -> None:
    """Refuses the value of an expression that is not of the wanted unit; a factor may have hidden a unit."""
    if not may_hide(size) and size.powers != wanted.powers:
        raise ModelError(
            f"expected {words_of_size(wanted)}, but {text} {unit_clause(size)}",
            suggestion="Multiply it by a number that makes it one.",
        )


def _unit_words(powers: Powers) -> str:
    """A product of SI units: "s/rad"."""
    words = list(zip(("m", "rad", "kg", "s"), powers, strict=True))
    above, below = (
        " ".join(f"{word}^{abs(p):g}" if abs(p) != 1 else word for word, p in words if sign * p > 0) for sign in (1, -1)
    )
    return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")


def unit_clause(size: Size) -> str:
    """The end of a message about an expression of a wrong unit: "is an angle", "has the unit s/rad"."""
    name = _name_of_size(size)
    return f"is {name}" if name else f"has the unit {_unit_words(size.powers or NUMBER)}"


def words_of_size(size: Size) -> str:
    """ "a length per time"; a mass, a force, a torque and a power by their names; of others the unit."""
    return _name_of_size(size) or f"a quantity in {_unit_words(size.powers or NUMBER)}"


def _name_of_size(size: Size) -> str:
    """The name of a kind of quantity with its article, "" where it has none."""
    named = [kind for kind in ("mass", "force", "torque", "power") if size.powers == POWERS[kind]]
    if size.powers is not None and any(power != int(power) for power in size.powers):
        return "a root of units"
    holds, order = (named[0], 0) if named else holds_of(size)
    if "^" in holds:
        return ""
    word = {"number": "a number", "angle": "an angle"}.get(holds, f"a {holds}")
    return word + ("", " per time", " per time squared")[min(order, 2)]
