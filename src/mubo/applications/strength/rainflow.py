"""Cycles in a history of stress by rainflow counting, and the damage that they do.

Four turning points that follow each other enclose a cycle where the middle range is not greater than those on both
sides; it is counted and taken out. What is left are half cycles. A history that repeats begins at its greatest value,
so that all of its cycles close. (ASTM E1049-85, Cycle counting in fatigue analysis, 5.4.4 and 5.4.5; the four-point
form: Amzallag, Gerey, Robert and Bahuaud, International Journal of Fatigue 16, 1994.)

Damage adds up (Palmgren 1924, Miner 1945). A cycle of the amplitude σ_a about the mean σ_m does as much as one of full
reversal with σ_r = K σ_a / (1 − σ_m/S_u) (Goodman; a compressive mean counts as zero), which the material endures
N = N_f (S_f/σ_r)^k times, also below the fatigue limit S_f (Miner's elementary rule, on the safe side).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass


class StressCycle(NamedTuple):
    """A cycle: its range, its mean, and how often it occurs (a half one 0.5)."""

    range: float
    mean: float
    occurrences: float


@dataclass(frozen=True)
class WoehlerLine:
    """How many cycles of full reversal a material endures: `cycles` of the amplitude `fatigue`, with the `slope` k."""

    fatigue: float
    ultimate: float
    cycles: float
    slope: float
    notch: float = 1.0

    def damage(self, cycles: Iterable[StressCycle]) -> float:
        """The share of its life that cycles take; infinite where one breaks it at once.

        >>> line = WoehlerLine(100.0, 400.0, 1e6, 5.0)
        >>> round(line.damage([StressCycle(200.0, 0.0, 1000.0)]), 12)  # at the fatigue limit: 1000 of a million
        0.001
        """
        total = 0.0
        for cycle in cycles:
            left = 1 - max(cycle.mean, 0.0) / self.ultimate
            if left <= 0:
                return float("inf")
            reversed_stress = self.notch * cycle.range / 2 / left
            total += cycle.occurrences / self.cycles * (reversed_stress / self.fatigue) ** self.slope
        return total


def turning_points(history: Sequence[float] | Array) -> list[float]:
    """The values at which a history turns, with its first and last one.

    >>> turning_points([0, 1, 1, 2, -1, 0])
    [0.0, 2.0, -1.0, 0.0]
    """
    out: list[float] = []
    for x in map(float, history):
        if out and x == out[-1]:
            continue
        if len(out) > 1 and (out[-1] - out[-2]) * (x - out[-1]) > 0:
            out[-1] = x
        else:
            out.append(x)
    return out


def rainflow(history: Sequence[float] | Array) -> list[StressCycle]:
    """The cycles of a history; what does not close counts half.

    >>> rainflow([0, 3, 1, 2, 0])
    [StressCycle(range=1.0, mean=1.5, occurrences=1.0), StressCycle(range=3.0, mean=1.5, occurrences=0.5), \
StressCycle(range=3.0, mean=1.5, occurrences=0.5)]
    """
    left: list[float] = []
    out = []
    for x in turning_points(history):
        left.append(x)
        while len(left) > 3:
            before, inner, after = (abs(left[k] - left[k - 1]) for k in (-3, -2, -1))
            if inner > before or inner > after:
                break
            out.append(StressCycle(inner, (left[-2] + left[-3]) / 2, 1.0))
            del left[-3:-1]
    return out + [StressCycle(abs(b - a), (a + b) / 2, 0.5) for a, b in pairwise(left)]


def repeated_rainflow(history: Sequence[float] | Array) -> list[StressCycle]:
    """The cycles of a history that is repeated for ever: all of them close.

    >>> repeated_rainflow([0, 1, -1, 0])
    [StressCycle(range=2.0, mean=0.0, occurrences=1.0)]
    """
    values = np.asarray(history, float)
    if not len(values) or np.ptp(values) == 0:
        return []
    first = int(np.argmax(values))
    counted = rainflow(np.concatenate([values[first:], values[:first], values[first : first + 1]]))
    closed = [cycle for cycle in counted if cycle.occurrences == 1]
    halves = [cycle for cycle in counted if cycle.occurrences < 1]
    return closed + [cycle._replace(occurrences=1.0) for cycle in halves[::2]]
