"""Critical loads of compressed members: Euler where they are slender, Johnson's parabola where they are not.

    λ = k L / √(I/A),   λ₁ = π √(2 E/σ_y)
    λ > λ₁:   F = π² E A / λ²                        (Euler 1744)
    λ ≤ λ₁:   F = A σ_y (1 − σ_y λ² / (4 π² E))      (Johnson: half the yield stress at λ₁, where both meet)

k = 1 is a member between two pins, 2 one that is clamped at one end. (Shigley, Mechanical Engineering Design, chapter
4, columns with central loading; Timoshenko and Gere, Theory of Elastic Stability, chapter 2.)
"""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class CompressedMember:
    """The section and the material of a compressed member."""

    area: float
    moment: float  # second moment about the axis of first buckling
    modulus: float
    yields: float
    factor: float = 1.0  # effective length over the length

    @property
    def least_slenderness(self) -> float:
        """That from which Euler's load counts."""
        return math.pi * math.sqrt(2 * self.modulus / self.yields)

    def slenderness(self, length: Array | float) -> Array:
        """Effective length over the radius of gyration."""
        return np.asarray(self.factor * np.asarray(length, float) / math.sqrt(self.moment / self.area))

    def critical_load(self, length: Array | float) -> Array:
        """The load at which a member of a length buckles.

        >>> rod = CompressedMember(1e-3, 1e-8, 200e9, 250e6)
        >>> round(float(rod.critical_load(2.0)), 3), round(float(rod.critical_load(1e-9)))
        (4934.802, 250000)
        """
        slow = self.slenderness(length)
        squares = np.maximum(slow, 1e-300) ** 2
        euler = math.pi**2 * self.modulus * self.area / squares
        johnson = self.area * self.yields * (1 - self.yields * slow**2 / (4 * math.pi**2 * self.modulus))
        return np.where(slow > self.least_slenderness, euler, johnson)

    def law(self, length: float) -> str:
        """The law that holds, with the slenderness."""
        slow = float(self.slenderness(length))
        if slow > self.least_slenderness:
            return f"Euler, slenderness {slow:.4g}"
        return f"Johnson, slenderness {slow:.4g}, below {self.least_slenderness:.4g}"
