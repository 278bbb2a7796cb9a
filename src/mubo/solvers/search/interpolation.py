"""Interpolation of columns between rows, for runs that cannot be solved again there: simulations.

A column with two derivatives is the quintic through them, one with one the cubic, others the cubic through four rows:
exact to the sixth and fourth order of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.arrays import Array, Integers
from mubo.numerics.quintic import quintic_hermite
from mubo.results import Columns


def interpolation_of(run: Columns) -> Callable[[Array], Columns]:
    """A function from times to the columns of a run interpolated there."""
    return lambda times: interpolate_columns(run, times)


def interpolate_columns(run: Columns, times: Array, names: Sequence[str] | None = None) -> Columns:
    """All columns, or some, at times inside the run."""
    t = run.raw("t")
    times = times[(times >= t[0]) & (times <= t[-1])]
    asked = [c for c in run.schema if names is None or c.name in ("t", *names)]
    return Columns(run.units, ((c, times if c.name == "t" else _at(run, c.name, t, times)) for c in asked))


def _at(run: Columns, name: str, t: Array, times: Array) -> Array:
    y = run.raw(name)
    if len(t) < 2:
        return np.full(len(times), y[0])
    row = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2).astype(np.int32)
    h = t[row + 1] - t[row]
    u = (times - t[row]) / h
    first = run.derivative(name)
    second = run.derivative(first) if first else None
    if first is None:
        return _lagrange(t, y, row, times)
    rate = run.raw(first)
    if second is not None:
        motion = np.stack([y, rate, run.raw(second)])
        return quintic_hermite(h, motion[:, row], motion[:, row + 1], u)
    rise = y[row + 1] - y[row]
    left, right = h * rate[row], h * rate[row + 1]
    return y[row] + u * (left + u * (3 * rise - 2 * left - right + u * (left + right - 2 * rise)))


def _lagrange(t: Array, y: Array, row: Integers, times: Array) -> Array:
    """Lagrange's polynomial through the four rows around a step, fewer where there are not as many."""
    count = min(4, len(t))
    first = np.clip(row - 1, 0, len(t) - count)
    out = np.zeros(len(times))
    for j in range(count):
        weight = np.ones(len(times))
        for k in range(count):
            if k != j:
                weight = weight * (times - t[first + k]) / (t[first + j] - t[first + k])
        out = out + weight * y[first + j]
    return out
