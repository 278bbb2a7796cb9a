"""Rows added for drawing, never for tables: where a curve through the run's own rows would not show what happens.

They are solved like the others, by the record's `between`; a simulation, whose record has none, is drawn as it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Integers
from mubo.results import Columns, Run
from mubo.view.curves import curve, monotone, scales
from mubo.view.decimate import MOST

ROUNDS = 4  # times that a step is halved, at most
ROOM = 4  # rows in the drawing for each of the run's, at most
FEW = 200  # rows of a drawing that may always be added
COARSE = 0.01  # of a column's range: what a chord may miss of the integral of its slope
BENT = 0.01  # of the range of a rate: how far its mean over a step may lie from that of its ends
TOGETHER = 1_000  # columns that are judged at a time
FLAT = 1e-6  # of the largest number of its kind: a column that changes by less needs no rows
CLOSING = 2.0 ** -np.arange(1, 9)  # parts of a step, closer and closer to an event


def drawn_rows(run: Run) -> Run:
    """The run with rows added among its own; `own_rows` tells those apart."""
    solve, t = run.record.between, run["t"]
    if solve is None or len(t) < 2 or len(t) > MOST // ROOM:
        return run
    out, wanted = run, _near_events(run)
    for _ in range(ROUNDS + 1):
        if len(out) + len(wanted) > ROOM * len(t) + FEW:
            break
        out = _with(out, solve(wanted)) if len(wanted) else out
        wanted = _middles(out)
        if not len(wanted):
            break
    return out


def own_rows(run: Run, drawn: Run) -> Integers:
    """The numbers of the run's own rows among those that are drawn."""
    return np.searchsorted(drawn["t"], run["t"]).astype(np.int32)


def _near_events(run: Run) -> Array:
    """Times closer and closer to what happened, on both sides, within the rows."""
    t, wanted = run["t"], [np.zeros(0)]
    for event in run.events:
        k = int(np.clip(np.searchsorted(t, event.t), 1, len(t) - 1))
        step = t[k] - t[k - 1]
        wanted += [event.t - step * CLOSING, event.t + step * CLOSING]
    times = np.concatenate(wanted)
    return np.unique(times[(times > t[0]) & (times < t[-1])])


def _middles(run: Run) -> Array:
    """The middles of steps in which a column changes otherwise than the slopes at its rows say."""
    t = run["t"]
    h, scale = np.diff(t), scales(run)
    rates = ((name, run.columns.derivative(name)) for name in run.columns)
    pairs = [(name, rate) for name, rate in rates if rate is not None]
    rough = np.zeros(len(h), bool)
    for first in range(0, len(pairs), TOGETHER):
        some = pairs[first : first + TOGETHER]
        y, v = (np.array([run[pair[k]] for pair in some]) for k in (0, 1))
        flat, slow = (FLAT * np.array([scale[pair[k]] for pair in some]) for k in (0, 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            missed = np.abs(np.diff(y) / h - (v[:, 1:] + v[:, :-1]) / 2)
            rough |= np.any(missed * h > COARSE * np.maximum(_ranges(y), flat)[:, None], axis=0)
            rough |= np.any(missed > BENT * np.maximum(_ranges(v), slow)[:, None], axis=0)
    return np.asarray((t[:-1] + h / 2)[rough & (h > 1e-9 * (t[-1] - t[0]))])


def _ranges(lines: Array) -> Array:
    """Greatest minus least finite value of each line; zero where it has none."""
    known = np.isfinite(lines)
    most, least = np.max(lines, 1, where=known, initial=-np.inf), np.min(lines, 1, where=known, initial=np.inf)
    return np.asarray(np.where(known.any(axis=1), most - least, 0.0))


def _with(run: Run, more: Columns) -> Run:
    """Rows of `more` among those of the run; of a column that has no value there, its curve between the rows."""
    t = run.columns.solved("t")
    new = ~np.isin(more.solved("t"), t)
    times = more.solved("t")[new]
    if not len(times):
        return run
    at = np.searchsorted(t, times)
    values = {}
    for name in run.columns:
        old = run.columns.solved(name)
        added = more.solved(name)[new] if name in more else np.interp(times, *curve(t, old, monotone(t, old)))
        values[name] = np.insert(old, at, added, axis=0)
    return replace(run, columns=run.columns.replaced(values))
