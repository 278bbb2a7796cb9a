"""Samples of quantities along a motion, so close that an extreme cannot hide between them.

The rows of a run may be farther apart than the peaks of a force or an acceleration. Each sample is predicted from its
neighbours; where it lies off, the curve may be off by as much beside it, and a step in which it could then be largest
or least is divided until it could not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array, Booleans, Integers
from mubo.numerics.curve_errors import INSTANT, curve_errors

ROUNDS = 8  # how often a step is divided in two, at most
MARGIN = 4.0  # times the error of predictions: what a curve may be off by
RESOLVED = 1e-4  # of the range of a quantity: a smaller error hides no extreme
ROOM, FEW = 3, 200  # samples that are added, at most: for each row, and always

ReadAt = Callable[[Array], tuple[Array, Array]]  # at times: those that were reached, and the samples there


def resolve_extremes(t: Array, data: Array, moving: Booleans, read: ReadAt) -> tuple[Array, Array]:
    """Times and samples, more of them in steps in which a `moving` quantity may have an extreme that none shows.

    `data` are quantities × (value, rate, acceleration) × times. Where a time is repeated the motion may be reversed.
    """
    most = ROOM * len(t) + FEW
    for _ in range(ROUNDS):
        steps = _open_steps(t, data[moving], most)
        if not len(steps):
            break
        reached, more = read((t[steps] + t[steps + 1]) / 2)
        if not len(reached):
            break
        at = np.searchsorted(t, reached)
        t, data, most = np.insert(t, at, reached), np.insert(data, at, more, axis=2), most - len(reached)
    return t, data


def _open_steps(t: Array, data: Array, most: int) -> Integers:
    """Steps in which the least or the greatest value of a quantity may lie unseen, the most doubtful of many."""
    if len(t) < 2 or not len(data):
        return np.zeros(0, np.int32)
    value = data[:, 0]
    errors = curve_errors(t, value, data[:, 1])
    known = np.isfinite(value)
    top = np.max(value, 1, where=known, initial=-np.inf)[:, None]
    low = np.min(value, 1, where=known, initial=np.inf)[:, None]
    with np.errstate(invalid="ignore"):
        highest, lowest = np.fmax(value[:, :-1], value[:, 1:]), np.fmin(value[:, :-1], value[:, 1:])
        may = (highest + MARGIN * errors >= top) | (lowest - MARGIN * errors <= low)
        doubt = np.where(may & (errors > RESOLVED * (top - low)), errors / (top - low), 0.0)
    worst = np.max(np.nan_to_num(doubt, nan=0.0, posinf=np.inf), axis=0)
    steps = np.flatnonzero((worst > 0) & (np.diff(t) > INSTANT * (t[-1] - t[0])))
    if len(steps) > most:
        steps = np.sort(steps[np.argsort(-worst[steps], kind="stable")[: max(most, 0)]])
    return np.asarray(steps, np.int32)
