"""Polynomials and harmonics of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.motion.law import EVERYWHERE


@dataclass(frozen=True)
class Polynomial:
    """f = c0 + c1 t + c2 t² + …

    KABIOS drivers are c = (position, velocity, acceleration / 2).
    """

    coefficients: tuple[float, ...]

    def __call__(self, t: Array) -> Array:
        out = np.zeros((len(t), 3))
        c = self.coefficients
        n = len(c)
        slope = [k * c[k] for k in range(1, n)]
        bend = [k * (k - 1) * c[k] for k in range(2, n)]
        for column, terms in enumerate((c, slope, bend)):
            for coefficient in reversed(terms):
                out[:, column] = coefficient + t * out[:, column]
        return out

    @property
    def domain(self) -> tuple[float, float]:
        return EVERYWHERE

    def notes(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Harmonic:
    """f = mean + amplitude · sin(rate · t + phase), with rate in radians per unit of time."""

    amplitude: float
    rate: float
    mean: float = 0.0
    phase: float = 0.0

    def __call__(self, t: Array) -> Array:
        angle = self.rate * t + self.phase
        s, c = np.sin(angle), np.cos(angle)
        a, w = self.amplitude, self.rate
        return np.column_stack([self.mean + a * s, a * w * c, -a * w * w * s])

    @property
    def domain(self) -> tuple[float, float]:
        return EVERYWHERE

    def notes(self) -> dict[str, Any]:
        return {}
