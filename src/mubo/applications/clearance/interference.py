"""When two outlines meet and part again, between rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mubo.applications.clearance.distances import clearance
from mubo.applications.clearance.outlines import Outline
from mubo.applications.strength.force_history import Course, Seen
from mubo.arrays import Array

HALVINGS = 40
PARTS = 8  # of a bracket, looked at together
CLOSE = 1e-10  # of the run: a time that is known well enough


class InterferenceInterval(NamedTuple):
    """From when to when outlines touch or overlap."""

    start: float
    end: float


def touching(
    course: Course, seen: Seen, one: Outline, two: Outline, also: float | None
) -> Iterator[InterferenceInterval]:
    """The times during which there is no gap; `also` is a time between rows at which there is none."""
    t, gap = seen.t, clearance(seen, one, two)
    if also is not None and also not in t:
        more = course.at(np.array([also]))
        k = int(np.searchsorted(t, also))
        t, gap = np.insert(t, k, more.t), np.insert(gap, k, clearance(more, one, two))
    shut = gap <= 0
    if not shut.any():
        return
    turns = np.flatnonzero(shut[1:] != shut[:-1])
    near = CLOSE * float(t[-1] - t[0])
    times = [_turn(course, one, two, float(t[k]), float(t[k + 1]), bool(shut[k]), near) for k in turns]
    bounds = [float(t[0])] * bool(shut[0]) + times + [float(t[-1])] * bool(shut[-1])
    yield from (InterferenceInterval(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True))


def _turn(course: Course, one: Outline, two: Outline, low: float, high: float, shut: bool, near: float) -> float:
    """Where the gap opens or closes between two times; `shut` is how it is at the first."""
    for _ in range(HALVINGS):
        if high - low <= near:
            break
        times: Array = np.linspace(low, high, PARTS + 1)[1:-1]
        seen = course.at(times)
        same = (clearance(seen, one, two) <= 0) == shut
        if not len(same):
            break
        k = int(np.argmin(same)) if not same.all() else len(same)
        low, high = (float(seen.t[k - 1]) if k else low), (float(seen.t[k]) if k < len(same) else high)
    return (low + high) / 2
