"""Extreme values of a run, also between its rows: least and greatest value of every quantity with their times.

The rows show in which steps an extreme may lie; there the motion itself is solved. So the result does not depend on the
rows, as long as they are close enough to show every extreme.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans, Integers
from mubo.laws.law import breaks_of
from mubo.mechanism.lengths import typical_length
from mubo.model import ModelDefinition
from mubo.numerics.extremum_search import (
    ExtremumSearch,
    Sample,
    SampleReader,
    find_stationary_point,
    maximize_bracketed,
    maximize_from_end,
    run_searches,
    samples_of,
)
from mubo.quantities.coherent_units import EFFORTS
from mubo.results import Columns, Event
from mubo.solvers.search.interpolation import interpolation_of
from mubo.solvers.search.reported_quantities import ChangePointValues, ReportedQuantity, rounding_floors
from mubo.solvers.search.resolved_samples import resolve_extremes

FEW = 20_000  # rows up to which every step is searched; of more only those around the largest
LEAST_PEAKS, MOST_PEAKS = 3, 8  # followed up for each extreme: always, and where estimates leave it open
FAR = 1e3  # sizes of the mechanism: a point that moves farther says nothing about the rounding of others
MOST_CORNERS = 100
SAME = 1e-13  # relative: values that differ by rounding
CLOSE = 1e-4 * np.arange(1, 5) ** 2  # of a step before a lock: √τ in equal steps
GROWS = 1.7  # by which a rate grows where the time to a lock falls to a fourth: 2 for 1/√τ
NEAR = 3e-7  # of the steps around it: accuracy of the time of an extreme that is searched by values alone
Solve = Callable[[Array], Columns]


class ExtremeValues:
    """Least and greatest value of each quantity along a run; `solve` gives its columns at other times, which are
    interpolated without it. `near` is the accuracy of the time of an extreme without rates, relative to the steps
    around it."""

    def __init__(
        self,
        model: ModelDefinition,
        columns: Columns,
        subjects: list[ReportedQuantity],
        solve: Solve | None,
        events: Sequence[Event] = (),
        near: float = NEAR,
    ) -> None:
        self._columns, self.subjects, self._near = columns, subjects, near
        self._solve, self._is_solved = solve or interpolation_of(columns), solve is not None
        self._t = columns.raw("t")
        self._reach = FAR * typical_length(model)
        self._more = self._beside_corners(model)
        fading = any(_is_lost_at_change_points(subject) for subject in subjects)
        self._changes = ChangePointValues(self._t, events if fading else (), self._solve)
        self._lock = next((event.t for event in events if event.kind == "limit"), None)

    def summarize(self) -> dict[str, dict[str, Any]]:
        """Extremes by name: `min` and `max`, each with its time, and `range`, in the model's units."""
        if not len(self._t) or not self.subjects:
            return {}
        ends = [_range_of_rows(subject.value(self._columns)) for subject in self.subjects]
        floors = rounding_floors(self.subjects, ends, self._reach)
        moving = np.array([high - low > floor for (low, high), floor in zip(ends, floors, strict=True)])
        t, samples = self._samples(moving)
        searches: list[tuple[ExtremumSearch, SampleReader]] = []
        owners: list[tuple[int, float]] = []
        for k in np.flatnonzero(moving).tolist():
            subject = self.subjects[k]
            for sign in (1.0,) if subject.size else (-1.0, 1.0):
                for search in self._searches(subject, t, sign * samples[k]):
                    searches.append((search, _signed_reader(subject, sign)))
                    owners.append((k, sign))
        places = search_columns(searches, self._solve)
        lock = self._before_lock()
        out = {}
        for k, (subject, (low, high)) in enumerate(zip(self.subjects, ends, strict=True)):
            floor = floors[k]
            if not np.isfinite(low):
                continue
            best = [Sample(float(self._t[0]), float(subject.value(self._columns)[0]))] * 2
            if high - low > floor:
                mine = {s: [p for p, owner in zip(places, owners, strict=True) if owner == (k, s)] for s in (-1.0, 1.0)}
                best = [self._best(subject, sign, mine[sign], lock) for sign in (-1.0, 1.0)]
            out[subject.name] = self._entry(subject, best, floor)
        return out

    def _samples(self, moving: Booleans) -> tuple[Array, Array]:
        """Times and samples of all quantities: at the rows, around the largest where these are many, and between them
        where they may hide an extreme."""
        count = len(self._t)
        if count <= FEW and self._is_solved:
            return resolve_extremes(self._t, self._read(self._columns), moving, self._solve_samples)
        return self._t, self._read(self._columns)

    def _solve_samples(self, times: Array) -> tuple[Array, Array]:
        found = self._solve(times)
        reached = found.raw("t")
        return reached, self._read(found) if len(reached) else np.zeros((len(self.subjects), 3, 0))

    def _read(self, columns: Columns) -> Array:
        """Quantities × (value, rate, acceleration) × times, without values that are lost beside a change point."""
        data, t = np.stack([subject.read(columns) for subject in self.subjects]), columns.raw("t")
        for line, subject in zip(data, self.subjects, strict=True):
            if _is_lost_at_change_points(subject):
                line[0] = self._changes.clear(t, line[0])
        return data

    def _searches(self, subject: ReportedQuantity, t: Array, data: Array) -> list[ExtremumSearch]:
        """Searches where samples show that a quantity may be largest between them."""
        if len(t) > FEW and np.any(np.isfinite(data[0])):
            k = int(np.nanargmax(data[0]))
            around = slice(max(k - 1, 0), k + 2)
            t, data = t[around], data[:, around]
        if subject.rate:
            return _searches_by_rate(t, data)
        # Steps with a change point in them are not searched.
        return _searches_by_value(
            t, data[0], self._changes.steps(t) if _is_lost_at_change_points(subject) else set(), self._near
        )

    def _row_values(self, subject: ReportedQuantity, sign: float) -> Array:
        """± the quantity at the rows, without those lost to rounding beside a change point."""
        value = sign * subject.value(self._columns)
        return self._changes.clear(self._t, value) if _is_lost_at_change_points(subject) else value

    def _beside_corners(self, model: ModelDefinition) -> Columns | None:
        """Columns on both sides of corners of the laws, where rates and accelerations may jump."""
        if len(self._t) < 2:
            return None
        start, end = float(self._t[0]), float(self._t[-1])
        times = np.concatenate([np.zeros(0), *(breaks_of(d.motion, start, end) for d in model.drivers.values())])
        if not 0 < len(times) <= MOST_CORNERS:
            return None
        aside = 1e-9 * (end - start)
        return self._solve(np.concatenate([times - aside, times, times + aside]))

    def _before_lock(self) -> Columns | None:
        """Columns shortly before the position in which the motion locked."""
        if self._lock is None or len(self._t) < 2:
            return None
        step = min(float(self._t[1] - self._t[0]), self._lock - float(self._t[0]))
        found = self._solve(np.asarray(self._lock - step * CLOSE, float))
        return found if len(found.raw("t")) == len(CLOSE) else None

    def _best(self, subject: ReportedQuantity, sign: float, places: list[Sample], lock: Columns | None) -> Sample:
        """Largest of ± the quantity, of the rows, the searches, corners, change points and a lock."""
        value = self._row_values(subject, sign)
        top = float(np.nanmax(value))
        k = int(np.argmax(value >= top - SAME * abs(top)))  # the first row that is as high
        every = [Sample(float(self._t[k]), float(value[k])), *places]
        if self._more is not None and len(self._more.raw("t")):
            beside = sign * subject.value(self._more)
            if np.any(np.isfinite(beside)):
                k = int(np.nanargmax(beside))
                every.append(Sample(float(self._more.raw("t")[k]), float(beside[k])))
        if lock is not None and self._lock is not None:
            near = sign * subject.value(lock)[::-1]  # nearest first
            if subject.order == 0:  # a cubic in √τ, which is what a coordinate is before a lock
                every.append(Sample(self._lock, float(near @ [4.0, -6.0, 4.0, -1.0])))
            elif near[0] > 0 and near[0] > GROWS * near[1] > 0:
                every.append(Sample(self._lock, np.inf))
        if _is_lost_at_change_points(subject):
            every += self._changes.places(lambda found: sign * subject.value(found))
        if _is_force(subject) and (sign > 0 or not (subject.size or subject.name.endswith(".f"))):  # a size has no sign
            every += self._changes.infinite(subject.name.partition(".")[0])
        every = [place for place in every if not np.isnan(place.value)]
        top = max(place.value for place in every)
        # Of samples that differ by rounding the first counts, and rows before positions beside them.
        highest = [place for place in every if place.value == top or place.value >= top - SAME * abs(top)]
        first = min(highest, key=lambda place: place.t)
        return Sample(self._on_row(first.t), sign * top)

    def _on_row(self, t: float) -> float:
        """The time itself, or that of a row that equals it up to rounding."""
        k = int(np.clip(np.searchsorted(self._t, t), 1, len(self._t) - 1)) if len(self._t) > 1 else 0
        close = [r for r in (k - 1, k) if abs(self._t[r] - t) <= 1e-9 * abs(self._t[k] - self._t[k - 1])]
        return float(self._t[close[0]]) if close else t

    def _entry(self, subject: ReportedQuantity, best: list[Sample], floor: float) -> dict[str, Any]:
        factor, unit, _ = self._columns.units.unit(subject.holds, subject.order)
        low, high = ((0.0 if abs(place.value) <= floor else place.value) / factor for place in best)
        more = {"holds": subject.holds, **({"unit": unit} if unit else {})}
        if subject.size:
            return {"max": [high, best[1].t], **more}
        return {"min": [low, best[0].t], "max": [high, best[1].t], "range": high - low, **more}


def _range_of_rows(values: Array) -> tuple[float, float]:
    if not np.any(np.isfinite(values)):
        return np.nan, np.nan
    return float(np.nanmin(values)), float(np.nanmax(values))


def _signed_reader(subject: ReportedQuantity, sign: float) -> SampleReader:
    return lambda found: sign * subject.read(found)


def search_columns(searches: Sequence[tuple[ExtremumSearch, SampleReader]], solve: Solve) -> list[Sample]:
    """Run searches on the columns of a motion."""

    def solve_at(times: Array) -> tuple[Array, Columns]:
        found = solve(times)
        return found.raw("t"), found

    return run_searches(searches, solve_at)


def _searches_by_rate(t: Array, data: Array) -> list[ExtremumSearch]:
    """Searches in the steps in which the rate falls through zero, most promising first."""
    value, rate, _ = data
    with np.errstate(invalid="ignore"):
        steps = np.flatnonzero((rate[:-1] > 0) & (rate[1:] < 0))
    if not len(steps):
        return []
    # A rate that falls in a straight line lifts the value by half its height times the time to its zero.
    up, down, h = rate[steps], -rate[steps + 1], np.diff(t)[steps]
    rise, fall = (0.5 * h * side * (side / (up + down)) for side in (up, down))
    before, after = value[steps] + rise, value[steps + 1] + fall
    doubt = np.abs(before - after) + np.maximum(rise, fall)
    chosen = steps[_most_promising(np.maximum(before, after), doubt)]
    return [find_stationary_point(samples_of(t, data, (step, step + 1))) for step in chosen]


def _is_lost_at_change_points(subject: ReportedQuantity) -> bool:
    """Whether rounding hides the quantity beside a change point: accelerations and forces."""
    return _is_force(subject) or subject.order == 2


def _is_force(subject: ReportedQuantity) -> bool:
    return subject.holds in EFFORTS or "mass" in subject.holds


def _searches_by_value(t: Array, value: Array, barred: set[int], near: float) -> list[ExtremumSearch]:
    """Searches by values alone, none in a barred step.

    Where a time is repeated, as where a motion is reversed, the quantity may have a corner or jump: a piece
    of rows ends there.
    """
    first = np.concatenate([[0], 1 + np.flatnonzero(np.diff(t) == 0), [len(t)]])
    return [
        search
        for start, end in pairwise(first)
        for search in _searches_of_piece(t[start:end], value[start:end], {step - int(start) for step in barred}, near)
    ]


def _searches_of_piece(t: Array, value: Array, barred: set[int], near: float) -> list[ExtremumSearch]:
    """Searches around rows that are higher than their neighbours, most promising first, and from the ends."""
    with np.errstate(invalid="ignore"):
        rows = 1 + np.flatnonzero((value[1:-1] >= value[:-2]) & (value[1:-1] > value[2:])).astype(np.int32)
    rows = rows[[not barred & {int(row) - 1, int(row)} for row in rows]] if barred else rows
    if not len(rows):
        return _searches_at_ends(t, value, barred)
    rise, drop = _rise_to_vertex(t, value, rows), value[rows] - np.minimum(value[rows - 1], value[rows + 1])
    chosen = rows[_most_promising(value[rows] + rise, np.maximum(rise, 0.25 * drop))]
    brackets = [samples_of(t, value, (row - 1, row, row + 1)) for row in chosen]
    return [*(maximize_bracketed(three, close=near) for three in brackets), *_searches_at_ends(t, value, barred)]


def _searches_at_ends(t: Array, value: Array, barred: set[int]) -> list[ExtremumSearch]:
    """Searches from the first and the last row, where it is higher than the one beside it."""
    pairs = [(0, 1), (len(t) - 1, len(t) - 2)] if len(t) > 1 else []
    falling = [(end, beside) for end, beside in pairs if min(end, beside) not in barred and value[end] > value[beside]]
    return [maximize_from_end(*samples_of(t, value, pair)) for pair in falling]


def _rise_to_vertex(t: Array, value: Array, rows: Integers) -> Array:
    """Height of the vertex of the parabola through each row and its neighbours, which are lower, above the row."""
    before, after = t[rows] - t[rows - 1], t[rows + 1] - t[rows]
    up, down = (value[rows] - value[rows - 1]) / before, (value[rows + 1] - value[rows]) / after
    slope, bend = (up * after + down * before) / (before + after), 2 * (down - up) / (before + after)
    return np.asarray(np.nan_to_num(-0.5 * slope**2 / bend))


def _most_promising(estimate: Array, doubt: Array) -> Integers:
    """Numbers of the searches that may find the largest value, by estimates and what they may be wrong by; the highest
    first, earlier ones first where they differ by little."""
    size = 1e-6 * float(np.max(np.abs(estimate))) or 1.0
    order = np.argsort(-np.round(estimate / size), kind="stable")
    possible = order[LEAST_PEAKS:][(estimate + doubt)[order[LEAST_PEAKS:]] >= np.max(estimate) - size]
    return np.concatenate([order[:LEAST_PEAKS], possible])[:MOST_PEAKS].astype(np.int32)
