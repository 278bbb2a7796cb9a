"""Between the rows of a run: the way is solved at any times, each reached from the row beside it.

No step goes over a change point: a time is reached from the row on its own side of it. Behind the last row the way goes
on up to where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.results import Column, Columns
from mubo.studies.motion.march import Path, march
from mubo.studies.motion.quintic import quintic
from mubo.studies.motion.way import Rows, Way

MOST_ASTRAY = 1.0  # radians of an angle between rows from what the rows around it say
Stretch = tuple[int, list[int]]  # a row, and the numbers of the times to be reached from it, nearest first


class Between:
    """Solves a way between the rows of the path that was run; `grid` are the output times."""

    def __init__(self, way: Way, grid: Array, path: Path) -> None:
        self._way, self._path, self._grid = way, path, grid[: path.reached + 1]
        self._crossed = np.sort(np.array([crossing.t for crossing in path.crossings], float))

    @property
    def last(self) -> float:
        """The last time that the way reached: that of its last row, or where it stopped."""
        stopped = self._path.status != Status.done and np.isfinite(self._path.stopped_at)
        return float(self._path.stopped_at if stopped else self._grid[-1])

    def rows(self, times: Array) -> Rows:
        """Rows at the times, in order. Times outside the run and those that cannot be reached are left out."""
        times = np.unique(np.asarray(times, float))
        times = times[(times >= self._grid[0]) & (times <= self.last)]
        states = np.full((len(times), *self._path.states.shape[1:]), np.nan)
        corrections, open_ = np.zeros(len(times), int), np.ones(len(times), bool)
        on_row = np.minimum(np.searchsorted(self._grid, times), len(self._grid) - 1)
        there = self._grid[on_row] == times
        states[there], open_[there] = self._path.states[on_row[there]], False
        for forward in (True, False):
            for row, numbers in self._stretches(times, np.flatnonzero(open_), forward):
                path = self._from(row, times[numbers])
                done = numbers[: path.reached]
                states[done], corrections[done] = path.states[1 : path.reached + 1], path.corrections[1 : len(done) + 1]
                open_[done] = False
        solved = ~open_
        states, motion = states[solved], self._way.motion(times[solved])
        return Rows(times[solved], states, motion, corrections[solved], self._way.absolute(states, motion))

    def columns(self, run: Columns, times: Array) -> Columns:
        """The columns of the run at the times, solved; the full turns of angles are those of the run."""
        found = self._way.columns(self.rows(times))
        if self._way.model.dimension == 2:  # its angles are unknowns, which go on from row to row
            return found
        return found.replaced({c.name: _counted(c, run, found) for c in run.of("joint") if _counts_turns(c)})

    def among(self, rows: Rows, times: Array) -> Rows:
        """The rows of the run with those at further times among them, all in order."""
        more = self.rows(np.setdiff1d(np.asarray(times, float), rows.t))
        at = np.searchsorted(rows.t, more.t)
        pairs = zip((getattr(rows, name) for name in FIELDS), (getattr(more, name) for name in FIELDS), strict=True)
        return Rows(*(np.insert(old, at, new, axis=0) for old, new in pairs))

    def _stretches(self, times: Array, wanted: Array, forward: bool) -> Iterator[Stretch]:
        """Times to be reached from the row before them, or backwards from the one after; none across a change point."""
        if not len(wanted):
            return
        row = np.searchsorted(self._grid, times[wanted], side="right") - (1 if forward else 0)
        inside = row < len(self._grid)
        wanted, row = wanted[inside], row[inside]
        low, high = (np.sort([times[wanted], self._grid[row]], axis=0)) if len(row) else (row, row)
        free = np.searchsorted(self._crossed, low, "right") == np.searchsorted(self._crossed, high, "left")
        wanted, row = wanted[free], row[free]
        for number in np.unique(row):
            yield int(number), list(wanted[row == number][:: 1 if forward else -1])

    def _from(self, row: int, times: Array) -> Path:
        """The way from a row to times that lie ahead of it or behind it."""
        way, settings, state = self._way, self._way.settings, self._path.states[row]
        ends = np.array([self._grid[row], *times])
        same = max(1e-6, 1000 * settings.tolerance / settings.scale)
        status, _ = way.stepper.at(state[0], way.motion(ends[:1])[0])
        if status != Status.done:  # the row is a change point
            return Path(state[None], np.zeros(1, int), 0)
        cross = way.crossing(lambda path, grid, time, state: False)
        return march(way.motion, way.stepper, ends, state, lambda done, total: None, 1, way.regular, same, cross)


def _counts_turns(column: Column) -> bool:
    return column.holds == "angle" and column.order == 0


def _counted(column: Column, run: Columns, found: Columns) -> Array:
    """An angle between rows with the full turns that its rates give it there; NaN where it does not go on from them."""
    names = [column.name, run.derivative(column.name)]
    names.append(run.derivative(names[1]) if names[1] else None)
    values = found.solved(column.name)
    if None in names or not len(values):
        return values
    t, at = run.solved("t"), found.solved("t")
    row = np.clip(np.searchsorted(t, at, side="right") - 1, 0, max(len(t) - 2, 0))
    motion = np.stack([run.solved(name) for name in names if name])
    h = t[row + 1] - t[row] if len(t) > 1 else np.ones(len(at))
    one, two = motion[:, row], motion[:, np.minimum(row + 1, len(t) - 1)]
    expected = quintic(h, one, two, (at - t[row]) / h)
    values = values + 2 * np.pi * np.round((expected - values) / (2 * np.pi))
    return np.where(np.abs(values - expected) < MOST_ASTRAY, values, np.nan)


FIELDS = ("t", "states", "motion", "corrections", "absolute")  # of Rows
