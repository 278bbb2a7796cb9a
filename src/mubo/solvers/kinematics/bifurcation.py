"""Change points: where two motions cross, the smooth one (or the other) is followed; a near crossing is not taken for
one.

Whether motions cross, part or end is decided by the normal form (`bifurcation_normal_form`), never by a tolerance on
rates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SingularityError, status_text
from mubo.lazy_dataclass import dataclass
from mubo.solvers.continuation.continuation import CROSSING_DISTANCE, MAX_UNKNOWNS, SHORTEST_STEP, divide_step
from mubo.solvers.continuation.steppers import ContinuationResult, DriverMotion, KinematicStepper

if TYPE_CHECKING:
    from mubo.solvers.continuation.bifurcation_normal_form import BifurcationPoint, ReducedEquation, TimedState

POINT_DISTANCE = 1e-5  # radians, or sizes: rows closer to the point take its own rates
NARROW_GAP = 1e-2  # of the crossing step: a lock closer to the point is located by the second-order equation
MAX_CHANGE_POINTS = 1000  # of a run


@dataclass(frozen=True)
class ChangePoint:
    """A change point at time t: its unknowns and the rates of both motions there; of a singular position that one
    motion alone passes they are equal."""

    t: float
    x: Array
    smooth: Array
    other: Array
    misfit: float  # by how much a length would have to change for the two motions to meet exactly

    @property
    def unique(self) -> bool:
        """Whether one motion alone passes the position."""
        return self.other is self.smooth


class BranchSwitch:
    """Passes change points of a motion; `other` follows the crossing motion instead of the smooth one."""

    def __init__(
        self,
        motion: DriverMotion,
        stepper: KinematicStepper,
        weight: Array,
        other: bool,
        scale: float,
        regular: Callable[[Array, float], bool],
    ) -> None:
        self._motion, self._stepper, self._weight = motion, stepper, weight
        self._other, self._scale, self._regular = other, scale, regular

    def __call__(self, path: ContinuationResult, grid: Array, time: float, state: Array) -> bool:
        """Pass the change points next to `time`, and fill the rows of `path` up to the first one after them."""
        shortest, count = SHORTEST_STEP * abs(float(grid[-1] - grid[0])), 0
        known: TimedState | None = None  # after a point that was passed since the last row
        while True:
            passage = self._passage(path, grid, (time, state), known)
            if passage is None:
                if known is not None and np.isnan(path.stopped_at):  # it stops after a point that was passed
                    path.stop(path.status if path.status != Status.done else Status.singular, time, state)
                return False
            known = passage.after
            passage.fill(path, grid)
            self._stepper.solve_at(known[1][0], self._at(known[0]))
            if path.reached == len(grid) - 1:
                return True
            ends = np.array([known[0], float(grid[path.reached + 1])])
            status, time, state, more, _ = divide_step(
                self._motion, self._stepper, ends, known[1], ends[1] - ends[0], shortest, self._regular
            )
            count += more
            if status == Status.done:
                path.reached += 1
                path.states[path.reached], path.corrections[path.reached] = state, count
                return True

    def _at(self, time: float) -> Array:
        return np.asarray(self._motion(np.array([time]))[0])

    def _passage(
        self, path: ContinuationResult, grid: Array, near: TimedState, known: TimedState | None
    ) -> _Passage | None:
        """Passage over the change point near a state; None where there is none, and `path` then holds the reason."""
        from mubo.solvers.continuation.bifurcation_normal_form import RESOLUTION, find_bifurcation, reduced_equation

        time, state = near
        if len(path.crossings) >= MAX_CHANGE_POINTS:
            path.stop(Status.step_limit, time, state)
            return None
        if len(self._weight) > MAX_UNKNOWNS:
            return None
        reduction = reduced_equation(self._motion, self._stepper, self._weight, path, grid)
        saddle = find_bifurcation(reduction, time, state[0])
        if saddle is None:
            return None
        forward, fits = float(np.sign(grid[-1] - grid[0])), saddle.misfit <= RESOLUTION * self._scale
        if saddle.flat:
            path.misses = None if fits else saddle
            return None
        before = self._before(path, grid, saddle, forward, known)
        if before is None:
            return None
        begins = saddle.unique and path.reached == 0 and before[0] == grid[0] and self._is_at(saddle, before)
        if (saddle.t - before[0]) * forward <= 0 and not begins:
            return None
        passage = _Passage(self, saddle, before, fits, reduction, forward if begins else 0.0)
        if not fits and saddle.ends:
            path.misses = saddle
            if saddle.half_width < NARROW_GAP * abs(saddle.t - before[0]):
                lock = saddle.t - forward * saddle.half_width
                path.stop(Status.singular, lock, np.stack([saddle.along(lock, 0.0, saddle.gap), *state[1:]]))
            return None
        if not passage.lands():
            return None
        if fits:
            path.crossings.append(passage.crossing)
        return passage

    def _is_at(self, saddle: BifurcationPoint, state: TimedState) -> bool:
        """Whether a state is the point itself."""
        time, (x, _, _) = state
        speed = float(np.max(np.abs(self._weight * saddle.v0)))
        return bool(
            np.max(np.abs(self._weight * (x - saddle.x)), initial=speed * abs(time - saddle.t)) < POINT_DISTANCE
        )

    def _before(
        self, path: ContinuationResult, grid: Array, saddle: BifurcationPoint, forward: float, known: TimedState | None
    ) -> TimedState | None:
        """A regular state before the point, at a distance over which the fastest unknown moves by CROSSING_DISTANCE."""
        speed = max(float(np.max(np.abs(self._weight * saddle.rates(side)))) for side in (-1.0, 1.0))
        wanted = saddle.t - forward * CROSSING_DISTANCE / speed
        row = path.reached
        while row > 0 and (grid[row] - wanted) * forward > 0:
            row -= 1
        start = (float(grid[row]), path.states[row])
        if known is not None and (known[0] - start[0]) * forward > 0:
            start = known
        if (start[0] - wanted) * forward >= 0:
            return start
        self._stepper.solve_at(start[1][0], self._at(start[0]))
        ends = np.array([start[0], wanted])
        shortest = SHORTEST_STEP * abs(float(grid[-1] - grid[0]))
        status, reached, state, _, _ = divide_step(
            self._motion, self._stepper, ends, start[1], ends[1] - ends[0], shortest, self._regular
        )
        return (reached, state) if status == Status.done else None


class _Passage:
    """Passage from a state before a change point to one after it, on the chosen motion."""

    def __init__(
        self,
        crosser: BranchSwitch,
        saddle: BifurcationPoint,
        before: TimedState,
        fits: bool,
        reduction: ReducedEquation,
        begins: float,
    ) -> None:
        """`begins` is the sense of time of a motion that begins at the point, else zero."""
        self._solve, self._at = crosser._stepper.solve_at, crosser._at
        self._saddle, self._before, self._reduction = saddle, before, reduction
        self._gap = 0.0 if fits else saddle.gap
        came = begins or saddle.side(before[0], before[1][0])
        # A straight motion changes the side where it passes the point; one that does not reach the point stays.
        self._side = came if (crosser._other and not saddle.unique) or not fits else -came
        forward = begins or float(np.sign(saddle.t - before[0]))
        smooth = saddle.rates(-came * forward)
        other = smooth if saddle.unique else saddle.rates(came * forward)
        self.crossing = ChangePoint(saddle.t, saddle.x, smooth, other, saddle.misfit)
        self._lead = saddle.rates(self._side * forward)
        self._came = came
        speed = float(np.max(np.abs(saddle.weight * self._lead)))
        after = saddle.t + begins * CROSSING_DISTANCE / speed if begins else 2 * saddle.t - before[0]
        self.after: TimedState = (after, before[1])

    def lands(self) -> bool:
        """Solve the state after the point; returns whether it is on the chosen motion."""
        saddle, time = self._saddle, self.after[0]
        status, state = self._solve(saddle.along(time, self._side, self._gap), self._at(time))
        self.after = (time, state)
        return status == Status.done and saddle.side(time, state[0]) == self._side

    def fill(self, path: ContinuationResult, grid: Array) -> None:
        """Fill the rows between the last one reached and the state after the point."""
        forward = float(np.sign(grid[-1] - grid[0]))
        while path.reached < len(grid) - 1 and (grid[path.reached + 1] - self.after[0]) * forward <= 0:
            path.reached += 1
            path.states[path.reached] = self._row(float(grid[path.reached]))

    def _row(self, time: float) -> Array:
        """State at an output time close to the point."""
        saddle, point = self._saddle, self.crossing
        beyond = (time - saddle.t) * (self.after[0] - saddle.t) > 0
        side = self._side if beyond else self._came
        place, rates = (self.after, self._lead) if beyond else (self._before, point.smooth)
        near = float(np.max(np.abs(saddle.weight * (time - saddle.t) * rates))) < POINT_DISTANCE
        if not near or self._gap != 0:
            status, state = self._solve(saddle.along(time, side, self._gap), self._at(time))
            if status == Status.done and saddle.side(time, state[0]) == side:
                return state
        bend = self._acceleration_at_point(side, place, rates)
        h = time - saddle.t
        return np.stack([saddle.x + h * (rates + 0.5 * h * bend), rates + h * bend, bend])

    def _acceleration_at_point(self, side: float, place: TimedState, rates: Array) -> Array:
        """Acceleration at the point, of the motion that has these rates there and passes `place`."""
        from mubo.solvers.continuation.bifurcation_normal_form import acceleration_at_point

        saddle, half = self._saddle, 0.5 * (self._saddle.t + place[0])
        status, middle = self._solve(saddle.along(half, side, self._gap), self._at(half))
        if status != Status.done or saddle.side(half, middle[0]) != side:
            raise SingularityError(
                f"beside the singular position at t = {saddle.t:.9g}: {status_text(status)}", numbers={"t": saddle.t}
            )
        return acceleration_at_point(self._reduction, saddle, rates, middle, place)
