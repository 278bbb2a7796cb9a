"""Worst transmission along a motion, also between rows, and near-singular positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.numerics.extremum_search import (
    ExtremumSearch,
    Sample,
    SampleReader,
    known_extremum,
    maximize_around_rows,
    maximize_bracketed,
    run_searches,
    samples_of,
    value_reader,
)
from mubo.results import Column, Event
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.continuation.steppers import ContinuationResult
from mubo.solvers.kinematics.bifurcation import BranchSwitch
from mubo.solvers.kinematics.dense_output import COSTLY, DenseOutput
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows, Reversibility
from mubo.solvers.transmission.transmission import (
    GroupTransmission,
    Transmission,
    TransmissionSample,
)

RISE = 1.02  # ratio by which σ rises between two near-singular positions
MOST_LOOKS = 45
MAX_GROUPS = 20  # in the summary, worst first; of a large mechanism only the worst
MAX_LIMIT_SEARCHES = 20  # near-singular positions of a run from which limits are searched
AHEAD = 0.5  # radians, or sizes of the mechanism, within which a limit is searched
STILL = 1e-9  # radians, or sizes: a driver that moves by less is at rest
EACH = 3  # columns of a driver: value, rate, acceleration


class WorstTransmission(NamedTuple):
    """Worst transmission of a group, and its least and greatest transmission angle (NaN where it has none)."""

    place: TransmissionSample
    least: float
    greatest: float


class MotionTransmission:
    """Transmission of all groups along the forward motion, searched on its rows and between them."""

    def __init__(self, problem: KinematicProblem, times: Array, path: ContinuationResult, between: DenseOutput) -> None:
        self.motion, self._path, self._between, self._problem = problem.motion, path, between, problem
        rows = self._times = times[: path.reached + 1]
        self._crossed = np.array([crossing.t for crossing in path.crossings if not crossing.unique])
        self.transmission = problem.transmission(path.states[: len(rows)], problem.motion(rows))
        small = len(problem.weight) <= COSTLY
        self.most = MAX_GROUPS if small else 1
        self.misses = self._near_singular_positions()
        for k, miss in enumerate(self.misses[:MAX_LIMIT_SEARCHES] if small else ()):
            self.misses[k] = replace(miss, left=remaining_travel(problem, rows, miss.t, miss.x))

    def worst(self) -> tuple[list[WorstTransmission], int]:
        """Worst transmission of the worst groups, worst first, and the number of all groups."""
        groups, count = self.transmission.worst(self.most)
        found = run_searches([self._extreme(group, sign) for group in groups for sign in (-1.0, 1.0)], self._solve)
        places = []
        for group, low, high in zip(groups, found[::2], found[1::2], strict=True):
            ends = [self._extreme_sample(group, low, -1.0), self._extreme_sample(group, high, 1.0)]
            located = [miss for miss in self.misses if miss.group.name == group.name]
            every = [*(ends if group.angle is not None else ends[:1]), *located, *self._at_singularities(group)]
            angles = [place.angle for place in (*ends, *every)]
            places.append(WorstTransmission(min(every, key=lambda place: place.grade), min(angles), max(angles)))
        return sorted(places, key=lambda worst: worst.place.grade), count

    def _extreme(self, group: GroupTransmission, sign: float) -> tuple[ExtremumSearch, SampleReader]:
        """Search for the largest of ± the angle of a group, or ±σ, from the row where that is largest."""
        t, values = self._times[group.at], sign * (group.sigma if group.angle is None else group.angle)
        k, last = int(np.argmax(values)), len(values) - 1
        crossed = self._crosses(group.at[max(k - 1, 0)], group.at[min(k + 1, last)])
        known = crossed or (sign > 0 and group.angle is None)
        search = known_extremum(samples_of(t, values, [k])[0]) if known else maximize_around_rows(t, values)
        number = 0 if group.angle is None else 1  # σ or the angle
        return search, value_reader(lambda rows: sign * group.evaluate(rows.states[:, 0], rows.motion)[number])

    def _extreme_sample(self, group: GroupTransmission, place: Sample, sign: float) -> TransmissionSample:
        if group.angle is None:
            return TransmissionSample(group, place.t, sign * place.value, np.nan, np.zeros(0))
        return TransmissionSample(group, place.t, float(np.min(group.sigma)), sign * place.value, np.zeros(0))

    def _solve(self, times: Array) -> tuple[Array, MotionRows]:
        rows = self._between.rows(times)
        return rows.t, rows

    def _near_singular_positions(self) -> list[TransmissionSample]:
        """Near-singular positions: every local minimum of σ below the threshold, change points excepted."""
        out: list[TransmissionSample] = []
        for block in self.transmission.blocks:
            dips: dict[int, list[int]] = {}  # of each group: the lines of its minima
            brackets: dict[int, list[tuple[int, ...]]] = {}  # and the rows around them
            for number, k in block.dips():
                last = dips.setdefault(number, [])
                values = block.sigma[last[-1] if last else 0 : k + 1, number]
                if last and np.max(values) < RISE * max(values[0], values[-1]):
                    continue  # during a dwell rounding makes many minima of one
                last.append(k)
                rows = tuple(int(row) for row in block.at[k - 1 : k + 2])
                if not self._crosses(rows[0], rows[2]):
                    brackets.setdefault(number, []).append(rows)
            for number, around in brackets.items():
                minima = self._locate_minima(block.measured(number), around)
                out += (place for place in minima if place.sigma < block.near)
        return sorted(out, key=lambda place: place.t)

    def _at_singularities(self, group: GroupTransmission) -> list[TransmissionSample]:
        """Transmission of the group at the change points that were passed and where the motion stopped."""
        places = [(crossing.t, crossing.x) for crossing in self._path.crossings]
        if self._path.status != Status.done:
            places.append((self._path.stopped_at, self._path.stopped_state[0]))
        if not places:
            return []
        return self._at(group, np.array([t for t, _ in places]), np.array([x for _, x in places]))

    def _crosses(self, before: int, after: int) -> bool:
        """Whether a change point lies between two rows, or on one of them."""
        low, high = sorted((float(self._times[before]), float(self._times[after])))
        slack = 1e-9 * (high - low)
        return bool(np.any((self._crossed >= low - slack) & (self._crossed <= high + slack)))

    def _locate_minima(self, group: GroupTransmission, brackets: list[tuple[int, ...]]) -> list[TransmissionSample]:
        """Minima of σ around some rows, each bracketed by three rows: singular positions that one motion alone passes,
        else by search."""
        singular = [self._singular_position(rows) for rows in brackets]
        at = [place for place in singular if place is not None]
        known = self._at(group, np.array([t for t, _ in at]), np.array([x for _, x in at])) if at else []
        others = [rows for rows, place in zip(brackets, singular, strict=True) if place is None]
        return [*known, *(self._search_minima(group, others) if others else ())]

    def _singular_position(self, rows: tuple[int, ...]) -> tuple[float, Array] | None:
        """Time and unknowns of a singular position between the outer two of three rows, or None.

        Redundant equations lose their rank where no motion crosses and no sign changes; σ cannot be searched there,
        for the motion is not solved close to it.
        """
        if not self._problem.analysis.diagnosis.dependent or len(self._problem.weight) > COSTLY:
            return None
        from mubo.solvers.continuation.bifurcation_normal_form import find_bifurcation, reduced_equation

        problem, (first, middle, last) = self._problem, rows
        reduction = reduced_equation(self.motion, problem.stepper, problem.weight, self._path, self._times)
        found = find_bifurcation(reduction, float(self._times[middle]), self._path.states[middle][0])
        if found is None or not self._times[first] <= found.t <= self._times[last]:
            return None
        return found.t, found.x

    def _search_minima(self, group: GroupTransmission, brackets: list[tuple[int, ...]]) -> list[TransmissionSample]:
        """Minima of σ² around some rows, each bracketed by three rows, by search."""
        rows = sorted({row for around_row in brackets for row in around_row})
        places = dict(zip(rows, self._at(group, self._times[rows], self._path.states[rows][:, 0]), strict=True))
        solved = {place.t: place.x for place in places.values()}

        def value(rows: MotionRows) -> Array:
            solved.update(zip(rows.t.tolist(), rows.states[:, 0], strict=True))
            return np.asarray(-(group.evaluate(rows.states[:, 0], rows.motion)[0] ** 2))

        threes = [[Sample(places[row].t, -(places[row].sigma ** 2)) for row in around_row] for around_row in brackets]
        read = value_reader(value)
        searches = [(maximize_bracketed(three, looks=MOST_LOOKS, close=1e-9), read) for three in threes]
        found = [place.t for place in run_searches(searches, self._solve)]
        return self._at(group, np.array(found), np.array([solved[t] for t in found]))

    def _at(self, group: GroupTransmission, times: Array, x: Array) -> list[TransmissionSample]:
        sigma, angle = group.evaluate(x, self.motion(times))
        numbers = zip(times.tolist(), sigma.tolist(), angle.tolist(), x, strict=True)
        return [TransmissionSample(group, t, least, at, place) for t, least, at, place in numbers]


def transmission_columns(transmission: Transmission, count: int) -> Iterator[tuple[Column, Array]]:
    """Columns `transmission.G.angle` of dyads and `transmission.G.singular_value` of other groups at so many rows; NaN
    where not measured."""
    for group in _groups(transmission):
        values = np.full(count, np.nan)
        values[group.at] = group.sigma if group.angle is None else group.angle
        yield _column(group), values


def solve_transmission_columns(
    transmission: Transmission, states: Array, motion: Array
) -> Iterator[tuple[Column, Array]]:
    """Columns of transmission at other rows, with the scaling of those at which it was measured."""
    for group in _groups(transmission):
        sigma, angle = group.evaluate(states[:, 0], motion)
        yield _column(group), sigma if group.angle is None else angle


def _groups(transmission: Transmission) -> Iterator[GroupTransmission]:
    for block in transmission.blocks:
        yield from (block.measured(k) for k in range(block.sigma.shape[1]))


def _column(group: GroupTransmission) -> Column:
    name = f"transmission.{group.short}.{group.measure}"
    holds = "number" if group.angle is None else "angle"
    return Column(name, "transmission", group.short, group.measure, 0, holds)


def passed_events(problem: KinematicProblem, trip: Reversibility, quality: MotionTransmission) -> list[Event]:
    """Change points and near-singular positions that the motion passed, in the order of time."""
    events = [problem.crossing_event(crossing) for crossing in trip.there.crossings if not crossing.unique]
    events += [problem.near_singularity_event(quality.transmission, miss) for miss in quality.misses]
    return sorted(events, key=lambda event: event.t)


def remaining_travel(problem: KinematicProblem, times: Array, t: float, x: Array) -> dict[str, float]:
    """Remaining travel of every driver to its limit where it turned back, in its own unit.

    The unknowns are x at the time t; `times` are those at which the motion was solved. Empty where no driver turns back
    there, or where nothing locks within AHEAD.
    """
    line = problem.motion(np.array([t]))[0]
    k = int(np.searchsorted(times, t))
    beside = np.array([times[max(k - 1, 0)], times[min(k + (times[min(k, len(times) - 1)] == t), len(times) - 1)]])
    before, after = problem.motion(beside)[:, ::EACH] * problem.driver_weight
    came, back = (line[::EACH] * problem.driver_weight - value for value in (before, after))
    out = {}
    for driver, name in enumerate(problem.driver_values(line)):
        ends = np.array([came[driver], back[driver]])
        ends[np.abs(ends) < STILL] = 0.0
        if ends.any() and ends[0] * ends[1] >= 0:  # it turns back here, or is at rest before or after
            left = _drivers_at_limit(problem, (t, x), driver, float(np.sign(ends.sum())))
            if left is not None:
                out[name] = abs(problem.driver_values(left)[name] - problem.driver_values(line)[name])
    return out


def _drivers_at_limit(
    problem: KinematicProblem, place: tuple[float, Array], driver: int, forward: float
) -> Array | None:
    """Drivers at the limit to which one of them leads while the others are fixed; None where none is near."""
    t, x = place
    line = problem.motion(np.array([t]))[0]

    def motion(distances: Array) -> Array:
        lines = np.zeros((len(distances), len(line)))
        lines[:, ::EACH] = line[::EACH]
        unit = forward / float(problem.driver_weight[driver])
        lines[:, EACH * driver] += unit * distances
        lines[:, EACH * driver + 1] = unit
        return lines

    def regular(state: Array, time: float) -> bool:
        return problem.regular(state, t)

    settings, ends = problem.settings, np.array([0.0, AHEAD])
    status, state = problem.stepper.solve_at(x, motion(ends)[0])
    if status != Status.done:
        return None
    same = settings.same(1000)
    cross = BranchSwitch(motion, problem.stepper, problem.weight, False, settings.scale, regular)
    path = continue_motion(motion, problem.stepper, ends, state, same=same, cross=cross)
    if path.status == Status.done or path.crossings or regular(path.stopped_state, t):
        return None
    return np.asarray(motion(np.array([path.stopped_at]))[0])
