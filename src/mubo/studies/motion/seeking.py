"""Searches for extremes between rows: each asks for times, and all that run together are solved together.

A search is a generator that yields a time and is sent what was found there: value, rate, acceleration (NaN where a
quantity has none), or None where the time cannot be reached. It returns the best place that it has seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array

GOLDEN = 0.381966
EDGE = 0.02  # of a step: where it is seen whether a value grows from an end
Sample = tuple[float, float, float]
Search = Generator[float, Sample | None, "Place"]
Reader = Callable[[Any], Array]  # of what was solved: value, rate, acceleration at every time, 3 × times


class Place(NamedTuple):
    """A time, and what a quantity is there."""

    t: float
    value: float
    rate: float = math.nan
    bend: float = math.nan


def turning(ends: Sequence[Place], looks: int = 8) -> Search:
    """Where a rate is zero, between two places where it has different signs."""
    one, two = ends
    span, last = two.t - one.t, math.nan
    best = min(one, two, key=lambda place: abs(place.rate))
    for _ in range(looks):
        t = one.t + (two.t - one.t) * _zero_of_rate(one, two)
        if not one.t < t < two.t or abs(t - last) <= 1e-12 * span:
            break
        sample = yield t
        if sample is None:
            break
        new, last = Place(t, *sample), t
        best = min(best, new, key=lambda place: abs(place.rate))
        if new.rate == 0:
            break
        one, two = (new, two) if (new.rate > 0) == (one.rate > 0) else (one, new)
    return best


def _zero_of_rate(one: Place, two: Place) -> float:
    """The part of the way where the rate is zero: of the cubic through rates and accelerations, or values and rates."""
    h = two.t - one.t
    if math.isfinite(one.bend) and math.isfinite(two.bend):
        rise, left, right = two.rate - one.rate, h * one.bend, h * two.bend
        powers = [left + right - 2 * rise, 3 * rise - 2 * left - right, left, one.rate]
    else:  # the slope of the cubic through values and rates
        rise, left, right = two.value - one.value, h * one.rate, h * two.rate
        powers = [3 * (left + right - 2 * rise), 2 * (3 * rise - 2 * left - right), left]
    low, high, below = 0.0, 1.0, one.rate < 0
    for _ in range(60):  # the sign changes in between, whatever the cubic does besides
        middle = 0.5 * (low + high)
        value = 0.0
        for power in powers:
            value = value * middle + power
        low, high = (middle, high) if (value < 0) == below else (low, middle)
    return 0.5 * (low + high)


def summit(three: Sequence[Place], looks: int = 24, close: float = 3e-7) -> Search:
    """Where a value is largest between the first and the last of three places; at the middle one it is larger.

    Parabolas through three places, every third step a golden section (after Brent 1973, chapter 5).
    """
    low, middle, high = three
    near = close * (high.t - low.t)
    for count in range(looks):
        p = (middle.t - low.t) * (middle.value - high.value)
        q = (middle.t - high.t) * (middle.value - low.value)
        straight = not math.isfinite(p - q) or p == q
        t = middle.t
        if not straight:
            t -= 0.5 * ((middle.t - low.t) * p - (middle.t - high.t) * q) / (p - q)
        if straight or count % 3 == 2 or not low.t < t < high.t:
            ahead = high.t - middle.t > middle.t - low.t
            t = middle.t + GOLDEN * (high.t - middle.t if ahead else low.t - middle.t)
        elif abs(t - middle.t) < near:
            break
        sample = yield t
        new = Place(t, *(sample or (-math.inf, math.nan, math.nan)))
        left, right = sorted((middle, new))
        middle = left if left.value >= right.value else right
        low, high = (low, right) if middle is left else (left, high)
        if high.t - low.t < near:
            break
    return middle


def from_an_end(end: Place, next_row: Place) -> Search:
    """The largest value in the first or last step, from its end where that is higher than the row beside it."""
    t = end.t + EDGE * (next_row.t - end.t)
    sample = yield t
    if sample is None or not sample[0] > end.value:
        return end
    low, high = sorted((end, next_row))
    return (yield from summit((low, Place(t, *sample), high)))


def settled(place: Place) -> Search:
    """No search: the place itself."""
    return place
    yield place.t


def searched(searches: Sequence[tuple[Search, Reader]], solve: Callable[[Array], tuple[Array, Any]]) -> list[Place]:
    """Runs the searches side by side. `solve` answers which of the times it reached, and what readers read."""
    out: list[Place | None] = [None] * len(searches)
    asked: dict[int, float] = {}

    def go_on(number: int, sample: Sample | None, first: bool = False) -> None:
        search = searches[number][0]
        try:
            asked[number] = next(search) if first else search.send(sample)
        except StopIteration as end:
            out[number] = end.value
            asked.pop(number, None)

    for number in range(len(searches)):
        go_on(number, None, True)
    while asked:
        t, found = solve(np.unique(list(asked.values())))
        read: dict[int, Array] = {}
        for number, time in list(asked.items()):
            reader, row = searches[number][1], int(np.searchsorted(t, time))
            if row == len(t) or t[row] != time:
                go_on(number, None)
                continue
            values = read.setdefault(id(reader), reader(found)) if id(reader) not in read else read[id(reader)]
            one, two, three = (float(value) for value in values[:, row])
            go_on(number, (one, two, three))
    return [place for place in out if place is not None]
