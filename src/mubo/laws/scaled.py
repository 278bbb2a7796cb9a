"""A law times a factor: the same law in another unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.laws.law import Law


@dataclass(frozen=True)
class ScaledLaw(Law):
    """factor · f(t) of another law, with its corners, its domain and what is known of it."""

    law: Law
    factor: float

    def __call__(self, t: Array) -> Array:
        return np.asarray(self.factor * self.law(t))

    def values(self, t: Array) -> Array:
        return np.asarray(self.factor * self.law.values(t))

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        return np.asarray(self.factor * self.law.derivatives(t, names))

    @property
    def description(self) -> str:
        return self.law.description

    @property
    def domain(self) -> tuple[float, float]:
        return self.law.domain

    @property
    def is_constant(self) -> bool:
        return self.law.is_constant

    def at(self, t: Array, seen: Array) -> Array:
        return np.asarray(self.factor * self.law.at(t, seen))

    def breaks(self, start: float, end: float) -> Array:
        return self.law.breaks(start, end)

    def notes(self) -> dict[str, Any]:
        return self.law.notes()

    @property
    def knows_derivatives(self) -> bool:
        return self.law.knows_derivatives
