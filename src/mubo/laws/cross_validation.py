"""The smoothing parameter λ of a natural spline by generalised cross-validation (Craven and Wahba 1979)."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.laws.spline import CUBIC, Knots, factor, solve

_ROUNDS = 4  # the last has λ to 2e-6, where GCV is flat to 1e-12
# Between these, with samples at distance 1, a spline differs from the interpolating one and from the polynomial.
_LEAST = 1e-9
_MOST = 1e13  # beyond, R + λ QᵀQ is singular to rounding


def _trace(knots: Knots, factors: tuple[Array, Array]) -> Array:
    """tr(QᵀQ (R + λ QᵀQ)⁻¹) from the central bands of the inverse (Hutchinson and de Hoog 1985)."""
    d, lower = factors
    n, m = len(d), len(lower) - 1
    inverse = np.zeros((m + 1, n, d.shape[1]))  # band k has the entries (i, i + k)
    for i in range(n - 1, -1, -1):
        reach = min(m, n - 1 - i)
        for k in range(reach, -1, -1):
            for j in range(1, reach + 1):
                inverse[k, i] -= lower[j, i] * inverse[abs(j - k), i + min(j, k)]
        inverse[0, i] += 1 / d[i]
    bands = (knots.k[:, :, None] * inverse).sum(axis=1)
    return np.asarray(bands[0] + 2 * bands[1:].sum(axis=0))


def cross_validation(knots: Knots, y: Array, lam: Array) -> Array:
    """GCV(λ) = n RSS / tr(I − H)² = n |Q γ|² / tr(QᵀQ (R + λ QᵀQ)⁻¹)²: the λ² cancels, so λ = 0 is admitted."""
    factors = factor(knots, knots.scaled(lam))
    gamma = solve(factors, knots.differences(y))
    return np.asarray(len(y) * (knots.spread(gamma) ** 2).sum(0) / _trace(knots, factors) ** 2)


def polynomial_cross_validation(t: Array, y: Array, order: int) -> float:
    """GCV of the polynomial of degree m − 1, which is λ = ∞."""
    n = len(t)
    fit = np.polynomial.Polynomial.fit(t, y, order - 1)
    return float(n * np.sum((y - fit(t)) ** 2) / (n - order) ** 2)


def best_smoothing(t: Array, y: Array, order: int = CUBIC) -> float:
    """λ that minimises GCV over [0, ∞], both ends admitted: a global search on log λ, then a narrowing grid."""
    size = float(np.max(np.abs(y)))
    if len(t) < order + 2 or size == 0.0:
        return 0.0
    knots, y = Knots(t, order), y / size
    scale = knots.unit ** (2 * order - 1)
    grid = np.linspace(np.log(_LEAST), np.log(min(1e3 * float(len(t)) ** (2 * order), _MOST)), 200)
    for _ in range(_ROUNDS):
        value = cross_validation(knots, y, np.exp(grid) * scale)
        k = int(np.argmin(value))
        best, log_lam = float(value[k]), float(grid[k])
        grid = np.linspace(grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)], 101)
    at_zero = float(cross_validation(knots, y, np.zeros(1))[0])
    at_infinity = polynomial_cross_validation(t, y, order)
    rounding = len(t) * float(np.finfo(float).eps) ** 2
    if at_zero <= max(rounding, best) and at_zero <= max(rounding, at_infinity):
        return 0.0
    return np.inf if at_infinity < best else float(np.exp(log_lam)) * scale
