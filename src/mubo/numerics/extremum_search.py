"""Searches for extremes between samples: each asks for times, and all that run together are solved together.

A search is a generator that yields times and is sent the places found there: value, rate, acceleration (NaN where a
quantity has none); times that cannot be reached are left out. It returns the best place that it has seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array, distinct

ROUNDED = 2.0**-52  # relative: steps of Newton's method that are rounding
BESIDE = 0.1  # of the last step of a search: distance of the two further samples beside the next one
PARTS = (0.25, 0.5, 0.75)  # of a bracket on either side of its middle: where a parabola does not help, as at a jump
EDGES = (0.02, 0.0004)  # of a step: samples that show whether a value grows from an end
ExtremumSearch = Generator[tuple[float, ...], "list[Sample]", "Sample"]
SampleReader = Callable[[Any], Array]  # of what was solved: value, rate, acceleration at every time, 3 × times


class Sample(NamedTuple):
    """A quantity at one time: value, rate and second derivative."""

    t: float
    value: float
    rate: float = math.nan
    bend: float = math.nan


def find_stationary_point(ends: Sequence[Sample], looks: int = 8) -> ExtremumSearch:
    """Search for the zero of a rate between two samples where it has different signs."""
    one, two = ends
    span, last = two.t - one.t, math.nan
    best = min(one, two, key=lambda place: abs(place.rate))
    for _ in range(looks):
        t = one.t + (two.t - one.t) * _root_of_rate(one, two)
        if not one.t < t < two.t or abs(t - last) <= 1e-12 * span:
            break
        seen = yield (t,)
        if not seen:
            break
        (new,), last = seen, t
        best = min(best, new, key=lambda place: abs(place.rate))
        if new.rate == 0:
            break
        one, two = (new, two) if (new.rate > 0) == (one.rate > 0) else (one, new)
    return best


def _root_of_rate(one: Sample, two: Sample) -> float:
    """Fraction of the interval at which the rate is zero, by the cubic through rates and accelerations, or values and
    rates."""
    h = two.t - one.t
    if math.isfinite(one.bend) and math.isfinite(two.bend):
        rise, left, right = two.rate - one.rate, h * one.bend, h * two.bend
        powers = [left + right - 2 * rise, 3 * rise - 2 * left - right, left, one.rate]
    else:  # the slope of the cubic through values and rates
        rise, left, right = two.value - one.value, h * one.rate, h * two.rate
        powers = [3 * (left + right - 2 * rise), 2 * (3 * rise - 2 * left - right), left]
    low, high, below, x = 0.0, 1.0, one.rate < 0, 0.5
    for _ in range(60):  # the sign changes in between, whatever the cubic does besides
        value = slope = 0.0
        for power in powers:
            slope = slope * x + value
            value = value * x + power
        newton = x - value / slope if slope else math.nan
        if abs(newton - x) <= ROUNDED * x:
            return x
        low, high = (x, high) if (value < 0) == below else (low, x)
        x = newton if low < newton < high else 0.5 * (low + high)
    return x


def maximize_bracketed(three: Sequence[Sample], looks: int = 24, close: float = 3e-7) -> ExtremumSearch:
    """Search for the largest value between the first and the last of three samples; the middle one is larger.

    Each iteration samples the vertex of the parabola through the three and both sides close to it, so that the next
    parabola goes through samples as close; one that did not halve the bracket is followed by one that does (after Brent
    1973, chapter 5).
    """
    low, middle, high = three
    near, halve = close * (high.t - low.t), False
    for _ in range(looks):
        t, before = _parabola_vertex(low, middle, high), high.t - low.t
        if t is None or halve:
            wanted = [middle.t + part * (end.t - middle.t) for end in (low, high) for part in PARTS]
        elif abs(t - middle.t) < near:
            break
        else:
            apart = max(BESIDE * abs(t - middle.t), near)
            wanted = [t - apart, t, t + apart]
        wanted = [t for t in wanted if low.t < t < high.t and t != middle.t]
        seen = {place.t: place for place in (yield tuple(wanted)) if not math.isnan(place.value)}
        lost = [Sample(t, -math.inf) for t in wanted if t not in seen]  # a time that is not reached is no maximum
        places = sorted([low, middle, high, *seen.values(), *lost])
        k = max(range(1, len(places) - 1), key=lambda j: places[j].value)
        low, middle, high = places[k - 1 : k + 2]
        halve = not halve and high.t - low.t > 0.5 * before
        if high.t - low.t < near:
            break
    return middle


def _parabola_vertex(low: Sample, middle: Sample, high: Sample) -> float | None:
    """Time of the vertex of the parabola through three samples; None where it has none between them."""
    p = (middle.t - low.t) * (middle.value - high.value)
    q = (middle.t - high.t) * (middle.value - low.value)
    if not math.isfinite(p - q) or p == q:
        return None
    t = middle.t - 0.5 * ((middle.t - low.t) * p - (middle.t - high.t) * q) / (p - q)
    return t if low.t < t < high.t else None


def maximize_from_end(end: Sample, next_row: Sample) -> ExtremumSearch:
    """Search for the largest value in the first or last step, from its end if that is higher than the next sample."""
    asked = tuple(end.t + part * (next_row.t - end.t) for part in EDGES)
    seen = [place for place in (yield asked) if not math.isnan(place.value)]
    best = max(seen, key=lambda place: place.value, default=end)
    if not best.value > end.value:
        return end
    places = sorted({end, next_row, *seen})
    k = places.index(best)
    return (yield from maximize_bracketed(places[k - 1 : k + 2]))


def samples_of(t: Array, data: Array, rows: Iterable[int]) -> list[Sample]:
    """Samples at some rows; `data` are values, or value, rate and acceleration at every time."""
    lines = np.atleast_2d(data)
    return [Sample(float(t[k]), *map(float, lines[:, k])) for k in rows]


def value_reader(value: Callable[[Any], Array]) -> SampleReader:
    """Reader of a quantity whose rates are not known."""

    def read(found: Any) -> Array:
        with np.errstate(all="ignore"):
            values = np.asarray(value(found), float)
        absent = np.full_like(values, np.nan)
        return np.stack([values, absent, absent])

    return read


def maximize_around_rows(t: Array, values: Array) -> ExtremumSearch:
    """Search for the largest value around its row; the row itself where it is the first, the last or beside a gap."""
    k = int(np.nanargmax(values))
    if not 0 < k < len(t) - 1 or not np.all(np.isfinite(values[k - 1 : k + 2])):
        return known_extremum(samples_of(t, values, [k])[0])
    return maximize_bracketed(samples_of(t, values, range(k - 1, k + 2)))


def known_extremum(place: Sample) -> ExtremumSearch:
    """A search that is finished: the sample itself."""
    return place
    yield (place.t,)


def run_searches(
    searches: Sequence[tuple[ExtremumSearch, SampleReader]], solve: Callable[[Array], tuple[Array, Any]]
) -> list[Sample]:
    """Run the searches side by side. `solve` returns the times it reached, and the result that readers read."""
    out: list[Sample | None] = [None] * len(searches)
    asked: dict[int, tuple[float, ...]] = {}

    def go_on(number: int, seen: list[Sample] | None) -> None:
        search = searches[number][0]
        try:
            asked[number] = next(search) if seen is None else search.send(seen)
        except StopIteration as end:
            out[number] = end.value
            asked.pop(number, None)

    for number in range(len(searches)):
        go_on(number, None)
    while asked:
        t, found = solve(distinct([time for times in asked.values() for time in times]))
        row, read = {float(time): k for k, time in enumerate(t)}, dict[int, Array]()
        for number, times in list(asked.items()):
            reader = searches[number][1]
            if id(reader) not in read:
                read[id(reader)] = reader(found)
            values = read[id(reader)]
            go_on(number, [Sample(time, *map(float, values[:, row[time]])) for time in times if time in row])
    return [place for place in out if place is not None]
