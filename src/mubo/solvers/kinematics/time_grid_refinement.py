"""Refinement of the time grid, and the reversibility check of the motion that is solved on it.

The motion of a driver between two output times counts as much as at them: a pulse out and back may reach a limit that
no row shows. So positions are solved also at the corners and turning points of the laws, wherever a law differs from
the quintic through its values, rates and accelerations at both ends, and so often that no driver moves by more than
MAX_DRIVER_STEP between two of them.

A motion that does not return to its start when it is solved backwards has changed its branch somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, distinct, is_among
from mubo.errors import ModelError, status_text
from mubo.laws.law import Law, breaks_of
from mubo.note import Note
from mubo.numerics.quintic import quintic_hermite
from mubo.results import Event
from mubo.solvers.continuation import of_same_laws
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.continuation.steppers import DriverMotion
from mubo.solvers.kinematics.bifurcation import BranchSwitch
from mubo.solvers.kinematics.problem import KinematicProblem, Reversibility

MAX_DRIVER_STEP = 0.5  # radians, or sizes of the mechanism, by which a driver moves between two solved positions
MAX_DEVIATION = 1e-3  # radians, or sizes: largest difference of a law from the quintic between two of them
SAMPLE_POINTS = np.array([0.236, 0.618, 0.854])  # of an interval: no simple fractions, as pulses have
FINE_STEP = 0.05  # radians, or sizes, where an interval is divided at all: steps that the core takes in one call
# Times between the rows of a run: as many as a few seconds solve, within bounds, or so many for each row.
MIN_TIMES, MAX_TIMES, MAX_CHUNKS, MAX_TIMES_PER_ROW = 5_000, 200_000, 40, 40
MOST_KEPT = 100  # sets of turning points that variants share
CLOSE, MAX_SEARCHES = 1e-3, 60  # part of an interval beside the root of a chord; divisions: by two at worst, 2⁶⁰


def refine_time_grid(
    laws: Sequence[Law],
    motion: DriverMotion,
    weight: Array,
    grid: Array,
    chunk: int = MAX_TIMES,
    turns: TurningPoints | None = None,
) -> Array:
    """All times to solve at: the output times and the further times between them, in order.

    `motion` evaluates the laws; `weight` makes radians or sizes of the mechanism of every driver's value. `chunk` is
    the number of steps that a stepper takes in a tenth of a second. `turns` are turning points of the same laws that
    were found before; new ones are added.
    """
    corners = np.concatenate([np.zeros(0), *(breaks_of(law, float(grid[0]), float(grid[-1])) for law in laws)])
    extra = _GridRefinement(motion, weight, chunk, {} if turns is None else turns).times(grid, corners)
    if not len(extra):
        return grid
    away = np.abs(extra - grid[np.clip(np.searchsorted(grid, extra) + np.array([[-1], [0]]), 0, len(grid) - 1)])
    close = 1e-9 * np.min(np.diff(grid))
    # At a corner rates jump: the numbers beside it are solved too, so that every step is one of smooth motion.
    sides = [np.nextafter(corners, -np.inf), np.nextafter(corners, np.inf)]
    return distinct(np.concatenate([grid, extra[np.min(away, axis=0) > close], *sides]))


TurningPoints = dict[tuple[bytes, ...], Array]  # by intervals and drivers


class _GridRefinement:
    """Samples motion laws between output times."""

    def __init__(self, motion: DriverMotion, weight: Array, chunk: int, turns: TurningPoints) -> None:
        self._motion, self._weight, self._turns = motion, weight, turns
        self._count, self._most = 0, min(max(MIN_TIMES, MAX_CHUNKS * chunk), MAX_TIMES)

    def times(self, grid: Array, corners: Array) -> Array:
        """Further times between the output times, in no order; the corners of the laws are among them."""
        self._most = max(self._most, MAX_TIMES_PER_ROW * len(grid))
        extra = [distinct(corners[~is_among(corners, grid)])] if len(corners) else []
        ends = distinct([*grid, *extra[0]]) if extra else grid
        starts, ends = ends[:-1], ends[1:]
        while len(starts) and len(self._weight):
            pieces, turns = self._divide_intervals(starts, ends)
            extra.append(turns)
            wide = pieces > 1
            starts, ends = self._split(starts[wide], ends[wide], pieces[wide])
            extra.append(starts)
        return np.concatenate(extra) if extra else np.zeros(0)

    def _laws(self, times: Array) -> Array:
        """Values, rates and accelerations of the laws: times × drivers × 3."""
        return self._motion(times).reshape(len(times), -1, 3)

    def _divide_intervals(self, starts: Array, ends: Array) -> tuple[Array, Array]:
        """Number of parts of each interval, and the turning points inside those that stay whole."""
        h = (ends - starts)[:, None]
        times = [starts, *(starts + u * (ends - starts) for u in SAMPLE_POINTS), ends]
        laws = self._laws(np.concatenate(times))  # a call costs, not its times
        first, *inner, last = np.split(laws * self._weight[:, None], len(times))
        deviation, moved, before = np.zeros(len(starts)), np.zeros(len(starts)), first
        for u, look in zip(SAMPLE_POINTS, inner, strict=True):
            gap = np.abs(look[:, :, 0] - quintic_hermite(h, np.moveaxis(first, 2, 0), np.moveaxis(last, 2, 0), u))
            deviation = np.maximum(deviation, np.max(gap, axis=1))
        for look in (*inner, last):
            moved += np.max(np.abs(look[:, :, 0] - before[:, :, 0]), axis=1)
            before = look
        needed = np.where(moved > MAX_DRIVER_STEP, np.ceil(moved / FINE_STEP), 1.0)
        pieces = np.maximum(needed, np.where(deviation > MAX_DEVIATION, 4, 1))
        # What is as short as rounding of time is not divided any more: a law that jumps is refused elsewhere.
        pieces[h[:, 0] < 1e-12 * np.maximum(np.abs(ends), np.abs(starts))] = 1
        whole = pieces == 1
        rates = np.stack([look[whole, :, 1] for look in (first, *inner, last)])
        return pieces, self._turning_points(starts[whole], ends[whole], rates)

    def _turning_points(self, starts: Array, ends: Array, rates: Array) -> Array:
        """Times at which a rate changes its sign between two samples; a few calls of the laws for all of them."""
        # Rates of a dwell are rounding: what moves the driver by less than this is no motion.
        moving = np.abs(rates) * (ends - starts)[:, None] > 1e-9
        places = np.argwhere((rates[:-1] * rates[1:] < 0) & moving[:-1] & moving[1:])
        if not len(places):
            return np.zeros(0)
        k, row, driver = places.T
        at = np.concatenate([[0.0], SAMPLE_POINTS, [1.0]])
        low, high = (starts[row] + at[k + side] * (ends - starts)[row] for side in (0, 1))
        key = (low.tobytes(), high.tobytes(), driver.tobytes())
        found = self._turns.get(key)
        if found is None:
            below, above = (rates[j, row, driver] / self._weight[driver] for j in (k, k + 1))
            found = self._roots_of_rates(low, high, below, above, driver)
            if len(self._turns) < MOST_KEPT:
                self._turns[key] = found
        return found

    def _roots_of_rates(self, low: Array, high: Array, below: Array, above: Array, driver: Any) -> Array:
        """Times between `low` and `high`, at which the rate of a driver has different signs, where it is zero."""
        every = np.arange(len(low))
        for _ in range(MAX_SEARCHES):
            width = high - low
            if np.all(width <= 2 * np.spacing(np.maximum(np.abs(low), np.abs(high)))):
                break
            # The root of the chord, closely enclosed where the rate is nearly straight; the middle, where it is not.
            root = low + width * np.clip(below / (below - above), CLOSE, 1 - CLOSE)
            inside = np.column_stack([root - CLOSE * width, root, root + CLOSE * width, low + 0.5 * width])
            ends = np.sort(np.column_stack([low, inside, high]), axis=1)
            inner = self._laws(ends[:, 1:-1].ravel()).reshape(len(low), 4, -1, 3)[every, :, driver, 1]
            known = np.column_stack([below, inner, above])
            first = np.argmax(np.sign(known[:, 1:]) != np.sign(below)[:, None], axis=1)
            low, high = ends[every, first], ends[every, first + 1]
            below, above = known[every, first], known[every, first + 1]
        return 0.5 * (low + high)

    def _split(self, starts: Array, ends: Array, pieces: Array) -> tuple[Array, Array]:
        """Divide the intervals into equal parts."""
        total = float(np.sum(np.minimum(pieces, self._most + 1)))  # the sum of large numbers may be none
        self._count += int(total) if total <= self._most else self._most + 1
        if self._count > self._most:
            worst = int(np.argmax(pieces))
            raise ModelError(
                f"between t = {starts[worst]:g} and {ends[worst]:g} the drivers move too far to be followed: positions "
                f"{FINE_STEP:g} rad (or sizes) apart would be more than {self._most:,}",
                numbers={"t": float(starts[worst])},
                suggestion="Shorten the run, ask for more rows, or check the motion laws.",
            )
        counts = pieces.astype(int)
        number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        h = np.repeat((ends - starts) / counts, counts)
        first = np.repeat(starts, counts)
        upper = np.where(number + 1 == np.repeat(counts, counts), np.repeat(ends, counts), first + (number + 1) * h)
        return first + number * h, upper


BACK = 1e4  # tolerances by which the backward motion may end from the start
REFINEMENTS = (1, 8, 64)


def _solved_times(problem: KinematicProblem, grid: Array) -> tuple[Array, Array]:
    """The times to solve at, and the motion of the drivers there."""
    mechanism, chunk = problem.analysis.form.mechanism, problem.stepper.chunk

    def find() -> tuple[Array, Array]:
        turns: TurningPoints = of_same_laws(problem.model, "turning points", (grid, *laws), dict)
        times = refine_time_grid(problem.laws, problem.motion, problem.driver_weight, grid, chunk, turns)
        found = times.copy(), problem.motion(times)
        for one in found:
            one.setflags(write=False)
        return found

    laws = (mechanism.starts, mechanism.motion_factors)
    numbers = (grid, problem.driver_weight, *laws, np.array([float(chunk)]))
    return of_same_laws(problem.model, "times to solve", numbers, find)


def check_reversibility(problem: KinematicProblem, grid: Array) -> Reversibility:
    """Continue the motion over the grid and back, with shorter steps as long as it does not return to its start."""
    times, laws = _solved_times(problem, grid)
    rows = np.searchsorted(times, grid).astype(np.int32)
    settings, stepper, motion, state = problem.settings, problem.stepper, problem.motion, problem.state
    accepted = settings.same(BACK)
    same = settings.same(1000)
    crosser = BranchSwitch(motion, stepper, problem.weight, settings.branch == "other", settings.scale, problem.regular)
    for substeps in REFINEMENTS:
        stepper.solve_at(state[0], laws[0])
        fine = continue_motion(
            motion, stepper, times, state, substeps, problem.regular, same, crosser, settings.progress, laws
        )
        there = fine.select_rows(rows)
        last, done = there.states[there.reached], rows[: there.reached + 1]
        stepper.solve_at(last[0], laws[done[-1]])
        turned, led = times[: done[-1] + 1][::-1], np.ascontiguousarray(laws[: done[-1] + 1][::-1])
        back = continue_motion(motion, stepper, turned, last, substeps, problem.regular, same, crosser, laws=led)
        back = back.select_rows(done[-1] - done[::-1])
        apart = float(np.max(np.abs((back.states[back.reached][0] - there.states[0][0]) * problem.weight), initial=0.0))
        if apart <= accepted or fine.status == Status.step_limit:
            break
    return Reversibility(there, back, (times, fine), laws[rows], apart, apart <= accepted)


def ending_events(problem: KinematicProblem, grid: Array, trip: Reversibility) -> list[Event]:
    """Events that ended the motion early, if any: they decide the status of a run."""
    path = trip.there
    if path.status != Status.done:
        return [problem.stop_event(path)]
    events = _events_back(problem, grid, trip)
    if not trip.same and all(event.passed for event in events):
        events.append(_not_reversible_event(problem, float(grid[-1]), trip))
    return events


def _events_back(problem: KinematicProblem, grid: Array, trip: Reversibility) -> list[Event]:
    """Events of the backward motion, where the table contains it."""
    if not problem.settings.reverse:
        return []
    end = float(grid[-1])
    events = [problem.crossing_event(crossing, end) for crossing in trip.back.crossings if not crossing.unique]
    return [*events, problem.stop_event(trip.back, end)] if trip.back.status != Status.done else events


def _not_reversible_event(problem: KinematicProblem, end: float, trip: Reversibility) -> Event:
    """Event of a run that fails the reversibility check: run backwards it stops early, or ends on another branch."""
    if trip.back.status != Status.done:
        t = trip.back.stopped_at if np.isfinite(trip.back.stopped_at) else None
        reason, units = status_text(trip.back.status), problem.analysis.form.model.units
        fact = Note("events.stops_backwards", t=t, reason=reason, units=units)
    else:
        fact = Note("events.ends_elsewhere", apart=trip.apart)
    return Event("failure", end, problem.drivers_at(end), (), fact)
