"""From one position to the next along a time grid, never onto another branch in silence.

The grid belongs to the user. Where a step does not converge, strays from the predicted position or changes the sign of
det J, it is halved until it is taken or too short to matter; then a singular position has been located.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers
from mubo.solvers.continuation.sub_steps import StepSubdivision

SHORTEST_STEP = 1e-10  # of the whole time span: where halving ends
SUB_STEPS_PER_CALL = 16  # sub-steps tried in one call: to evaluate the motion laws costs more than a step
SHORT_STEP = 1e-2  # of an output step: sub-steps that had to become as short are near a singular position
RESIDUAL_RATIO = 1e-3  # of c²: what equations may leave open at a position that is c away from a singular one
MAX_SUB_STEPS = 4_000  # sub-steps of one output step, failed ones included
MAX_SUB_STEPS_OF_RUN, MAX_SUB_STEPS_PER_ROW = (
    20_000,
    1_000,
)  # of a whole way, and for each of its output steps besides: some seconds
POSITION_TOLERANCE = 1e-6  # radians or sizes of the mechanism: nearer positions are one
ROUNDING = 3e5 * float(np.finfo(float).eps)  # of coordinates, which are at most 1e5 scales large, three times
CORRECTION_RATIO = 0.1  # of its own motion by which a body may be corrected after the prediction
SweepResult = tuple[Status, int, Array, Array]  # status, steps done, states (the given one first), corrections
DriverMotion = Callable[[Array], Array]  # values, rates and accelerations of the drivers at given times
SingularityPassage = Callable[["ContinuationResult", Array, float, Array], bool]  # tries to pass a position
RegularityTest = Callable[[Array, float], bool]  # whether a state at a time is far from singular


@dataclass
class ContinuationResult:
    """States (3 × unknowns: position, velocity, acceleration) at the times reached."""

    states: Array
    corrections: Array  # Newton corrections per output time
    reached: int  # index of the last output time reached
    status: Status = Status.done
    stopped_at: float = np.nan  # time of the singular position, if any
    stopped_state: Array = field(default_factory=lambda: np.zeros((3, 0)))
    crossings: list[Any] = field(default_factory=list)  # change points passed on the way
    misses: Any = None  # the change point that a lock just misses

    def add(self, states: Array, corrections: Array) -> None:
        """The next output times, reached one after the other."""
        new = slice(self.reached + 1, self.reached + 1 + len(states))
        self.states[new], self.corrections[new] = states, corrections
        self.reached += len(states)

    def stop(self, status: Status, time: float, state: Array) -> None:
        """It ends before the next output time, at a state that it still reached."""
        self.status, self.stopped_at, self.stopped_state = status, time, state

    def at(self, rows: Integers) -> ContinuationResult:
        """The same way at some of its output times alone."""
        if len(rows) == len(self.states):
            return self
        done = int(np.searchsorted(rows, self.reached, side="right"))
        counts = np.add.reduceat(self.corrections, np.append(0, rows[:-1] + 1)) if len(rows) else self.corrections
        return replace(self, states=self.states[rows], corrections=counts, reached=done - 1)


@dataclass(frozen=True)
class Settings:
    """How accurately and how to step."""

    tolerance: float = 0.0  # FEPS; 0: 1e-10 times the decade of the mechanism's size
    max_iterations: int = 20  # NRMAX
    predictor: str = "taylor"
    progress: Callable[[int, int], None] = lambda done, total: None  # rows done, rows in all
    scale: float = 1.0  # of lengths, a power of ten: rounding is judged by it
    size: float = 0.0  # of the mechanism, where it is known: far from the origin that is less than the scale
    formulation: str = "auto"
    branch: str = "smooth"  # or "other": which motion to follow where two cross
    mode: int = 1  # which way of assembling to start in; 1 is the one that the estimates give
    transmission: bool = False  # whether the table has the columns of transmission
    advantage: str = ""  # the coordinate to which the mechanical advantage is told
    extremes: tuple[str, ...] | None = None  # of which columns extremes are sought; None: all that people ask for

    def same(self, tolerances: float, least: float = POSITION_TOLERANCE) -> float:
        """Positions that differ by less are one, in radians and sizes of the mechanism: so many tolerances or rounding.

        The core judges corrections likewise (rounding_explained).
        """
        rounding = ROUNDING * self.scale / self.size if self.size else 0.0
        return max(least, tolerances * self.tolerance / self.scale, rounding)


class KinematicStepper(Protocol):
    """Takes steps over given times until one fails."""

    chunk: int  # steps per call, about a tenth of a second

    def start(self, q: Array, motion: Array) -> tuple[Status, Array]:
        """Status and state at the absolute position q, which is (nearly) solved."""

    def at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        """The same at given unknowns; steps go on from there."""

    def equations(self, x: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        """Φ, J, ν and γ at unknowns x and their rates v."""

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        """Steps from the state at times[0]; a body may be corrected by `part` of its motion.

        Of `parts` times each makes an output step, which is divided where it must be; those that take one step a call
        (`chunk`) take it whole. Positions that differ by less than `same` are the same.
        """

    def bodies(self, states: Array, motion: Array) -> Array:
        """The states in absolute coordinates of the moving bodies."""


def continue_motion(
    motion: DriverMotion,
    stepper: KinematicStepper,
    grid: Array,
    state: Array,
    progress: Callable[[int, int], None],
    substeps: int = 1,
    regular: RegularityTest | None = None,
    same: float = POSITION_TOLERANCE,
    cross: SingularityPassage = lambda path, grid, time, state: False,
) -> ContinuationResult:
    """Steps over the whole grid, which may run backwards; stops at a singular position.

    `regular(state, time)` says whether a position is far from singular: there a step that strays however short it is
    follows a corner of a motion law, and is taken. Positions that differ by less than `same` are the same.
    `cross(path, grid, time, state)` tries to pass a singular position, and fills the rows up to the one after it.
    """
    states = np.empty((len(grid), *state.shape))
    states[0], tries = state, 0
    path = ContinuationResult(states, np.zeros(len(grid), int), 0)
    laws = motion(grid)  # once: a run that meets a corner in every turn begins its sweep anew there
    # Of a short grid far from zero, a step must still change the time.
    shortest = max(SHORTEST_STEP * abs(float(grid[-1] - grid[0])), 8 * float(np.spacing(np.max(np.abs(grid)))))
    sub_steps = StepSubdivision(motion, stepper, grid, shortest, same)
    while path.reached < len(grid) - 1:
        status = _sweep_output_steps(path, laws, stepper, grid, sub_steps, substeps)
        if status != Status.done:
            k = path.reached
            ends, longest = grid[k : k + 2], (float(grid[k + 1]) - float(grid[k])) / max(substeps, 2)
            status, time, last, count, more = divide_step(motion, stepper, ends, states[k], longest, shortest, regular)
            tries += more
            if tries > MAX_SUB_STEPS_OF_RUN + MAX_SUB_STEPS_PER_ROW * len(grid):
                path.stop(Status.step_limit, time, last)
                return path
            if status == Status.done:
                last, count = _confirm_whole_step(stepper, ends, laws[k : k + 2], states[k], (last, count), same)
                path.add(last[None], np.array([count]))
            elif not cross(path, grid, time, last):
                if np.isnan(path.stopped_at):  # else the way went on and stopped later, before the next row
                    path.stop(status, time, last)
                return path
        progress(path.reached, len(grid))
    return path


def _sweep_output_steps(
    path: ContinuationResult,
    laws: Array,
    stepper: KinematicStepper,
    grid: Array,
    sub_steps: StepSubdivision,
    substeps: int,
) -> Status:
    """Output steps from where the path has come to, as many as one call takes: whole until one fails, then in parts."""
    if substeps > 1:
        return sub_steps.all_of(path, CORRECTION_RATIO, substeps)
    k = path.reached
    chunk = slice(k, k + stepper.chunk + 1)
    status, done, new, counts = stepper.sweep(grid[chunk], laws[chunk], path.states[k], CORRECTION_RATIO)
    path.add(new[1 : done + 1], counts[1 : done + 1])
    return Status.done if status != Status.done and sub_steps.take(path, CORRECTION_RATIO) else status


def _confirm_whole_step(
    stepper: KinematicStepper, ends: Array, laws: Array, state: Array, divided: tuple[Array, int], same: float
) -> tuple[Array, int]:
    """State and corrections of the step taken at once, where its sub-steps confirm it; else those of the sub-steps."""
    status, _, new, counts = stepper.sweep(ends, laws, state, np.inf)
    last, _ = divided
    if status == Status.done and np.max(np.abs(new[1][0] - last[0])) < same * (1 + np.max(np.abs(last[0]))):
        return new[1], int(counts[1])
    return divided


def divide_step(
    motion: DriverMotion,
    stepper: KinematicStepper,
    ends: Array,
    state: Array,
    longest: float,
    shortest: float,
    regular: RegularityTest | None = None,
) -> tuple[Status, float, Array, int, int]:
    """One output step in as many sub-steps as it needs: status, time reached, state, corrections, sub-steps tried.

    Where the sub-steps had to become short, the position they end at may be singular itself, unless `regular` says no.
    """
    here, end = _SubStepState(float(ends[0]), state, (float(ends[0]), state)), float(ends[1])
    step, tries, least = longest, 0, abs(longest)
    count = min(SUB_STEPS_PER_CALL, stepper.chunk)
    ratio = max(2, count // 2)  # what fails in one call is in reach of the next one
    while here.time != end:
        times = _next_sub_steps(here.time, end, step, count)
        status = here.step(motion, stepper, times, CORRECTION_RATIO)
        tries += count
        k = int(np.searchsorted(times * np.sign(step), here.time * np.sign(step)))
        width = float(times[k + 1] - times[k]) if status != Status.done else step
        short = abs(width) <= shortest
        if status == Status.other_branch and short and regular and regular(here.state, here.time):
            status = here.step(motion, stepper, times[k : k + 2], np.inf)
        if status == Status.done:
            step = np.sign(step) * min(abs(ratio * width), abs(longest))
        elif short or tries > MAX_SUB_STEPS:
            return status, here.time, here.state, here.corrections, tries
        else:
            step = width / ratio
            least = min(least, abs(width) / 2)
    had_to = least < SHORT_STEP * abs(float(ends[1] - ends[0]))
    if (
        regular
        and had_to
        and not regular(here.state, end)
        and not _is_isolated_position(motion, stepper, here.state, end)
    ):
        return Status.singular, *here.before, here.corrections, tries
    return Status.done, here.time, here.state, here.corrections, tries


def _is_isolated_position(motion: DriverMotion, stepper: KinematicStepper, state: Array, time: float) -> bool:
    """Whether a position close to a singular one is a place of its own.

    At a singular position Newton's method halves its error c while the equations leave open about c²; where a position
    is c away from the singular one they leave open far less. σ stands for c, both relative to the largest one.
    """
    phi, J, _, _ = stepper.equations(state[0], state[1], motion(np.array([time]))[0])
    values = np.linalg.svd(J, compute_uv=False)
    return bool(np.max(np.abs(phi), initial=0.0) * values[0] < RESIDUAL_RATIO * values[-1] ** 2)


def _next_sub_steps(time: float, end: float, step: float, most: int) -> Array:
    """The next sub-steps, at most so many, the last one no farther than the end."""
    left = (end - time) / step
    count = max(1, math.ceil(left - 1e-6)) if left < most + 1e-6 else most
    times = np.asarray(time + step * np.arange(count + 1), float)
    if left < most + 1e-6:
        times[-1] = end
    return times


@dataclass
class _SubStepState:
    """How far the sub-steps of one output step have come; `before` is the place before the last one."""

    time: float
    state: Array
    before: tuple[float, Array]
    corrections: int = 0

    def step(self, motion: DriverMotion, stepper: KinematicStepper, times: Array, part: float) -> Status:
        """On over the times as far as they are reached; the first one is where it stands."""
        status, done, new, counts = stepper.sweep(times, motion(times), self.state, part)
        if done:
            self.before = (float(times[done - 1]), new[done - 1])
            self.time, self.state = float(times[done]), new[done]
            self.corrections += int(np.sum(counts[1 : done + 1]))
        return status
