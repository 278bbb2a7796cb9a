"""Axes of a laboratory: which of them points forwards and which up, as users write them.

The plane of walking is that of `forward` and `up`: the model's x and y. The third axis does not matter to places and
forces, whatever the hand of the laboratory; only a moment across the plane needs to know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

WORDS = tuple(f"{sign}{axis}" for axis in "xyz" for sign in ("", "-"))
HANDS = {"right": 1.0, "left": -1.0}


@dataclass(frozen=True)
class Axes:
    """Two of the axes x, y, z, each with its sense."""

    forward: str = "x"
    up: str = "y"
    hand: str = "right"

    def __post_init__(self) -> None:
        for key in ("forward", "up"):
            word = getattr(self, key)
            if word not in WORDS:
                raise ModelError(f'{key} is an axis of the laboratory, {", ".join(WORDS)}; found "{word}"')
        if self.forward[-1] == self.up[-1]:
            raise ModelError(f"forward and up are both along {self.up[-1]}: a plane has two axes")
        if self.hand not in HANDS:
            raise ModelError(f'the hand of a laboratory is right or left; found "{self.hand}"')

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of both axes."""
        return self.forward[-1], self.up[-1]

    @property
    def signs(self) -> tuple[float, float]:
        """1, or −1 where an axis of the model points against that of the laboratory."""
        return tuple(-1.0 if word.startswith("-") else 1.0 for word in (self.forward, self.up))  # type: ignore[return-value]

    @property
    def across(self) -> tuple[str, float]:
        """The third axis, and the sign by which a moment about it turns counter-clockwise, forward towards up."""
        first, second = self.letters
        third = next(letter for letter in "xyz" if letter not in (first, second))
        cyclic = 1.0 if first + second in ("xy", "yz", "zx") else -1.0
        return third, cyclic * self.signs[0] * self.signs[1] * HANDS[self.hand]


def read_axes(given: Mapping[str, Any], other: Axes | None = None) -> Axes:
    """The axes given; what is left out is as in `other`."""
    other = other or Axes()
    return Axes(**{key: str(given.get(key, getattr(other, key))) for key in ("forward", "up", "hand")})
