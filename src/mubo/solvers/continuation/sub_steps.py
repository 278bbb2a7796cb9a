"""Subdivision of output steps that fail as a whole into sixteenths, many of them in one call of the core.

A run over thousands of revolutions divides some steps of every revolution. Evaluating motion laws costs a call, however
many times it has: the laws between the next output steps are evaluated at once, for more steps the more were divided. A
motion that failed the reversibility check is repeated with all its steps in parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array

if TYPE_CHECKING:
    from mubo.solvers.continuation.continuation import ContinuationResult, DriverMotion, KinematicStepper

PARTS = 16  # of an output step; what needs shorter ones is near a singular position
MOST_STEPS = 256  # output steps in one call


class StepSubdivision:
    """Subdivides the steps of one grid; none may become as short as `shortest`."""

    def __init__(
        self, motion: DriverMotion, stepper: KinematicStepper, grid: Array, shortest: float, same: float
    ) -> None:
        self._motion, self._stepper, self._grid = motion, stepper, grid
        self._shortest, self._same = shortest, same
        self._steps = 0  # in the last call

    def take(self, path: ContinuationResult, part: float) -> bool:
        """Take the next output steps in parts as far as they succeed; returns whether at least one did."""
        k = path.reached
        self._steps = min(max(1, 2 * self._steps), MOST_STEPS, self._stepper.chunk)
        ends = self._grid[k : k + self._steps + 1]
        if self._stepper.chunk == 1 or self._too_short(ends, PARTS):
            return False
        times = _subdivide(ends, PARTS)
        status, done, states, counts = self._stepper.sweep(
            times, self._motion(times), path.states[k], part, PARTS, self._same
        )
        path.add(states[1 : done + 1], counts[1 : done + 1])
        if status != Status.done:
            self._steps = min(self._steps, done)
        return done > 0

    def all_of(self, path: ContinuationResult, part: float, parts: int) -> Status:
        """Take as many output steps as one call allows, each in exactly `parts` parts; returns the last status."""
        k, steps = path.reached, self._stepper.chunk // parts
        ends = self._grid[k : k + steps + 1]
        if not steps or self._too_short(ends, parts):
            return Status.other_branch  # to be divided one by one
        times = _subdivide(ends, parts)
        status, done, states, counts = self._stepper.sweep(times, self._motion(times), path.states[k], part)
        whole = done // parts
        last = whole * parts + 1
        path.add(states[parts:last:parts], np.sum(counts[1:last].reshape(whole, parts), axis=1))
        return status

    def _too_short(self, ends: Array, parts: int) -> bool:
        return bool(np.min(np.abs(np.diff(ends))) <= parts * self._shortest)


def _subdivide(ends: Array, parts: int) -> Array:
    """Times of equal parts between every two successive times."""
    return np.append((ends[:-1, None] + np.diff(ends)[:, None] * (np.arange(parts) / parts)).ravel(), ends[-1])
