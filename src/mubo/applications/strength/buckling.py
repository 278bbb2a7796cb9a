"""Buckling of compressed links (Euler), where they are slender enough for it.

    F_E = π² E I_min / (k L)²,   λ = k L / √(I_min/A),   λ > λ_y = π √(E/σ_y)

k = 1 is a bar between two pins (Euler 1744; Timoshenko and Gere, Theory of Elastic Stability, chapter 2). A link of
lower slenderness yields before it buckles elastically: Euler's load is not stated for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Strut:
    """A compressed link: its slenderness, that from which Euler's load counts, and the load itself."""

    slenderness: float
    least: float
    load: float

    @property
    def slender(self) -> bool:
        return self.slenderness > self.least


def euler(length: float, area: float, moment: float, modulus: float, yields: float, factor: float = 1.0) -> Strut:
    """A link of a length between its pins.

    >>> round(euler(2.0, 1e-3, 1e-8, 200e9, 250e6).load, 3)
    4934.802
    """
    free = factor * length
    load = math.pi**2 * modulus * moment / free**2
    return Strut(free / math.sqrt(moment / area), math.pi * math.sqrt(modulus / yields), load)
