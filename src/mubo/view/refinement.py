"""Rows for drawing: solved among those of a run, and behind them to where it stopped, until every curve is true.

Rows are added where those of the run do not determine the curve of a column (see `curves`). A column that cannot be
solved there has no values, and is drawn as dots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Integers, distinct, is_among
from mubo.numerics.curve_errors import INSTANT, curve_errors
from mubo.results import Column, Columns, Run
from mubo.results.rounding import clear_rounding
from mubo.view.curves import known_rates, range_tolerances
from mubo.view.painters.decimation import MOST_ROWS

ROUNDS, PIECES = 9, 2  # how often a step is divided, at most, and into how many
REPEATS, REPEATED = 2, 8  # likewise where the whole run is repeated for it
ROOM = 4  # rows in the drawing for each of the run's, at most
FEW = 400  # rows of a drawing that may always be added
MOST_NUMBERS = (
    500_000  # in all columns of a drawing with added rows: of hundreds of columns the worst steps are divided
)
TOGETHER = 400_000  # numbers that are judged at a time
CLOSING = 2.0 ** -np.arange(1, 9)  # parts of a step, closer and closer to an event
LOCKING = 2.0 ** -np.arange(1, 17)  # likewise to a lock, towards which positions go with the root of the time left
BOUNDED = 1 / 8  # of a step before a lock: closer to it only positions are drawn, for rates grow beyond all bounds
PLACED = ("body", "point", "joint", "vector", "driver")  # kinds of columns that have positions

Solve = Callable[[Array], Columns]


def refine_rows(run: Run, names: Sequence[str] | None = None, times: Sequence[float] = ()) -> Run:
    """The run with rows added among its own, so that the curves of the named columns are true (of all, if left out).

    Rows at the given times are among them. `original_rows` finds the run's own again.
    """
    solve, t = run.record.between or run.record.repeat, run["t"]
    # the error of an integration has no curve between its rows
    asked = run.columns if names is None else names
    names = [name for name in asked if run.columns.column(name).quantity != "error"]
    if solve is None or len(t) == 0 or not (names or times):
        return run
    rounds, pieces = (REPEATS, REPEATED) if run.record.between is None else (ROUNDS, PIECES)
    out = _insert_rows(run, solve(np.asarray(times, float))) if len(times) else run
    most = min(ROOM * len(t) + FEW, MOST_ROWS, max(MOST_NUMBERS // len(run.columns), FEW))
    if len(t) < 2 or len(t) >= most:
        return out
    solve = _positions_near_lock(run, solve)
    solved = run.record.solved_times
    wanted = _thin(distinct(np.append(_near_events(run), solved[~is_among(solved, t)])), most - len(t))
    if run.record.between is None:  # the first repetition has all that is known to be wanted
        wanted = distinct(np.append(wanted, _rough_times(out, names, most - len(out) - len(wanted), pieces)))
    for _ in range(rounds):
        out = _insert_rows(out, solve(wanted)) if len(wanted) else out
        wanted = _rough_times(out, names, most - len(out), pieces)
        if not len(wanted):
            break
    return out


def pose_columns(run: Run) -> list[str]:
    """The columns that the drawing of the mechanism moves by: places and angles of bodies and points."""
    return [c.name for kind in ("body", "point") for c in run.columns.of_kind(kind) if c.order == 0]


def original_rows(run: Run, drawn: Run) -> Integers:
    """The numbers of the run's own rows among those that are drawn."""
    rows, own = np.searchsorted(drawn["t"], run["t"]), run["t"]
    again = np.append(False, own[1:] == own[:-1]) if len(own) else np.zeros(0, bool)  # two rows at one time
    return np.asarray(rows + again, np.int32)


def _thin(times: Array, most: int) -> Array:
    """At most so many of the times, evenly."""
    return times[:: -(-len(times) // most)] if len(times) > most > 0 else times


def _near_events(run: Run) -> Array:
    """Times closer and closer to each event, on both sides, within the rows and up to where the motion stopped."""
    t, wanted, lock = run["t"], [np.zeros(0)], _lock(run)
    for event in run.events:
        k = int(np.clip(np.searchsorted(t, event.t), 1, len(t) - 1))
        step = t[k] - t[k - 1]
        parts = LOCKING if event.t == lock else CLOSING
        wanted += [event.t - step * parts, event.t + step * parts]
    times = np.concatenate(wanted)
    return distinct(times[(times > t[0]) & (times < (t[-1] if lock is None else lock))])


def _lock(run: Run) -> float | None:
    """The time behind the last row at which the motion locked."""
    locks = [event.t for event in run.events if event.kind == "limit" and not event.passed]
    return next((time for time in locks if time > run["t"][-1]), None)


def _positions_near_lock(run: Run, solve: Solve) -> Solve:
    """The solution without the rates and forces that grow beyond all bounds shortly before a lock."""
    lock, t = _lock(run), run.columns.raw("t")
    if lock is None:
        return solve
    near = lock - BOUNDED * (t[-1] - t[-2])

    def bounded(times: Array) -> Columns:
        found = solve(times)
        late = found.raw("t") > max(near, t[-1])
        grow = [c.name for c in found.schema if c.name != "t" and not (c.kind in PLACED and _is_position(c))]
        return found.replaced({name: np.where(late, np.nan, found.raw(name)) for name in grow}) if late.any() else found

    return bounded


def _is_position(column: Column) -> bool:
    return column.order == 0 and column.quantity not in ("effort", "power")


def _rough_times(run: Run, names: Sequence[str], most: int, pieces: int) -> Array:
    """Times that divide the steps in which the curve of a column may be wrong, the worst where they are many."""
    t = run["t"]
    h, block, worst = np.diff(t), max(TOGETHER // len(t), 1), np.zeros(len(t) - 1)
    for first in range(0, len(names), block):
        some = names[first : first + block]
        scales = np.array([run.columns.scale(name) for name in some])
        y = np.array([clear_rounding(run[name], scale) for name, scale in zip(some, scales, strict=True)])
        errors = curve_errors(t, y, np.array([known_rates(run, name) for name in some]))
        with np.errstate(invalid="ignore", divide="ignore"):
            parts = np.nan_to_num(errors / range_tolerances(y, scales)[:, None], nan=0.0, posinf=np.inf)
        worst = np.maximum(worst, np.max(parts, axis=0, initial=0.0))
    rough = np.flatnonzero((worst > 1) & (h > INSTANT * (t[-1] - t[0])))
    if len(rough) * (pieces - 1) > most:
        rough = np.sort(rough[np.argsort(-worst[rough], kind="stable")[: max(most // (pieces - 1), 0)]])
    return np.asarray((t[:-1, None] + h[:, None] * np.arange(1, pieces) / pieces)[rough].ravel())


def _insert_rows(run: Run, more: Columns) -> Run:
    """Inserts the rows of `more` into the run; a column that it does not have has no values there."""
    t = run.columns.raw("t")
    beside = np.clip(np.searchsorted(t, more.raw("t")) + np.array([[-1], [0]]), 0, len(t) - 1)
    new = np.min(np.abs(more.raw("t") - t[beside]), axis=0) > INSTANT * (t[-1] - t[0])
    times = more.raw("t")[new]
    if not len(times):
        return run
    at = np.searchsorted(t, times)
    values = {}
    for name in run.columns:
        added = more.raw(name)[new] if name in more else np.full(len(times), np.nan)
        values[name] = np.insert(run.columns.raw(name), at, added, axis=0)
    return replace(run, columns=run.columns.replaced(values))
