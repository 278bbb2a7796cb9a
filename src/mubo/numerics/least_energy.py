"""Least motion of a set of linear equations: x with A x = b and the least x'M x, for dependent equations too.

Minimise ½ x'M x subject to A x = b. The equations are scaled to unit length and x by the square roots of the diagonal
of M before they are solved, so that neither the units of the coordinates nor those of the equations matter.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import block_array, csc_array, csr_array, diags_array, eye_array
from scipy.sparse.linalg import SuperLU, splu

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

SOFT = 1e-8  # regularisation of the scaled equations, so that dependent ones do not make them singular
ROUNDS = 30  # iterations that remove the regularisation error
REGULAR = 1e-12  # added to the scaled M, whose diagonal is one
MET = 1e-14  # of the largest entry of x: a smaller change ends the iteration
RANK = 1e-9  # of the largest singular value of the scaled equations: a smaller one belongs to a free motion
ZERO = 1e-11  # of what the terms of an equation could add up to: a shorter row is a row of zeros


@dataclass(frozen=True)
class LeastEnergy:
    """The factorised problem: scales of coordinates and equations, scaled matrices, and the factors."""

    width: Array  # per coordinate: 1 / √M_jj
    height: Array  # per equation: 1 / length of its scaled row
    M: csc_array
    A: csr_array
    factors: SuperLU

    def solve(self, b: Array, origin: Array | None = None) -> Array:
        """Return the x that satisfies A x = b, in the sense of least squares, and is nearest to `origin` (default
        zero) in the metric of M.

        Proximal steps (Rockafellar 1976) with [M A'; A −δ]: dependent equations do not make it singular, and the error
        by δ is removed from iteration to iteration.
        """
        origin = np.zeros_like(self.width) if origin is None else origin / self.width
        b = b * self.height - self.A @ origin
        x, multipliers = np.zeros(len(self.width)), np.zeros(len(b))
        for _ in range(ROUNDS):
            residual = np.concatenate([-(self.M @ x) - self.A.T @ multipliers, b - self.A @ x])
            change = self.factors.solve(residual)
            x, multipliers = x + change[: len(x)], multipliers + change[len(x) :]
            if np.max(np.abs(change[: len(x)]), initial=0.0) <= MET * np.max(np.abs(x), initial=0.0):
                break
        return np.asarray((origin + x) * self.width)

    def free_motions(self) -> Array:
        """Return a basis of the x with A x = 0, a column each, orthonormal in the metric of M."""
        import scipy.linalg

        basis = scipy.linalg.null_space(self.A.toarray(), rcond=RANK)
        lower = np.linalg.cholesky(basis.T @ (self.M @ basis))
        return np.asarray(self.width[:, None] * scipy.linalg.solve_triangular(lower, basis.T, lower=True).T)

    def violation(self, x: Array, b: Array) -> Array:
        """Residual of every scaled equation relative to the largest scaled term of all of them."""
        y = x / self.width
        terms = float(np.max(abs(self.A) @ np.abs(y), initial=0.0)), float(np.max(np.abs(b * self.height), initial=0.0))
        return np.asarray(np.abs(self.A @ y - b * self.height) / (max(terms) or 1.0), float)


def least_energy(M: csc_array, A: csr_array, least: Array, terms: csr_array) -> LeastEnergy:
    """Factorise the problem for a mass matrix and equations.

    Parameters
    ----------
    M
        Mass matrix, positive semidefinite.
    A
        Equations, one a row; they may depend on each other.
    least
        Least diagonal entry of M that counts, per coordinate: a coordinate without inertia is scaled by it.
    terms
        Sums of the absolute terms of which A consists. A row that is much shorter than that of its terms is rounding
        error and is taken as zeros.
    """
    width = 1 / np.sqrt(np.maximum(M.diagonal(), least))
    scaled = csr_array(A @ diags_array(width))
    length, longest = (
        np.sqrt(np.asarray((rows**2).sum(axis=1)).ravel()) for rows in (scaled, terms @ diags_array(width))
    )
    height = np.where(length > ZERO * longest, 1 / np.maximum(length, np.finfo(float).tiny), 0.0)
    rows = csr_array(diags_array(height) @ scaled)
    height = np.where(height > 0, height, 1 / np.where(longest > 0, longest, 1.0))
    metric = csc_array(diags_array(width) @ M @ diags_array(width) + REGULAR * eye_array(len(width)))
    factors = splu(csc_array(block_array([[metric, rows.T], [rows, -SOFT * eye_array(A.shape[0])]])))
    return LeastEnergy(width, height, metric, rows, factors)
