"""Natural cubic splines through or near samples, and the smoothing parameter by cross-validation.

The spline s minimises  Σ (y_i − s(t_i))² + λ ∫ s'' ² dt. With the tridiagonal R and Q of Reinsch (1967), its
second derivatives γ at the inner knots solve (R + λ QᵀQ) γ = Qᵀy, and s(t_i) = y_i − λ (Q γ)_i. Green and
Silverman, Nonparametric Regression (1994), chapter 2, has these equations.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array


class Knots:
    """The bands of R and QᵀQ for given abscissas."""

    def __init__(self, t: Array) -> None:
        h = np.diff(t)
        self.t, self.h = t, h
        # Column j of Q has the entries q0[j], q1[j], q2[j] in the rows j, j+1, j+2.
        self.q0, self.q2 = 1 / h[:-1], 1 / h[1:]
        self.q1 = -self.q0 - self.q2
        self.r0, self.r1 = (h[:-1] + h[1:]) / 3, h[1:-1] / 6
        self.k0 = self.q0**2 + self.q1**2 + self.q2**2
        self.k1 = self.q1[:-1] * self.q0[1:] + self.q2[:-1] * self.q1[1:]
        self.k2 = self.q2[:-2] * self.q0[2:]

    def second_differences(self, y: Array) -> Array:
        """Qᵀ y."""
        return self.q0 * y[:-2] + self.q1 * y[1:-1] + self.q2 * y[2:]

    def spread(self, gamma: Array) -> Array:
        """Q γ, over all knots (first axis)."""
        out = np.zeros((len(self.t), *gamma.shape[1:]))
        tail = (slice(None), *([None] * (gamma.ndim - 1)))
        out[:-2] += self.q0[tail] * gamma
        out[1:-1] += self.q1[tail] * gamma
        out[2:] += self.q2[tail] * gamma
        return out


def _factor(knots: Knots, lam: Array) -> tuple[Array, Array, Array]:
    """L D Lᵀ of the pentadiagonal R + λ QᵀQ, for many λ at once: D, and the two bands of L."""
    n = len(knots.k0)
    b0 = knots.r0[:, None] + lam * knots.k0[:, None]
    b1 = np.zeros((n, len(lam)))
    b2 = np.zeros((n, len(lam)))
    b1[: n - 1] = knots.r1[:, None] + lam * knots.k1[:, None]
    b2[: n - 2] = lam * knots.k2[:, None]
    d, l1, l2 = b0, np.zeros_like(b1), np.zeros_like(b2)
    for i in range(n):
        if i >= 1:
            d[i] -= l1[i - 1] ** 2 * d[i - 1]
        if i >= 2:
            d[i] -= l2[i - 2] ** 2 * d[i - 2]
        l1[i] = b1[i] - (l1[i - 1] * d[i - 1] * l2[i - 1] if i >= 1 else 0)
        l1[i] /= d[i]
        l2[i] = b2[i] / d[i]
    return d, l1, l2


def _solve(factors: tuple[Array, Array, Array], right: Array) -> Array:
    """γ with (R + λ QᵀQ) γ = right, one column per λ."""
    d, l1, l2 = factors
    n = len(d)
    x = np.repeat(right[:, None], d.shape[1], axis=1)
    for i in range(1, n):
        x[i] -= l1[i - 1] * x[i - 1]
        if i >= 2:
            x[i] -= l2[i - 2] * x[i - 2]
    x /= d
    for i in range(n - 2, -1, -1):
        x[i] -= l1[i] * x[i + 1]
        if i + 2 < n:
            x[i] -= l2[i] * x[i + 2]
    return x


def _trace(knots: Knots, factors: tuple[Array, Array, Array]) -> Array:
    """tr(QᵀQ (R + λ QᵀQ)⁻¹) from the central bands of the inverse (Hutchinson and de Hoog 1985)."""
    d, l1, l2 = factors
    n = len(d)
    zero = np.zeros(d.shape[1])
    s0, s1, s2 = np.zeros_like(d), np.zeros_like(d), np.zeros_like(d)
    for i in range(n - 1, -1, -1):
        next0, next1 = (s0[i + 1], s1[i + 1]) if i + 1 < n else (zero, zero)
        after = s0[i + 2] if i + 2 < n else zero
        s1[i] = -l1[i] * next0 - l2[i] * next1
        s2[i] = -l1[i] * next1 - l2[i] * after
        s0[i] = 1 / d[i] - l1[i] * s1[i] - l2[i] * s2[i]
    k0, k1, k2 = knots.k0[:, None], knots.k1[:, None], knots.k2[:, None]
    total = (k0 * s0).sum(0) + 2 * (k1 * s1[: n - 1]).sum(0) + 2 * (k2 * s2[: max(n - 2, 0)]).sum(0)
    return np.asarray(total)


def cross_validation(knots: Knots, y: Array, lam: Array) -> Array:
    """GCV(λ) = n RSS / tr(I − H)² = n |Q γ|² / tr(QᵀQ (R + λ QᵀQ)⁻¹)²: the λ² cancels, so λ = 0 is admitted."""
    factors = _factor(knots, lam)
    gamma = _solve(factors, knots.second_differences(y))
    return np.asarray(len(y) * (knots.spread(gamma) ** 2).sum(0) / _trace(knots, factors) ** 2)


def line_cross_validation(t: Array, y: Array) -> float:
    """GCV of the straight line, which is λ = ∞."""
    n = len(t)
    if n < 3:
        return 0.0
    fit = np.polynomial.Polynomial.fit(t, y, 1)
    return float(n * np.sum((y - fit(t)) ** 2) / (n - 2) ** 2)


def best_smoothing(t: Array, y: Array) -> float:
    """λ that minimises GCV over [0, ∞], both ends admitted: a global search on log λ, then a narrowing grid."""
    if len(t) < 4:
        return 0.0
    knots = Knots(t)
    # Below the first λ the spline interpolates to rounding, above the last it is a line to rounding.
    scale = float(np.mean(knots.h)) ** 3
    span = float(len(t)) ** 4
    low, high = np.log(1e-9 * scale), np.log(1e3 * scale * span)
    grid = np.linspace(low, high, 200)
    for _ in range(8):
        value = cross_validation(knots, y, np.exp(grid))
        k = int(np.argmin(value))
        best, log_lam = float(value[k]), float(grid[k])
        grid = np.linspace(grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)], 21)
    at_zero = float(cross_validation(knots, y, np.zeros(1))[0])
    at_line = line_cross_validation(t, y)
    rounding = len(t) * float(np.finfo(float).eps * np.max(np.abs(y))) ** 2
    if at_zero <= max(rounding, best) and at_zero <= max(rounding, at_line):
        return 0.0
    return np.inf if at_line < best else float(np.exp(log_lam))


def fit(t: Array, y: Array, lam: float) -> tuple[Array, Array]:
    """Values and second derivatives of the spline at all knots; λ = 0 interpolates, λ = ∞ is the line."""
    if len(t) == 2:
        return y.copy(), np.zeros(2)
    if np.isinf(lam):
        line = np.polynomial.Polynomial.fit(t, y, 1)
        return np.asarray(line(t)), np.zeros(len(t))
    knots = Knots(t)
    gamma = _solve(_factor(knots, np.array([lam])), knots.second_differences(y))
    value = y - lam * knots.spread(gamma)[:, 0]
    return value, np.concatenate([[0.0], gamma[:, 0], [0.0]])


def evaluate(t: Array, value: Array, second: Array, at: Array) -> Array:
    """s, s', s'' at the times `at`, which must lie between the first and the last knot."""
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    h = t[k + 1] - t[k]
    a, b = (t[k + 1] - at) / h, (at - t[k]) / h
    m0, m1 = second[k], second[k + 1]
    s = a * value[k] + b * value[k + 1] + ((a**3 - a) * m0 + (b**3 - b) * m1) * h**2 / 6
    slope = (value[k + 1] - value[k]) / h + ((3 * b**2 - 1) * m1 - (3 * a**2 - 1) * m0) * h / 6
    return np.column_stack([s, slope, a * m0 + b * m1])
