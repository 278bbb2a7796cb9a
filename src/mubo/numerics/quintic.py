"""Quintic Hermite interpolation through value, rate and acceleration at two times, of sixth order."""

from __future__ import annotations

from mubo.arrays import Array
from mubo.laws.tangent import as_array


def quintic_hermite(h: Array | float, one: Array, two: Array, u: Array | float) -> Array:
    """Values at the fraction u (0 to 1) of the step h. `one` and `two` have value, rate, acceleration as first axis.

    Where a derivative is not finite, so is the value.
    """
    (x0, v0, a0), (x1, v1, a1) = one, two
    rise, slope, bend = x1 - x0 - h * (v0 + 0.5 * h * a0), v1 - v0 - h * a0, a1 - a0
    c3 = 10 * rise - 4 * h * slope + 0.5 * h * h * bend
    c4 = -15 * rise + 7 * h * slope - h * h * bend
    c5 = 6 * rise - 3 * h * slope + 0.5 * h * h * bend
    return as_array(x0 + u * (h * v0 + u * (0.5 * h * h * a0 + u * (c3 + u * (c4 + u * c5)))))
