"""Errors of curves between samples, estimated from the samples alone: each is predicted from its neighbours."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array

INSTANT = 1e-9  # of the time of all samples: shorter steps are jumps, over which no curve goes


def curve_errors(t: Array, y: Array, slope: Array) -> Array:
    """Estimated errors of drawn curves (lines × rows) in every step: infinite where the rows do not show them.

    Each row is predicted without it: by the cubic of the slopes at both neighbours where they are known (not NaN), else
    by the polynomial through up to two rows on either side. The remainder of a prediction over two steps is more than
    that of the curve in one of them, by a factor of 16 or 7 for equal steps; beside a much shorter step it is enlarged
    by the product of the distances in it.
    """
    count, span = y.shape[1], float(t[-1] - t[0]) if len(t) else 0.0
    h = np.diff(t)
    h = np.where(h > INSTANT * span, h, np.nan)
    before, after = np.append(np.nan, h), np.append(h, np.nan)
    ahead = {
        1: after,
        2: after + np.append(after[1:], np.nan),
        -1: -before,
        -2: -before - np.append(np.nan, before[:-1]),
    }
    value = {k: _shift_rows(y, k) - y for k in ahead}
    with np.errstate(all="ignore"):
        missed = np.abs(_hermite_at_zero(before, after, value, _shift_rows(slope, -1), _shift_rows(slope, 1)))
        power = np.where(np.isfinite(missed), 2, 1)
        for nodes in ((-2, -1, 1, 2), (-1, 1, 2), (-2, -1, 1), (-1, 1)):
            other = np.abs(_lagrange_at_zero([ahead[k] for k in nodes], [value[k] for k in nodes]))
            missed = np.where(np.isfinite(missed), missed, other)
        near = np.maximum(h**2 / 4 / np.array([(before * after)[:-1], (before * after)[1:]]), 1.0)
        ends = [missed[:, :-1] * near[0] ** power[:, :-1], missed[:, 1:] * near[1] ** power[:, 1:]]
    found = np.fmax(*ends)
    drawn = np.isfinite(y[:, :-1]) & np.isfinite(y[:, 1:]) & np.isfinite(h) if count > 1 else found > 0
    return np.asarray(np.where(drawn & ~np.isfinite(found), np.inf, np.where(drawn, found, 0.0)))


def _shift_rows(y: Array, by: int) -> Array:
    """Values of the rows so many later, or earlier; NaN beyond the ends."""
    out = np.full_like(y, np.nan)
    if by > 0:
        out[:, :-by] = y[:, by:]
    else:
        out[:, -by:] = y[:, :by]
    return out


def _hermite_at_zero(before: Array, after: Array, value: dict[int, Array], left: Array, right: Array) -> Array:
    """The cubic of values and slopes at both neighbours, relative to the row between them, at that row."""
    step, u = before + after, before / (before + after)
    rise = value[1] - value[-1]
    bend = u * (1 - u) * ((1 - u) * (step * left - rise) + u * (rise - step * right))
    return np.asarray(value[-1] + u * rise + bend)


def _lagrange_at_zero(places: list[Array], values: list[Array]) -> Array:
    """The polynomial through values at places relative to a row, at that row."""
    out = np.zeros_like(values[0])
    for k, (own, value) in enumerate(zip(places, values, strict=True)):
        weight = np.ones_like(own)
        for n, other in enumerate(places):
            weight = weight if n == k else weight * other / (other - own)
        out = out + weight * value
    return out
