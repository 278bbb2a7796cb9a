"""Predictor-corrector continuation along a time grid that never changes to another branch unnoticed.

The grid belongs to the user. Where a step does not converge, leaves the predicted branch or changes the sign of det J,
it is divided until it succeeds or is too short to matter; then a singular position has been located. Where only the
selected ones of redundant equations lose their rank there, others are selected.

A run over thousands of revolutions divides some steps of every revolution. Evaluating motion laws costs a call, however
many times it has: the laws between the next output steps are evaluated at once, for more steps the more were divided. A
motion that failed the reversibility check is repeated with all its steps in parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.solvers.continuation.steppers import (
    POSITION_TOLERANCE,
    ContinuationResult,
    DriverMotion,
    KinematicStepper,
    RegularityTest,
    SingularityPassage,
)

SHORTEST_STEP = 1e-10  # of the whole time span: where halving ends
SUB_STEPS_PER_CALL = 16  # sub-steps tried in one call: evaluating the motion laws costs more than a step
SHORT_STEP = 1e-2  # of an output step: sub-steps that had to become as short are near a singular position
RESIDUAL_RATIO = 1e-3  # of c²: residual of the equations at a position that is c away from a singular one
MAX_SUB_STEPS = 4_000  # sub-steps of one output step, failed ones included
MAX_SUB_STEPS_OF_RUN = 20_000  # of a whole motion, some seconds
MAX_SUB_STEPS_PER_ROW = 1_000  # more for each of its output steps
CORRECTION_RATIO = 0.1  # of its own motion by which a body may be corrected after the prediction
PARTS = 16  # of an output step; what needs shorter ones is near a singular position
MOST_STEPS = 256  # output steps in one call
CROSSING_DISTANCE = 0.02  # radians, or sizes of the mechanism, between a change point and both ends of the step over it
MAX_UNKNOWNS = 600  # of a mechanism whose change points are passed


def continue_motion(
    motion: DriverMotion,
    stepper: KinematicStepper,
    grid: Array,
    state: Array,
    substeps: int = 1,
    regular: RegularityTest | None = None,
    same: float = POSITION_TOLERANCE,
    cross: SingularityPassage = lambda path, grid, time, state: False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    laws: Array | None = None,
) -> ContinuationResult:
    """Continue the motion over the whole grid, which may run backwards; it stops at a singular position.

    `regular(state, time)` says whether a position is far from singular: there a step that leaves the prediction however
    short it is follows a corner of a motion law, and is accepted. Positions that differ by less than `same` are equal.
    `cross(path, grid, time, state)` tries to pass a singular position, and fills the rows up to the one after it.
    `laws` is the motion over the grid, where it is known already.
    """
    states = np.empty((len(grid), *state.shape))
    states[0], tries = state, 0
    path = ContinuationResult(states, np.zeros(len(grid), int), 0)
    laws = motion(grid) if laws is None else laws  # once: after every corner of a law the sweep begins anew
    shortest = _shortest_step(float(grid[0]), float(grid[-1]))
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
                if np.isnan(path.stopped_at):  # else the motion went on and stopped later, before the next row
                    path.stop(status, time, last)
                return path
        progress(path.reached, len(grid))
    return path


def _shortest_step(begin: float, end: float) -> float:
    """The step that is divided no further: on a short grid far from zero, a step must still change the time."""
    return max(SHORTEST_STEP * abs(end - begin), 8 * math.ulp(max(abs(begin), abs(end))))


def _sweep_output_steps(
    path: ContinuationResult,
    laws: Array,
    stepper: KinematicStepper,
    grid: Array,
    sub_steps: StepSubdivision,
    substeps: int,
) -> Status:
    """Take as many output steps as one call allows: whole steps until one fails, then subdivided ones."""
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
    """Return the step taken as a whole where its sub-steps confirm it, else the result of the sub-steps."""
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
    """Take one output step in as many sub-steps as it needs: status, time, state, Newton iterations, sub-steps tried.

    Where the sub-steps had to become short, their end may itself be singular, unless `regular` denies it. Where they
    end at a regular position, the selected ones of redundant equations lost their rank: others are selected.
    """
    here = _SubStepState(float(ends[0]), state, (float(ends[0]), state))
    tries, selected_at = 0, math.nan
    while True:
        status, more = _take_sub_steps(motion, stepper, here, ends, longest, shortest, regular)
        tries += more
        stuck = abs(here.time - selected_at) <= shortest or tries > MAX_SUB_STEPS_OF_RUN
        if status == Status.done or stuck or not regular or not regular(here.state, here.time):
            break
        if not here.change_equations(motion, stepper):
            break
        selected_at = here.time
    return status, here.time, here.state, here.corrections, tries


def _take_sub_steps(
    motion: DriverMotion,
    stepper: KinematicStepper,
    here: _SubStepState,
    ends: Array,
    longest: float,
    shortest: float,
    regular: RegularityTest | None,
) -> tuple[Status, int]:
    """Advance towards the end of an output step in sub-steps: status, and sub-steps tried."""
    end, step, tries, least = float(ends[1]), longest, 0, abs(longest)
    count = min(SUB_STEPS_PER_CALL, stepper.chunk)
    ratio = max(2, count // 2)  # a sub-step that fails in one call is within the next one
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
            return status, tries
        else:
            step = width / ratio
            least = min(least, abs(width) / 2)
    had_to = least < SHORT_STEP * abs(float(ends[1] - ends[0]))
    if not had_to or not regular or regular(here.state, end):
        return Status.done, tries
    if _is_isolated_position(motion, stepper, here.state, end):
        return Status.done, tries
    here.time, here.state = here.before
    return Status.singular, tries


def _is_isolated_position(motion: DriverMotion, stepper: KinematicStepper, state: Array, time: float) -> bool:
    """Whether a position close to a singular one is a regular solution of its own.

    At a singular position Newton's method halves its error c while the residual is about c²; at a position that is c
    away from the singular one the residual is far smaller. σ stands for c, both relative to the largest one.
    """
    phi, J, _, _ = stepper.equations(state[0], state[1], motion(np.array([time]))[0])
    values = np.linalg.svd(J, compute_uv=False)
    return bool(np.max(np.abs(phi), initial=0.0) * values[0] < RESIDUAL_RATIO * values[-1] ** 2)


def _next_sub_steps(time: float, end: float, step: float, most: int) -> Array:
    """Times of the next sub-steps, at most `most` of them, none beyond the end."""
    left = (end - time) / step
    count = max(1, math.ceil(left - 1e-6)) if left < most + 1e-6 else most
    times = np.asarray(time + step * np.arange(count + 1), float)
    if left < most + 1e-6:
        times[-1] = end
    return times


@dataclass
class _SubStepState:
    """Progress of the sub-steps of one output step; `before` is the state before the last sub-step."""

    time: float
    state: Array
    before: tuple[float, Array]
    corrections: int = 0

    def change_equations(self, motion: DriverMotion, stepper: KinematicStepper) -> bool:
        """Solve the present position by other independent equations; returns whether there are any that solve it."""
        laws = motion(np.array([self.time]))[0]
        if not stepper.select_equations(self.state[0], laws):
            return False
        status, state = stepper.solve_at(self.state[0], laws)
        self.state = state if status == Status.done else self.state
        return status == Status.done

    def step(self, motion: DriverMotion, stepper: KinematicStepper, times: Array, part: float) -> Status:
        """Advance over the times as far as they are reached; the first one is the present time."""
        status, done, new, counts = stepper.sweep(times, motion(times), self.state, part)
        if done:
            self.before = (float(times[done - 1]), new[done - 1])
            self.time, self.state = float(times[done]), new[done]
            self.corrections += int(np.sum(counts[1 : done + 1]))
        return status


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
