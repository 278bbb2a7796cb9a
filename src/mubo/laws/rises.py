"""The classical cam laws: how a follower gets from one dwell to the next.

Each is s(u) on 0 ≤ u ≤ 1 with s(0) = 0 and s(1) = 1, and answers s, s', s''.
Source: Norton, Cam Design and Manufacturing Handbook (2002), chapters 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array

TWO_PI = 2 * np.pi


def _powers(*coefficients: float) -> Callable[[Array], Array]:
    """A polynomial s(u) = c0 + c1 u + … with its derivatives."""
    orders = [np.polynomial.Polynomial(coefficients).deriv(k).coef for k in range(3)]  # once: a law is asked often
    return lambda u: np.column_stack([np.polynomial.polynomial.polyval(u, c) for c in orders])


def _cycloidal(u: Array) -> Array:
    return np.column_stack([u - np.sin(TWO_PI * u) / TWO_PI, 1 - np.cos(TWO_PI * u), TWO_PI * np.sin(TWO_PI * u)])


def _harmonic(u: Array) -> Array:
    a = np.pi * u
    return np.column_stack([(1 - np.cos(a)) / 2, np.pi * np.sin(a) / 2, np.pi**2 * np.cos(a) / 2])


def _modified_sine(u: Array) -> Array:
    """Acceleration rises in a quarter sine over 1/8, then falls in a half sine over 3/4 (peak 5.528 H/T²)."""
    peak = 4 * np.pi**2 / (np.pi + 4)
    k1, k2 = 4 * np.pi, 4 * np.pi / 3
    # Velocity and position are the integrals that match at u = 1/8 and 7/8.
    m = np.minimum(u, 1 - u)  # the law is symmetric: s(1 - u) = 1 - s(u)
    early = m < 1 / 8
    v1, s1 = peak / k1, peak / k1 * (1 / 8) - peak / k1**2
    w = m - 1 / 8
    a = np.where(early, peak * np.sin(k1 * m), peak * np.cos(k2 * w))
    v = np.where(early, peak / k1 * (1 - np.cos(k1 * m)), v1 + peak / k2 * np.sin(k2 * w))
    s = np.where(
        early,
        peak / k1 * m - peak / k1**2 * np.sin(k1 * m),
        s1 + v1 * w + peak / k2**2 * (1 - np.cos(k2 * w)),
    )
    late = u > 0.5
    return np.column_stack([np.where(late, 1 - s, s), v, np.where(late, -a, a)])


def _modified_trapezoid(u: Array) -> Array:
    """Quarter sine over 1/8, constant over 1/4, quarter sine over 1/8, mirrored (peak 4.888 H/T²)."""
    peak = 8 * np.pi / (np.pi + 2)
    k = 4 * np.pi
    m = np.minimum(u, 1 - u)
    v1, s1 = peak / k, peak / k / 8 - peak / k**2
    v2, s2 = v1 + peak / 4, s1 + v1 / 4 + peak / 32
    w, x = m - 1 / 8, m - 3 / 8
    pieces = [m < 1 / 8, m < 3 / 8]
    a = np.select(pieces, [peak * np.sin(k * m), np.full_like(m, peak)], peak * np.cos(k * x))
    v = np.select(pieces, [v1 * (1 - np.cos(k * m)), v1 + peak * w], v2 + peak / k * np.sin(k * x))
    s = np.select(
        pieces,
        [v1 * m - peak / k**2 * np.sin(k * m), s1 + v1 * w + peak * w**2 / 2],
        s2 + v2 * x + peak / k**2 * (1 - np.cos(k * x)),
    )
    late = u > 0.5
    return np.column_stack([np.where(late, 1 - s, s), v, np.where(late, -a, a)])


RISES: dict[str, Callable[[Array], Array]] = {
    "dwell": lambda u: np.zeros((len(u), 3)),
    "constant velocity": _powers(0, 1),
    "harmonic": _harmonic,
    "cycloidal": _cycloidal,
    "3-4-5": _powers(0, 0, 0, 10, -15, 6),
    "4-5-6-7": _powers(0, 0, 0, 0, 35, -84, 70, -20),
    "modified sine": _modified_sine,
    "modified trapezoid": _modified_trapezoid,
}

SEAMS: dict[str, tuple[float, ...]] = {
    "modified sine": (1 / 8, 7 / 8),
    "modified trapezoid": (1 / 8, 3 / 8, 5 / 8, 7 / 8),
}
"""Where a law is pieced together: s, s', s'' go on there, but no polynomial should reach over the kink of s''."""
