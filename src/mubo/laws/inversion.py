"""The inverse of a motion law: the times at which it has moved by given amounts, where it moves in one sense.

A law of constant rate is inverted by division. Of others the part from the start to the farthest amount is found by
doubling the time; on it the law must not reverse, and each time is bracketed and found by Newton's method, with
bisection where a step leaves the bracket.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from mubo.arrays import Array, Integers, distinct
from mubo.errors import ModelError
from mubo.laws.law import Law, breaks_of

SAMPLES = 512  # of the time from the start, at which the sense of the motion is looked at
DOUBLINGS = 200  # of the first look into the future
ITERATIONS = 100
SAME_RATE = 1e-14  # relative: what rounding leaves of a constant rate
BACK = 1e-12  # of the travel: what rounding may take back where a law rests

Describe = Callable[[float, float], str]
"""Text of an amount and of a time, with units."""


def constant_rate(law: Law, start: float, end: float) -> float | None:
    """The rate of a law that is linear in time between two times, else None; judged by f'' = 0 at samples."""
    if len(breaks_of(law, start, end)):
        return None
    found = law(np.linspace(start, end, 9))
    rate = float(found[0, 1])
    steady = np.all(found[:, 2] == 0) and np.all(np.abs(found[:, 1] - rate) <= SAME_RATE * abs(rate))
    return rate if steady and np.isfinite(rate) else None


def travel_at(law: Law, start: float, time: float) -> float:
    """The travel of the law since the start, in the sense of its motion."""
    values = law(np.array([start, time]))[:, 0]
    return abs(float(values[1] - values[0]))


def times_of_travel(law: Law, start: float, travels: Array, describe: Describe) -> Array:
    """The first times at which the law has moved by each of the amounts since the start.

    Raises where it rests, reverses before it has moved so far, or its data ends; `describe` words an amount and
    a time for that message.
    """
    farthest = float(np.max(travels, initial=0.0))
    if not farthest > 0:
        return np.full(len(travels), start)
    times, moved = _monotone_part(law, start, farthest, describe)
    rate = constant_rate(law, start, float(times[-1]))
    if rate is not None:
        return np.asarray(start + travels / abs(rate))
    at = np.clip(np.searchsorted(moved, travels), 1, len(moved) - 1)
    sense = float(np.sign(law(times[[0, -1]])[1, 0] - law(times[[0, -1]])[0, 0]))
    return _solve(law, start, travels, sense, times[at - 1], times[at])


def _monotone_part(law: Law, start: float, farthest: float, describe: Describe) -> tuple[Array, Array]:
    """Samples from the start to where the law has moved `farthest`, with what it has moved, which never decreases."""
    last = law.domain[1]
    ahead = _first_look(law, start, farthest)
    for _ in range(DOUBLINGS):
        end = min(start + ahead, last)
        times = np.union1d(np.linspace(start, end, SAMPLES), breaks_of(law, start, end))
        moved, turned = _moved(law, times)
        reached = np.flatnonzero(moved >= farthest)
        if len(reached) and (not len(turned) or reached[0] <= turned[0]):
            return _refined(law, times[: reached[0] + 1], farthest, describe)
        if len(turned):
            raise ModelError(
                f"it reverses at t = {describe(float(moved[turned[0]]), float(times[turned[0]]))} and never gets to "
                f"{describe(farthest, np.nan)}",
                suggestion="Take a shorter travel, or give times.",
            )
        if end == last:
            raise ModelError(f"its data ends at t = {describe(float(moved[-1]), last)}", suggestion="Take less travel.")
        ahead *= 2
    raise ModelError(
        f"it never gets to {describe(farthest, np.nan)}", suggestion="Take a shorter travel, or give times."
    )


def _first_look(law: Law, start: float, farthest: float) -> float:
    """A time in which the law at its first rate would move as far; short where it starts from rest."""
    rate = abs(float(law(np.array([start]))[0, 1]))
    return farthest / rate if np.isfinite(rate) and rate > 0 else 1e-3


def _moved(law: Law, times: Array) -> tuple[Array, Integers]:
    """The travel of the law in the sense of its first motion, and the samples at which it has turned back."""
    values = law(times)[:, 0]
    away = values - values[0]
    if not np.all(np.isfinite(away)):
        raise ModelError(f"it is not a number at t = {times[np.flatnonzero(~np.isfinite(away))[0]]:.4g}")
    moving = np.flatnonzero(away != 0)
    moved = away * (np.sign(away[moving[0]]) if len(moving) else 1.0)
    back = np.diff(moved) < -BACK * np.max(np.abs(moved), initial=0.0)
    return np.asarray(moved, float), np.flatnonzero(back).astype(np.int32)


def _refined(law: Law, times: Array, farthest: float, describe: Describe) -> tuple[Array, Array]:
    """Finer samples of the same part: what reverses between two of the first ones is refused too."""
    fine = distinct(np.concatenate([np.linspace(a, b, 9) for a, b in pairwise(times)]))
    moved, turned = _moved(law, fine)
    if len(turned):
        raise ModelError(
            f"it reverses at t = {describe(float(moved[turned[0]]), float(fine[turned[0]]))} and passes the same "
            "values again",
            suggestion="Take a shorter travel, or give times.",
        )
    return fine, np.maximum.accumulate(moved)


def _solve(law: Law, start: float, travels: Array, sense: float, low: Array, high: Array) -> Array:
    """The times in their brackets, by Newton's method with bisection."""
    first = float(law(np.array([start]))[0, 0])
    t = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        found = law(t)
        gap, rate = sense * (found[:, 0] - first) - travels, sense * found[:, 1]
        low, high = np.where(gap < 0, t, low), np.where(gap >= 0, t, high)
        with np.errstate(all="ignore"):
            newton = t - gap / rate
        new = np.where((newton > low) & (newton < high), newton, 0.5 * (low + high))
        if np.all(np.abs(new - t) <= 2 * np.finfo(float).eps * np.maximum(np.abs(t), np.abs(high))):
            return np.asarray(new)
        t = new
    return t
