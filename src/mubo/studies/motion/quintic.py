"""Hermite's quintic: the curve through values, rates and accelerations at both ends of an interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array

Ends = Sequence[Array] | Array  # value, rate, acceleration


def quintic(first: Ends, last: Ends, h: Array | float, u: Array | float) -> Array:
    """Values at the part u of an interval of length h, in powers of u; each argument may be an array."""
    (f0, v0, a0), (f1, v1, a1) = first, last
    rise, slope, bend = f1 - f0 - h * (v0 + 0.5 * h * a0), v1 - v0 - h * a0, a1 - a0
    c3 = 10 * rise - 4 * h * slope + 0.5 * h * h * bend
    c4 = -15 * rise + 7 * h * slope - h * h * bend
    c5 = 6 * rise - 3 * h * slope + 0.5 * h * h * bend
    return np.asarray(f0 + u * (h * v0 + u * (0.5 * h * h * a0 + u * (c3 + u * (c4 + u * c5)))))
