"""What the columns of a result mean, by their names: whose they are, of what order, and which is their derivative."""

from __future__ import annotations

from dataclasses import dataclass

AXES = ("x", "y", "z")
# quantity by order: a value, its rate, its second rate; one entry per component
SERIES = {
    "place": (AXES, ("vx", "vy", "vz"), ("ax", "ay", "az")),
    "angle": (("phi", "theta"), ("omega", "omega"), ("alpha", "alpha")),
    "quaternion": (("qw", "qx", "qy", "qz"),),
    "turning": (("wx", "wy", "wz"), ("alphax", "alphay", "alphaz")),
    "value": (("value",), ("rate",)),
    "energy": (("kinetic", "potential", "total"),),
    "exchange": (("dissipated", "supplied"),),
}


@dataclass(frozen=True)
class Meaning:
    """The owner of a column, what it is called there, its quantity and order, and the column of its derivative."""

    owner: str
    word: str
    quantity: str
    order: int
    derivative: str = ""


def meaning_of(name: str) -> Meaning:
    """The meaning of "P.vx", "rocker.phi" or "A.q2"; the derivative is empty where names tell of none."""
    owner, _, word = name.rpartition(".")
    for quantity, orders in SERIES.items():
        for order, words in enumerate(orders):
            if word in words and (quantity in ("energy", "exchange")) == (owner == "energy"):
                rate = orders[order + 1][words.index(word)] if order + 1 < len(orders) else ""
                return Meaning(owner, word, quantity, order, f"{owner}.{rate}" if rate else "")
    letter, number = word[:1], word[1:]
    if letter in ("q", "v", "a") and (number.isdigit() or not number):
        order = "qva".index(letter)
        rate = f"{owner}.{'qva'[order + 1]}{number}" if order < 2 else ""
        return Meaning(owner, word, "coordinates", order, rate)
    return Meaning(owner, word, word, 0)
