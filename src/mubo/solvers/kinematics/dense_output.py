"""Dense output: the motion solved at any time between the rows of a run, each reached from the row beside it.

No step crosses a change point: a time is reached from the row on its own side of it. After the last row the motion
continues up to where it stopped. Positions that took many steps are kept: a search near a singular position continues
from the nearest one, not from the row again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers, distinct, is_among
from mubo.results import Columns
from mubo.solvers.continuation.continuation import CORRECTION_RATIO, continue_motion
from mubo.solvers.continuation.steppers import ContinuationResult
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows, Reversibility, join_rows, reverse_rows

COSTLY = 300  # unknowns: beyond, a position between rows is solved only where nothing else will do
Visited = tuple[float, Array, Array]  # a time, the drivers and the state there
Stretch = tuple[int, list[int]]  # a row, and the numbers of the times to be reached from it, nearest first


class DenseOutput:
    """Solves a motion between the rows of its continuation; `grid` are the output times."""

    def __init__(self, problem: KinematicProblem, grid: Array, path: ContinuationResult) -> None:
        self._problem, self._path, self._grid = problem, path, grid[: path.reached + 1]
        self._crossed = np.sort(np.array([crossing.t for crossing in path.crossings], float))
        self._visited: dict[int, list[Visited]] = {}  # from each row

    @property
    def crossings(self) -> list[ChangePoint]:
        """The change points that the run passed."""
        return list(self._path.crossings)

    @property
    def step(self) -> float:
        """Time between the first two rows; zero for a run of one row."""
        return float(self._grid[1] - self._grid[0]) if len(self._grid) > 1 else 0.0

    @property
    def last(self) -> float:
        """Last time that the motion reached: that of its last row, or the one at which it stopped."""
        stopped = self._path.status != Status.done and np.isfinite(self._path.stopped_at)
        return float(self._path.stopped_at if stopped else self._grid[-1])

    def rows(self, times: Array) -> MotionRows:
        """Rows at the times, in order; times outside the run and those that cannot be reached are left out."""
        times = distinct(np.asarray(times, float))
        times = times[(times >= self._grid[0]) & (times <= self.last)]
        states = np.full((len(times), *self._path.states.shape[1:]), np.nan)
        corrections, open_ = np.zeros(len(times), int), np.ones(len(times), bool)
        on_row = np.minimum(np.searchsorted(self._grid, times), len(self._grid) - 1)
        there = self._grid[on_row] == times
        states[there], open_[there] = self._path.states[on_row[there]], False
        near = np.clip(np.searchsorted(self._grid, times, side="right"), 1, len(self._grid) - 1)
        beside = np.concatenate([near - 1, near]) if open_.any() else near[:0]
        laws = self._problem.motion(np.concatenate([times, self._grid[beside]]))
        motion, of_rows = laws[: len(times)], dict(zip(beside.tolist(), laws[len(times) :], strict=True))
        for forward in (True, False):
            if not open_.any():
                break
            for row, numbers in self._stretches(times, np.flatnonzero(open_).astype(np.int32), forward):
                ends = np.concatenate([self._grid[row : row + 1], times[numbers]])
                lines = np.concatenate([of_rows[row][None], motion[numbers]])
                new, counts = self._from(row, ends, lines)
                done = numbers[: len(new)]
                states[done], corrections[done], open_[done] = new, counts, False
        solved = ~open_
        states, motion = states[solved], motion[solved]
        return MotionRows(times[solved], states, motion, corrections[solved], self._problem.absolute(states, motion))

    def columns(self, run: Columns, rows: MotionRows) -> Columns:
        """Columns of the run at rows between its own; revolutions of angles are counted from the run."""
        model = self._problem.model
        if not len(rows.t):  # none of them is reached
            return run.replaced({name: run.raw(name)[:0] for name in run})
        found = self._problem.columns(rows)
        if model.dimension == 3:  # in the plane angles are unknowns, which go on from row to row
            from mubo.solvers.columns.joint_coordinates import align_quaternions, unwrap_between_rows

            angles = [c.name for c in found.of_kind("joint") if c.holds == "angle" and c.order == 0]
            at = found.raw("t")
            found = found.replaced({name: unwrap_between_rows(run, name, at, found.raw(name)) for name in angles})
            found = found.replaced(align_quaternions(run, found))
        if model.measures:
            from mubo.solvers.columns.measures import add_measures

            add_measures(model, found, run)
        return found

    def among(self, rows: MotionRows, times: Array) -> MotionRows:
        """Merge the rows of the run with rows at further times, in order."""
        asked = np.asarray(times, float)
        more = self.rows(asked[~is_among(asked, rows.t)])
        at = np.searchsorted(rows.t, more.t)
        pairs = zip((getattr(rows, name) for name in FIELDS), (getattr(more, name) for name in FIELDS), strict=True)
        return MotionRows(*(np.insert(old, at, new, axis=0) for old, new in pairs))

    def _stretches(self, times: Array, wanted: Integers, forward: bool) -> Iterator[Stretch]:
        """Times reached from the row before them, or backwards from the row after; none across a change point."""
        if not len(wanted):
            return
        row = np.searchsorted(self._grid, times[wanted], side="right") - (1 if forward else 0)
        inside = row < len(self._grid)
        wanted, row = wanted[inside], row[inside]
        low, high = (np.sort([times[wanted], self._grid[row]], axis=0)) if len(row) else (row, row)
        free = np.searchsorted(self._crossed, low, "right") == np.searchsorted(self._crossed, high, "left")
        wanted, row = wanted[free], row[free]
        for number in distinct(row):
            yield int(number), list(wanted[row == number][:: 1 if forward else -1])

    def _from(self, row: int, ends: Array, motion: Array) -> tuple[Array, Array]:
        """States and Newton iterations at the times ahead of a row (or behind it), as far as they are reached.

        The row is the first of `ends`, whose drivers are `motion`.
        """
        here = (float(ends[0]), motion[0], self._path.states[row])
        near = self._nearest(row, ends[1], here)
        found = self._on(row, near, ends[1:], motion[1:])
        if near is here or len(found[0]) == len(ends) - 1:
            return found
        return max(found, self._on(row, here, ends[1:], motion[1:]), key=lambda reached: len(reached[0]))

    def _on(self, row: int, place: Visited, times: Array, laws: Array) -> tuple[Array, Array]:
        """States and Newton iterations at the times, reached from a position between the row and them."""
        problem, (time, law, state) = self._problem, place
        ends, motion = np.concatenate([[time], times]), np.concatenate([law[None], laws])
        status, _ = problem.stepper.solve_at(state[0], motion[0])
        if status != Status.done:  # the row is a change point
            return state[None][:0], np.zeros(0, int)
        if len(ends) <= problem.stepper.chunk + 1:
            status, done, states, counts = problem.stepper.sweep(ends, motion, state, CORRECTION_RATIO)
            if status == Status.done:
                return states[1 : done + 1], counts[1 : done + 1]
            problem.stepper.solve_at(state[0], motion[0])
        same = problem.settings.same(1000)
        path = continue_motion(problem.motion, problem.stepper, ends, state, regular=problem.regular, same=same)
        reached = slice(1, path.reached + 1)
        places = zip(ends[reached], motion[reached], path.states[reached], strict=True)
        self._visited.setdefault(row, []).extend((float(time), law, state) for time, law, state in places)
        return path.states[reached], path.corrections[reached]

    def _nearest(self, row: int, time: float, here: Visited) -> Visited:
        """The visited position nearest to a time, of the row itself and those reached from it before."""
        low, high = sorted((here[0], float(time)))
        between = (place for place in self._visited.get(row, ()) if low < place[0] < high)
        return min(between, key=lambda place: abs(place[0] - time), default=here)


class RoundTripOutput(DenseOutput):
    """Solves a motion and its return between their rows: after the last time of `grid` the drivers are reversed."""

    def __init__(self, problem: KinematicProblem, grid: Array, trip: Reversibility) -> None:
        super().__init__(problem, *trip.solved)
        count = trip.back.reached + 1
        there = replace(trip.back, states=trip.back.states[:count][::-1], reached=count - 1, status=Status.done)
        self._turned, self._back = float(grid[-1]), DenseOutput(problem, grid[-count:], there)

    def rows(self, times: Array) -> MotionRows:
        """Rows at the times, in order, those of the backward motion behind the others."""
        times = np.asarray(times, float)
        forward = super().rows(times[times <= self._turned])
        back = self._back.rows(2 * self._turned - times[times > self._turned])
        return join_rows(forward, reverse_rows(self._problem, back, self._turned))


FIELDS = ("t", "states", "motion", "corrections", "absolute")  # of Rows
