"""Times of samples that a file has rounded: a camera takes its pictures at equal intervals.

Times printed to a millisecond, 0, 0.007, 0.013, 0.02 …, are those of frames at 150 Hz, each off by up to half a
millisecond. Smoothing and differentiating them as printed makes noise of the rounding, so that the times are taken as
t₀ + n/f where every time printed is that one rounded.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array

DIGITS = (3, 4, 5)  # decimals to which programs round times in seconds
SLACK = 1e-9  # of half a unit of the last decimal: the printed decimals themselves are not exact in binary


def regular_times(time: Array, rate: float | None = None, frame: Array | None = None) -> Array:
    """The times of equal intervals where those given are the same rounded, else those given.

    `rate` is in samples per second, of the header; without it, that of the first to the last time. `frame` counts the
    samples where some are left out.
    """
    count = np.arange(len(time), dtype=float) if frame is None else frame - frame[0]
    if len(time) < 3 or not count[-1] > 0:
        return time
    unit = _rounding(time)
    step = 1 / rate if rate else (time[-1] - time[0]) / count[-1]
    if unit is None:
        return time
    off = time - step * count
    first = 0.5 * (off.max() + off.min())
    if off.max() - off.min() > unit * (1 + SLACK):
        return time
    if np.all(np.abs(time[0] - off) <= 0.5 * unit * (1 + SLACK)):
        first = time[0]  # the first time is exact, as where a record begins at 0
    return np.asarray(first + step * count)


def _rounding(time: Array) -> float | None:
    """The unit of the last decimal of times that are rounded, s; None where they have more decimals, or are regular."""
    steps = np.diff(time)
    if np.ptp(steps) <= 1e-6 * steps.mean():
        return None
    for digits in DIGITS:
        if np.all(np.abs(time - np.round(time, digits)) < 1e-9):
            return float(10.0**-digits)
    return None
