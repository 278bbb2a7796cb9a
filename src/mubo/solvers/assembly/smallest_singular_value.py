"""The smallest singular value of J with its vectors: the motion that the equations resist least.

Of a large J by Lanczos iterations with the inverse of JᵀJ (Golub and Van Loan 2013, section 10.1), whose sparse factors
follow the graph. JᵀJ is kept regular by a share FLOOR² of its largest value: smaller singular values are not told
apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.mobility import scaled_entries, scaled_jacobian
from mubo.solvers.continuation.linear_algebra import is_large

FLOOR = 1e-7  # of the largest singular value


@dataclass(frozen=True)
class SmallestSingularVectors:
    """Vectors u, v and σ / σ_max of the smallest σ with J v = σ u; J scaled as for its rank."""

    part: float
    left: Array
    right: Array


def smallest_singular_vectors(form: Absolute, q: Array, motion: Array) -> SmallestSingularVectors:
    """Smallest singular value and vectors of J at q, with at least as many equations as unknowns."""
    if is_large(form):
        from scipy.sparse import csc_matrix

        row, column, value, _ = scaled_entries(form, q, motion)
        return sparse_smallest_singular_vectors(
            csc_matrix((value, (row, column)), (form.system.equations, form.system.unknowns))
        )
    left, values, right = np.linalg.svd(scaled_jacobian(form, q, motion)[0])
    return SmallestSingularVectors(float(values[-1] / values[0]), left[:, len(values) - 1], right[len(values) - 1])


def sparse_smallest_singular_vectors(J: Any) -> SmallestSingularVectors:
    """Smallest singular value and vectors of a sparse matrix."""
    right, largest = _smallest_eigenvector(J.T @ J)
    image = J @ right
    smallest = float(np.linalg.norm(image))
    # Of a square J the left vector is found as well as the right one; J v / σ would be lost in rounding at σ = 0.
    left = _smallest_eigenvector(J @ J.T)[0] if J.shape[0] == J.shape[1] else image / (smallest or 1.0)
    return SmallestSingularVectors(smallest / largest, left, right)


def _smallest_eigenvector(square: Any) -> tuple[Array, float]:
    """Eigenvector of the smallest eigenvalue of a matrix A Aᵀ, and the largest singular value of A."""
    from scipy.sparse import identity
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    start = np.random.default_rng(0).standard_normal(square.shape[0])
    largest = float(eigsh(square, 1, which="LM", v0=start, tol=1e-3, return_eigenvectors=False)[0])
    factor = splu((square + FLOOR**2 * largest * identity(square.shape[0])).tocsc())
    inverse = LinearOperator(square.shape, matvec=factor.solve, dtype=float)
    return eigsh(inverse, 1, which="LM", v0=start)[1][:, 0], largest**0.5
