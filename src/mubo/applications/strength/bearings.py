"""Life of rolling bearings and work of plain ones.

    P_m = (∫ |F|^p |ω| dt / ∫ |ω| dt)^(1/p),   L10 = (C / P_m)^p million revolutions,   p = 3 (ball), 10/3 (roller)

L10 is the basic rating life of ISO 281:2007; the mean effective load weighs by revolutions as in bearing makers'
handbooks (for example NSK Rolling Bearings, average of fluctuating load), written as an integral. ω is the speed of the
second body against the first. Nothing is taken off for a bearing that only swings.
"""

from __future__ import annotations

import math

EXPONENT = {"ball": 3.0, "roller": 10.0 / 3.0}
MILLION = 1e6


def mean_effective_load(weighted: float, turned: float, bearing: str) -> float | None:
    """P_m from ∫ |F|^p |ω| dt and ∫ |ω| dt; None of a pin that does not turn.

    >>> round(mean_effective_load(2 * 8.0 * 3.0, 6.0, "ball"), 6)
    2.0
    """
    return (weighted / turned) ** (1 / EXPONENT[bearing]) if turned > 0 else None


def rating_life(rating: float, load: float, bearing: str) -> float:
    """L10 in revolutions.

    >>> rating_life(150e3, 15e3, "ball")
    1000000000.0
    """
    return MILLION * (rating / load) ** EXPONENT[bearing] if load > 0 else math.inf


def load_factor(life: float, asked: float, bearing: str) -> float:
    """The factor by which the load may grow until the life is as short as asked: (L/L_asked)^(1/p)."""
    return float((life / asked) ** (1 / EXPONENT[bearing]))
