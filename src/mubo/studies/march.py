"""From one position to the next along a time grid, never onto another branch in silence.

The grid belongs to the user. Where a step does not converge, strays from the predicted position or changes the
sign of det J, it is halved until it is taken or too short to matter; then a singular position has been located.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mubo.compile import Compiled
from mubo.motion.law import Array

DONE, SIGN_CHANGE = 0, 5
SHORTEST = 1e-10  # of the whole time span: where halving ends


@dataclass
class Path:
    """States (3 × unknowns: position, velocity, acceleration) at the times reached."""

    states: Array
    corrections: Array  # Newton corrections per output time
    reached: int  # index of the last output time reached
    status: int = DONE
    stopped_at: float = np.nan  # time of the singular position, if any
    stopped_state: Array = field(default_factory=lambda: np.zeros((3, 0)))


@dataclass(frozen=True)
class Settings:
    """How accurately and how to step."""

    tolerance: float = 1e-10  # FEPS
    max_iterations: int = 20  # NRMAX
    predictor: str = "taylor"
    progress: Callable[[int, int], None] = lambda done, total: None  # rows done, rows in all


class Stepper(Protocol):
    """Takes steps over given times until one fails."""

    def start(self, q: Array, motion: Array) -> tuple[int, Array]:
        """Status and state at a position that is (nearly) solved."""

    def sweep(self, times: Array, motion: Array, state: Array) -> tuple[int, int, Array, Array]:
        """Status, steps done, states (the given one first), corrections."""

    chunk: int  # steps per call, about a tenth of a second


def march(
    compiled: Compiled, stepper: Stepper, grid: Array, state: Array, progress: Callable[[int, int], None]
) -> Path:
    """Steps over the whole grid, which may run backwards; stops at a singular position."""
    states = np.empty((len(grid), *state.shape))
    corrections = np.zeros(len(grid), int)
    states[0] = state
    path = Path(states, corrections, 0)
    shortest = SHORTEST * abs(float(grid[-1] - grid[0]))
    while path.reached < len(grid) - 1:
        k = path.reached
        times = grid[k : k + stepper.chunk + 1]
        status, done, new, counts = stepper.sweep(times, compiled.motion(times), states[k])
        states[k + 1 : k + done + 1] = new[1 : done + 1]
        corrections[k + 1 : k + done + 1] = counts[1 : done + 1]
        path.reached = k = k + done
        if status != DONE:
            status, time, last, count = _halve(
                compiled, stepper, float(grid[k]), float(grid[k + 1]), states[k], shortest
            )
            if status != DONE:
                path.status, path.stopped_at, path.stopped_state = status, time, last
                return path
            states[k + 1], corrections[k + 1] = last, count
            path.reached += 1
        progress(path.reached, len(grid))
    return path


def _halve(
    compiled: Compiled, stepper: Stepper, start: float, end: float, state: Array, shortest: float
) -> tuple[int, float, Array, int]:
    """One output step in as many sub-steps as it needs: status, time reached, state, corrections."""
    time, step, total = start, (end - start) / 2, 0
    while time != end:
        last = abs(end - time) <= abs(step) * 1.000001
        target = end if last else time + step
        times = np.array([time, target])
        status, _, new, counts = stepper.sweep(times, compiled.motion(times), state)
        if status == DONE:
            time, state, total = target, new[1], total + int(counts[1])
            step *= 2
        elif abs(target - time) <= shortest:
            return status, time, state, total
        else:
            step = (target - time) / 2
    return DONE, time, state, total
