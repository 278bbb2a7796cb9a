"""Missing samples: short gaps are filled, long ones refused, ends never extrapolated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws import spline
from mubo.lazy_dataclass import dataclass

ROUNDING = 1e-9  # a gap of exactly max_gap is short in spite of rounded times


@dataclass(frozen=True, eq=False)
class Filled:
    """Samples without gaps between the first and the last one present; NaN before and after."""

    value: Array
    supplied: NDArray[np.bool_]  # where the spline gave the sample


def fill(time: Array, value: Array, max_gap: float, label: str, unit: str) -> Filled:
    """Fills gaps by the natural cubic spline through the samples present.

    A gap lasts from the last sample before it to the first one after it. One longer than `max_gap` is refused;
    `label` names the column and `unit` the unit of time.
    """
    present = np.flatnonzero(~np.isnan(value))
    if len(present) < 2:
        raise ModelError(f"{label}: expected at least two samples; found {len(present)}")
    last, following = time[present[:-1]], time[present[1:]]
    long = (np.diff(present) > 1) & (following - last > max_gap * (1 + ROUNDING))
    if np.any(long):
        k = int(np.argmax(long))
        more = int(long.sum()) - 1
        raise ModelError(
            f"{label}: no data from t = {last[k]:g} to {following[k]:g} ({following[k] - last[k]:.3g} {unit}), "
            f"longer than max_gap = {max_gap:g}" + (f"; {more} more such gap{'s' * (more > 1)}" if more else ""),
            suggestion="Give a larger max_gap if a spline may stand for the data there.",
        )
    supplied = np.isnan(value)
    supplied[: present[0]] = supplied[present[-1] + 1 :] = False
    out = value.copy()
    if np.any(supplied):
        knots = time[present]
        out[supplied] = spline.fit(knots, value[present], 0.0)(time[supplied])[:, 0]
    return Filled(out, supplied)
