"""Natural splines through or near samples: cubic (order m = 2) and quintic (m = 3).

The spline s minimises  Σ (y_i − s(t_i))² + λ ∫ (s^(m))² dt. Its m-th derivative is Σ γ_j M_j with the B-splines M_j of
m pieces and unit area on t_j … t_{j+m}, and m! [t_j, …, t_{j+m}] s = ∫ M_j s^(m) dt (Peano). With Q the weights of
these divided differences and R_jk = ∫ M_j M_k dt, therefore,

    (R + λ QᵀQ) γ = Qᵀy,    s(t_i) = y_i − λ (Q γ)_i,

the equations of Reinsch (Numer. Math. 10, 1967; 16, 1971); de Boor, A Practical Guide to Splines, chapters IX to XIV.
At both ends the derivatives of orders m to 2m − 2 are zero: the acceleration of the cubic, not that of the quintic.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property

CUBIC, QUINTIC = 2, 3
_REFINEMENTS = 3  # of γ: the assembled matrix has 1 + 4ᵐ λ for its condition, the residual through Q its square root


MANY = 3000  # samples from which LAPACK's factors are worth the loading of SciPy


class Knots:
    """The bands of Q, R and QᵀQ for given abscissas, which are counted in mean distances from the first."""

    def __init__(self, t: Array, order: int = CUBIC) -> None:
        self.t, self.order = t, order
        self.unit = (t[-1] - t[0]) / (len(t) - 1)
        self.u = (t - t[0]) / self.unit
        self.h = np.diff(self.u)
        n = len(t) - order  # of the divided differences
        self.q = np.zeros((order + 1, n))  # column j of Q in the rows j … j + m
        for k in range(order + 1):
            apart = [self.u[k : k + n] - self.u[j : j + n] for j in range(order + 1) if j != k]
            self.q[k] = factorial(order) / np.prod(apart, axis=0)
        self.k = np.zeros((order + 1, n))  # band k of QᵀQ: entries (j + k, j)
        for k in range(order + 1):
            self.k[k, : n - k] = sum(self.q[i + k, : n - k] * self.q[i, k:] for i in range(order + 1 - k))
        nodes, weights = np.polynomial.legendre.leggauss(order)
        self.nodes, self.weights = (nodes + 1) / 2, weights / 2  # on the unit interval
        self.basis = self._basis()
        self.r = np.zeros((order, n))
        for k in range(min(order, n)):
            for a in range(order - k):
                product = (self.basis[a] * self.basis[a + k]) @ self.weights * self.h
                self.r[k, : n - k] += product[order - 1 - a : order - 1 - a + n - k]

    def _basis(self) -> Array:
        """M_j of the intervals i, j = i − m + 1 … i, at the Gauss nodes of each (Cox and de Boor's recursion)."""
        m, ends = self.order, np.arange(1, self.order)
        knots = np.concatenate([-ends[::-1] * 1.0, self.u, self.u[-1] + ends])
        i = np.arange(len(self.h)) + m - 1
        x = (self.u[:-1, None] + self.h[:, None] * self.nodes)[None]
        values = np.ones_like(x)
        for k in range(1, m):
            left = np.array([x[0] - knots[i + 1 - k + r][:, None] for r in range(k)])
            right = np.array([knots[i + 1 + r][:, None] - x[0] for r in range(k)])
            share = values / (left + right)
            values = np.concatenate([right * share, 0 * x]) + np.concatenate([0 * x, left * share])
        for r in range(m):
            values[r] *= (m / (knots[i + 1 + r] - knots[i + 1 + r - m]))[:, None]
        return np.asarray(values)

    def scaled(self, lam: Array | float) -> Array:
        """λ where the mean distance of samples is 1."""
        return np.asarray(np.asarray(lam, float) / self.unit ** (2 * self.order - 1))

    def differences(self, y: Array) -> Array:
        """Qᵀ y."""
        n = self.q.shape[1]
        return np.asarray(sum(self.q[k] * y[k : k + n] for k in range(self.order + 1)))

    def spread(self, gamma: Array) -> Array:
        """Q γ, over all knots (first axis)."""
        n = self.q.shape[1]
        out = np.zeros((len(self.t), *gamma.shape[1:]))
        for k in range(self.order + 1):
            out[k : k + n] += self.q[k].reshape(-1, *([1] * (gamma.ndim - 1))) * gamma
        return out

    def gram(self, gamma: Array) -> Array:
        """R γ of one γ."""
        out = self.r[0] * gamma
        for k in range(1, min(self.order, len(gamma))):
            out[k:] += self.r[k, :-k] * gamma[:-k]
            out[:-k] += self.r[k, :-k] * gamma[k:]
        return np.asarray(out)


def factor(knots: Knots, lam: Array) -> tuple[Array, Array]:
    """L D Lᵀ of the banded R + λ QᵀQ for many λ at once: D, and the bands of L. λ is scaled."""
    m, n = knots.order, knots.q.shape[1]
    bands = knots.k[:, :, None] * lam
    bands[:m] += knots.r[:, :, None]
    d, lower = bands[0], bands  # in place: band k of L is lower[k], k = 1 … m
    for i in range(n):
        for k in range(m + 1):
            for j in range(1, min(m - k, i) + 1):
                lower[k, i] -= lower[j + k, i - j] * lower[j, i - j] * d[i - j]
        lower[1:, i] /= d[i]
    return d, lower


def solve(factors: tuple[Array, Array], right: Array) -> Array:
    """γ with (R + λ QᵀQ) γ = right, one column per λ."""
    d, lower = factors
    n, m = len(d), len(lower) - 1
    x = np.repeat(right[:, None], d.shape[1], axis=1)
    for i in range(1, n):
        for j in range(1, min(m, i) + 1):
            x[i] -= lower[j, i - j] * x[i - j]
    x /= d
    for i in range(n - 2, -1, -1):
        for j in range(1, min(m, n - 1 - i) + 1):
            x[i] -= lower[j, i] * x[i + j]
    return x


@dataclass(frozen=True, eq=False)
class Pieces:
    """A polynomial between each two knots, in powers of (t − t_i)/(t_{i+1} − t_i)."""

    t: Array
    powers: Array

    @cached_property
    def _derivatives(self) -> Array:
        """The powers of s, s', s'': (pieces, 3, powers)."""
        h, count = np.diff(self.t), self.powers.shape[1]
        out = np.zeros((len(h), 3, count))
        out[:, 0] = self.powers
        for order in (1, 2):
            out[:, order, :-1] = out[:, order - 1, 1:] * np.arange(1, count) / h[:, None]
        return out

    def __call__(self, at: Array) -> Array:
        """s, s', s'' at the times `at`, which must lie between the first and the last knot."""
        k = np.clip(np.searchsorted(self.t, at, side="right") - 1, 0, len(self.t) - 2)
        w = (at - self.t[k]) / (self.t[k + 1] - self.t[k])
        powers = w[:, None, None] ** np.arange(self.powers.shape[1])[:, None]
        return np.asarray((self._derivatives[k] @ powers)[:, :, 0])


def fit(t: Array, y: Array, lam: float, order: int = CUBIC) -> Pieces:
    """The spline of the samples; λ = 0 interpolates, λ = ∞ is the polynomial of degree m − 1."""
    if len(t) <= order or np.isinf(lam):
        return _polynomial(t, y, min(order, len(t)) - 1)
    knots = Knots(t, order)
    size = float(np.max(np.abs(y))) or 1.0  # so that no square overflows
    scaled, data = float(knots.scaled(lam)), y / size
    solved = _solver(knots, scaled)
    gamma, value = np.zeros(knots.q.shape[1]), data
    for _ in range(1 + _REFINEMENTS):
        gamma = gamma + solved(knots.differences(value) - knots.gram(gamma))
        value = data - scaled * knots.spread(gamma)
    return Pieces(t, size * _powers(knots, value, gamma))


def _solver(knots: Knots, lam: float) -> Callable[[Array], Array]:
    """γ with (R + λ QᵀQ) γ = right of one λ: of many samples by LAPACK's banded Cholesky factors."""
    if knots.q.shape[1] < MANY:
        factors = factor(knots, np.array([lam]))
        return lambda right: solve(factors, right)[:, 0]
    from scipy.linalg import cho_solve_banded, cholesky_banded

    bands = knots.k * lam
    bands[: knots.order] += knots.r
    lower = cholesky_banded(bands, lower=True)
    return lambda right: np.asarray(cho_solve_banded((lower, True), right))


def _polynomial(t: Array, y: Array, degree: int) -> Pieces:
    """One polynomial by least squares, cut at the knots."""
    whole = np.polynomial.Polynomial.fit(t, y, degree)
    h = np.diff(t)
    terms = [whole.deriv(k)(t[:-1]) * h**k / factorial(k) if k else whole(t[:-1]) for k in range(degree + 1)]
    return Pieces(t, np.column_stack(terms))


def _powers(knots: Knots, value: Array, gamma: Array) -> Array:
    """The pieces from the values at the knots and the m-th derivative Σ γ_j M_j, integrated m times."""
    m, h = knots.order, knots.h
    n = len(h)
    padded = np.concatenate([np.zeros(m - 1), gamma, np.zeros(m - 1)])
    top = sum(padded[r : r + n, None] * knots.basis[r] for r in range(m))
    inner = np.asarray(top @ np.linalg.inv(np.vander(knots.nodes, m, increasing=True)).T)  # powers of (t − t_i)/h
    powers = np.zeros((n, 2 * m))
    powers[:, 0] = value[:-1]
    for k in range(m):
        powers[:, m + k] = inner[:, k] * h**m * factorial(k) / factorial(k + m)
    if m == QUINTIC:
        powers[:, 2] = _second_derivative(knots, value, inner) * h**2 / 2
    powers[:, 1] = np.diff(value) - powers[:, 2:].sum(axis=1)
    return powers


def _second_derivative(knots: Knots, value: Array, third: Array) -> Array:
    """s'' at the left knot of each piece, from the third derivative in powers on the pieces.

    It is the integral of that from the first knot and a constant, which every three knots tell: the divided difference
    2 [t_i, t_{i+1}, t_{i+2}] s is the mean of s'' over the hat on them. Near samples tell it badly, with an error of
    eps/(h_i h_{i+1}): far ones count for more.
    """
    h, w = knots.h, knots.nodes
    k = np.arange(1, QUINTIC + 1)
    start = np.concatenate([[0.0], np.cumsum(h * (third / k).sum(axis=1))])
    inside = start[:-1, None] + h[:, None] * ((third / k) @ (w[None] ** k[:, None]))
    rising, falling = (inside * w) @ knots.weights * h, (inside * (1 - w)) @ knots.weights * h
    slopes, width = np.diff(value) / h, h[:-1] + h[1:]
    # The hat of unit area is 2/width high; the mean of the integral over it is taken off.
    mean = 2 / width * (rising[:-1] + falling[1:])
    constant = 2 / width * np.diff(slopes) - mean
    trust = (h[:-1] * h[1:]) ** 2
    return np.asarray(start[:-1] + trust @ constant / trust.sum())
