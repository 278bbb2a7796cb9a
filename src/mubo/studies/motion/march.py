"""From one position to the next along a time grid, never onto another branch in silence.

The grid belongs to the user. Where a step does not converge, strays from the predicted position or changes the sign of
det J, it is halved until it is taken or too short to matter; then a singular position has been located.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from mubo._core import Status
from mubo.arrays import Array

SHORTEST = 1e-10  # of the whole time span: where halving ends
MOST_TRIES = 20_000  # sub-steps of one output step, failed ones included
PART = 0.1  # of its own motion by which a body may be corrected after the prediction
Swept = tuple[Status, int, Array, Array]  # status, steps done, states (the given one first), corrections
DriverMotion = Callable[[Array], Array]  # values, rates and accelerations of the drivers at given times
Cross = Callable[["Path", Array, float, Array], bool]  # tries to pass a position


@dataclass
class Path:
    """States (3 × unknowns: position, velocity, acceleration) at the times reached."""

    states: Array
    corrections: Array  # Newton corrections per output time
    reached: int  # index of the last output time reached
    status: Status = Status.done
    stopped_at: float = np.nan  # time of the singular position, if any
    stopped_state: Array = field(default_factory=lambda: np.zeros((3, 0)))
    crossings: list[Any] = field(default_factory=list)  # change points passed on the way


@dataclass(frozen=True)
class Settings:
    """How accurately and how to step."""

    tolerance: float = 0.0  # FEPS; 0: 1e-10 times the decade of the mechanism's size
    max_iterations: int = 20  # NRMAX
    predictor: str = "taylor"
    progress: Callable[[int, int], None] = lambda done, total: None  # rows done, rows in all
    scale: float = 1.0  # of lengths, a power of ten: rounding is judged by it
    formulation: str = "auto"
    branch: str = "smooth"  # or "other": which motion to follow where two cross
    mode: int = 1  # which way of assembling to start in; 1 is the one that the estimates give
    transmission: bool = False  # whether the table has the columns of transmission
    advantage: str = ""  # the coordinate to which the mechanical advantage is told


class Stepper(Protocol):
    """Takes steps over given times until one fails."""

    chunk: int  # steps per call, about a tenth of a second

    def start(self, q: Array, motion: Array) -> tuple[Status, Array]:
        """Status and state at the absolute position q, which is (nearly) solved."""

    def at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        """The same at given unknowns; steps go on from there."""

    def equations(self, x: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        """Φ, J, ν and γ at unknowns x and their rates v."""

    def sweep(self, times: Array, motion: Array, state: Array, part: float) -> Swept:
        """Steps from the state at times[0]; a body may be corrected by `part` of its motion."""

    def bodies(self, states: Array, motion: Array) -> Array:
        """The states in absolute coordinates of the moving bodies."""


def march(
    motion: DriverMotion,
    stepper: Stepper,
    grid: Array,
    state: Array,
    progress: Callable[[int, int], None],
    substeps: int = 1,
    regular: Callable[[Array, float], bool] = lambda state, time: False,
    same: float = 1e-6,
    cross: Cross = lambda path, grid, time, state: False,
) -> Path:
    """Steps over the whole grid, which may run backwards; stops at a singular position.

    `regular(state, time)` says whether a position is far from singular: there a step that strays however short it is
    follows a corner of a motion law, and is taken. Positions that differ by less than `same` are the same.
    `cross(path, grid, time, state)` tries to pass a singular position, and fills the rows up to the one after it.
    """
    states = np.empty((len(grid), *state.shape))
    corrections = np.zeros(len(grid), int)
    states[0] = state
    path = Path(states, corrections, 0)
    # Of a short grid far from zero, a step must still change the time.
    shortest = max(SHORTEST * abs(float(grid[-1] - grid[0])), 8 * float(np.spacing(np.max(np.abs(grid)))))
    while path.reached < len(grid) - 1:
        status = Status.other_branch  # where sub-steps are asked for, every output step is divided
        if substeps == 1:
            status = _sweep_on(path, motion, stepper, grid)
        if status != Status.done:
            k = path.reached
            ends, longest = grid[k : k + 2], (float(grid[k + 1]) - float(grid[k])) / max(substeps, 2)
            status, time, last, count = divide(motion, stepper, ends, states[k], longest, shortest, regular)
            if status == Status.done:
                whole, direct = _whole_step(motion, stepper, ends, states[k])
                if whole is not None and np.max(np.abs(whole[0] - last[0])) < same * (1 + np.max(np.abs(last[0]))):
                    last, count = whole, direct  # the sub-steps have confirmed it
                states[k + 1], corrections[k + 1], path.reached = last, count, k + 1
            elif not cross(path, grid, time, last):
                if np.isnan(path.stopped_at):  # else the way went on and stopped later, before the next row
                    path.status, path.stopped_at, path.stopped_state = status, time, last
                return path
        progress(path.reached, len(grid))
    return path


def _sweep_on(path: Path, motion: DriverMotion, stepper: Stepper, grid: Array) -> Status:
    """Whole output steps from where the path has come to, as many as one call takes, until one fails."""
    k = path.reached
    times = grid[k : k + stepper.chunk + 1]
    status, done, new, counts = stepper.sweep(times, motion(times), path.states[k], PART)
    path.states[k + 1 : k + done + 1] = new[1 : done + 1]
    path.corrections[k + 1 : k + done + 1] = counts[1 : done + 1]
    path.reached += done
    return status


def _whole_step(motion: DriverMotion, stepper: Stepper, ends: Array, state: Array) -> tuple[Array | None, int]:
    """The step taken at once, without asking for its branch: state (None if it fails) and corrections."""
    status, _, new, counts = stepper.sweep(ends, motion(ends), state, np.inf)
    return (new[1] if status == Status.done else None), int(counts[1])


def divide(
    motion: DriverMotion,
    stepper: Stepper,
    ends: Array,
    state: Array,
    longest: float,
    shortest: float,
    regular: Callable[[Array, float], bool],
) -> tuple[Status, float, Array, int]:
    """One output step in as many sub-steps as it needs: status, time reached, state, corrections."""
    time, end = float(ends[0]), float(ends[1])
    step, total, tries = longest, 0, 0
    while time != end:
        tries += 1
        target = end if abs(end - time) <= abs(step) * 1.000001 else time + step
        times = np.array([time, target])
        status, _, new, counts = stepper.sweep(times, motion(times), state, PART)
        if status == Status.other_branch and abs(target - time) <= shortest and regular(state, time):
            status, _, new, counts = stepper.sweep(times, motion(times), state, np.inf)
        if status == Status.done:
            time, state, total = target, new[1], total + int(counts[1])
            step = np.sign(step) * min(abs(2 * step), abs(longest))
        elif abs(target - time) <= shortest or tries > MOST_TRIES:
            return status, time, state, total
        else:
            step = (target - time) / 2
    return Status.done, time, state, total
