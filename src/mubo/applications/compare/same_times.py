"""Where two tables can be compared: row by row on one time grid, otherwise at the times of the second one.

Between the rows of the first table its columns are interpolated by cubic splines with the not-a-knot end condition
(C. de Boor, A Practical Guide to Splines, 1978, chapter IV); of three rows by a parabola, of two by a straight line.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mubo.applications.compare.comparison import counted
from mubo.arrays import Array, distinct
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass

IntArray = NDArray[np.intp]

NEAR = 1e-9  # of the time span: times closer than this are the same


@dataclass(frozen=True, eq=False)
class SameTimes:
    """Times to compare at, the rows of REFERENCE that have them, and RESULT there; `description` says how."""

    t: Array
    rows: IntArray
    at_times: Callable[[Array], Array]  # columns of RESULT, rows × columns
    description: str
    interpolated: bool = False


def same_times(t: Array, reference: Array) -> SameTimes:
    """How RESULT with times `t` and REFERENCE with times `reference` are compared."""
    _check_finite(t, "RESULT")
    _check_finite(reference, "REFERENCE")
    near = NEAR * max(float(np.ptp(t)), float(np.ptp(reference)))
    if len(t) == len(reference) and np.all(np.abs(t - reference) <= near):
        return SameTimes(reference, np.arange(len(t)), lambda columns: columns, f"{counted(len(t), 'row')}, row by row")
    if shared := _rows_of_result(t, reference, near):
        return shared
    _check_increasing(t)
    rows = np.flatnonzero((reference >= t[0] - near) & (reference <= t[-1] + near))
    if len(rows) == 0:
        raise ResultError(
            f"no time of REFERENCE ({span(reference)}) lies within RESULT ({span(t)})",
            suggestion="Compute RESULT over the times of REFERENCE.",
        )
    at = reference[rows]
    left = len(reference) - len(rows)
    beyond = f"; {left} outside {span(t)} left out" if left else ""
    closest = _closest(t, at)
    if np.all(np.abs(t[closest] - at) <= near):
        description = f"{counted(len(rows), 'time')} of REFERENCE, all among the {len(t)} rows of RESULT{beyond}"
        return SameTimes(at, rows, lambda columns: columns[closest], description)
    description = f"RESULT interpolated at {counted(len(rows), 'time')} of REFERENCE{beyond}"
    return SameTimes(
        at, rows, lambda columns: _spline(t, columns, np.clip(at, t[0], t[-1])), description, interpolated=True
    )


def _rows_of_result(t: Array, reference: Array, near: float) -> SameTimes | None:
    """The rows of RESULT, the coarser table, where all its times are times of REFERENCE: nothing is interpolated."""
    if len(t) >= len(reference) or np.any(np.diff(reference) <= 0):
        return None
    inside = np.flatnonzero((t >= reference[0] - near) & (t <= reference[-1] + near))
    closest = _closest(reference, t[inside])
    if not len(inside) or np.any(np.abs(reference[closest] - t[inside]) > near):
        return None
    left = len(t) - len(inside)
    beyond = f"; {left} outside {span(reference)} left out" if left else ""
    description = f"{counted(len(inside), 'row')} of RESULT, all among the {len(reference)} times of REFERENCE{beyond}"
    return SameTimes(reference[closest], closest, lambda columns: columns[inside], description)


def _closest(t: Array, at: Array) -> IntArray:
    """Row of the nearest of the increasing times t, for each of the times `at`."""
    if len(t) == 1:
        return np.zeros(len(at), np.intp)
    right = np.clip(np.searchsorted(t, at), 1, len(t) - 1)
    return np.asarray(np.where(at - t[right - 1] < t[right] - at, right - 1, right))


def _spline(t: Array, columns: Array, at: Array) -> Array:
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, columns)(at))


def coarse_change(t: Array, columns: Array) -> Array:
    """The largest change of each column between rows if every second row is left out.

    The error of a cubic spline goes with the fourth power of the step (de Boor, chapter V): this is about 16 times
    what interpolation between all rows may add, once the rows are close enough to follow the motion at all.
    """
    if len(t) < 3:
        return np.full(columns.shape[1], np.inf)
    kept = distinct(np.append(np.arange(0, len(t), 2), len(t) - 1))
    left = np.setdiff1d(np.arange(len(t)), kept)
    return np.asarray(np.max(np.abs(_spline(t[kept], columns[kept], t[left]) - columns[left]), axis=0))


def _check_finite(t: Array, which: str) -> None:
    bad = np.flatnonzero(~np.isfinite(t))
    if len(bad):
        raise ResultError(
            f"the time of {which} has no number in row {bad[0] + 1}",
            suggestion="A table needs its time in a column t or time, or in its first column.",
        )


def _check_increasing(t: Array) -> None:
    bad = np.flatnonzero(np.diff(t) <= 0)
    if len(bad):
        raise ResultError(
            f"the times of the tables differ, and RESULT cannot be interpolated: its time goes from {t[bad[0]]:g} "
            f"to {t[bad[0] + 1]:g} (rows {bad[0] + 1} and {bad[0] + 2}) and does not increase",
            suggestion="Give RESULT increasing times, or the times of REFERENCE.",
        )


def span(t: Array) -> str:
    """ "t = 0 to 1", for messages."""
    low, high = float(np.min(t)), float(np.max(t))
    return f"t = {low:g} to {high:g}" if high > low else f"t = {low:g}"
