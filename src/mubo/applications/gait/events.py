"""Heel strike and toe-off of each foot, by a stated rule.

"force": the upward force of the ground on the foot rises above a threshold (20 N unless given), and falls below it.
"coordinate": the heel is farthest before the hip, and the toe farthest behind it (J. A. Zeni, J. G. Richards, J. S.
Higginson, Gait & Posture 27 (2008) 710-714, who take the sacrum for the hip). Force is the rule of every foot that
strikes a plate twice or more, coordinates that of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.ground import ground_force
from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import Course, Seen
from mubo.arrays import Array

RULES = ("force", "coordinate")
SHORT = 0.1  # s: a contact, or a loss of contact, that is shorter is a bounce
ROUNDS, PARTS = 3, 10  # of the search for a crossing: each makes the step so many times shorter
AHEAD = 0.25  # s: how far an extreme is the only one of its kind


@dataclass(frozen=True)
class Strikes:
    """Times of heel strikes and toe-offs of one foot, and the rule that finds them."""

    rule: str
    heel: tuple[float, ...]
    toe: tuple[float, ...]

    def toe_off_in(self, start: float, end: float) -> float | None:
        """The toe-off of a cycle."""
        return next((t for t in self.toe if start < t < end), None)


def strikes_of(course: Course, seen: Seen, leg: Leg, threshold: float, rule: str | None, second: float) -> Strikes:
    """The strikes of a foot; `second` is one second in the model's unit of time."""
    if rule in (None, "force"):
        found = _by_force(course, seen, leg, threshold, second)
        if rule == "force" or len(found.heel) > 1:
            return found
    return _by_coordinate(seen, leg, second)


def _by_force(course: Course, seen: Seen, leg: Leg, threshold: float, second: float) -> Strikes:
    def above(times: Seen) -> Array:
        return np.asarray(ground_force(times, leg.foot)[:, 1] - threshold)

    value = above(seen)
    rise, fall = (np.flatnonzero(s * value[:-1] <= 0) for s in (1.0, -1.0))
    rise, fall = rise[value[rise + 1] > 0], fall[value[fall + 1] < 0]
    heel, toe = (_refined(course, seen.t, at, above) for at in (rise, fall))
    return Strikes("force", *_without_bounces(heel, toe, SHORT * second))


def _refined(course: Course, t: Array, at: NDArray[np.intp], value: Callable[[Seen], Array]) -> list[float]:
    """Where a value passes zero in the steps `at`: all of them are cut into ten, and again."""
    if not len(at):
        return []
    low, wide = t[at].copy(), t[at + 1] - t[at]
    begins = value(course.at(low)) > 0
    inner = np.arange(1, PARTS) / PARTS
    for _ in range(ROUNDS):
        found = value(course.at((low[:, None] + wide[:, None] * inner).ravel())).reshape(len(at), -1) > 0
        past = np.logical_and.accumulate(found == begins[:, None], axis=1).sum(axis=1)
        wide = wide / PARTS
        low = low + past * wide
    return [float(x) for x in low + 0.5 * wide]


def _without_bounces(heel: list[float], toe: list[float], short: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Steps on and off that follow each other within a moment are one."""
    marks = sorted([(t, True) for t in heel] + [(t, False) for t in toe])
    kept: list[tuple[float, bool]] = []
    for mark in marks:
        if kept and mark[0] - kept[-1][0] < short and mark[1] != kept[-1][1]:
            kept.pop()
        else:
            kept.append(mark)
    return tuple(t for t, on in kept if on), tuple(t for t, on in kept if not on)


def _by_coordinate(seen: Seen, leg: Leg, second: float) -> Strikes:
    model = seen.solver.form.model
    points = model.bodies[leg.foot].points
    hip = seen.of(leg.trunk or leg.bodies["thigh"])[:, 0, 0]
    heel, toe = (seen.place(leg.foot, points.get(word, (0.0, 0.0)))[:, 0] - hip for word in ("heel", "toe"))
    return Strikes("coordinate", _tops(seen.t, heel, AHEAD * second), _tops(seen.t, -toe, AHEAD * second))


def _tops(t: Array, value: Array, apart: float) -> tuple[float, ...]:
    """Times of the tops of a curve, by the parabola through three rows; each the highest within `apart`."""
    out = []
    for k in range(1, len(value) - 1):
        near = np.abs(t - t[k]) <= apart
        if value[k] < value[near].max() or not (value[k] > value[k - 1] and value[k] >= value[k + 1]):
            continue
        if t[k] - t[0] < apart / 2 or t[-1] - t[k] < apart / 2:
            continue  # at an end of the record nobody knows whether it is a top
        bend = value[k - 1] - 2 * value[k] + value[k + 1]
        out.append(float(t[k] + 0.5 * (value[k - 1] - value[k + 1]) / bend * (t[k + 1] - t[k])))
    return tuple(out)
