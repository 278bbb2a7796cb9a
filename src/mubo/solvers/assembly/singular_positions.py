"""Singular positions: their kind, and whether the rank is lost only there.

Of a large J by Lanczos iterations with the inverse of JᵀJ (Golub and Van Loan 2013, section 10.1), whose sparse factors
follow the graph. JᵀJ is kept regular by a share FLOOR² of its largest value: smaller singular values are not
distinguished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.numerics.singularity import DRIVER_SHARE, REGULAR, STOPPED
from mubo.solvers.assembly.mobility import (
    RedundantEquation,
    constraint_rank,
    independent_rows,
    scaled_entries,
    scaled_jacobian,
)
from mubo.solvers.continuation.linear_algebra import is_large

FLOOR = 1e-7  # of the largest singular value


def classify_singularity(form: Absolute, q: Array, motion: Array) -> tuple[str, tuple[str, ...]]:
    """Kind of the singular position at q, and the bodies that can move there while the drivers are fixed.

    Let w be the left null vector of J: wᵀ J = 0. If w has a share in a driver's equation, the driver cannot go on: a
    limit. If not, the velocity equations stay solvable: two motions cross, a bifurcation (Haug 1989, chapter 3).
    """
    smallest = smallest_singular_vectors(form, q, motion)
    if smallest.part > STOPPED:
        return "failure", ()
    drivers = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    share = float(np.max(np.abs(smallest.left[drivers]), initial=0.0))
    moves = np.abs(smallest.right.reshape(-1, form.width)).max(axis=1)
    bodies = tuple(form.free[b] for b in np.flatnonzero(moves > 1e-3 * moves.max()))
    return ("limit" if share > DRIVER_SHARE else "bifurcation"), bodies


def is_regular(form: Absolute, q: Array, motion: Array) -> bool:
    """Whether J is far from losing its rank: its smallest singular value, scaled, is not small."""
    return smallest_singular_vectors(form, q, motion).part > REGULAR


def remain_redundant(form: Absolute, dependent: Sequence[RedundantEquation], q: Array, motion: Array) -> Iterator[bool]:
    """Flags of the redundant equations that are still imposed by the same others at another position.

    In space nearly all equations of a loop have a share, and may take turns: there it counts whether the others still
    determine the motion.
    """
    if form.model.dimension == 3:
        return repeat(constraint_rank(form, q, motion) == len(form.weight), len(dependent))
    row, column, value, _ = scaled_entries(form, q, motion)
    lines: list[dict[int, float]] = [{} for _ in form.equations]
    for k, unknown, part in zip(row.tolist(), column.tolist(), value.tolist(), strict=True):
        lines[k][unknown] = lines[k].get(unknown, 0.0) + part
    return (_is_combination(lines[one.equation], [lines[k] for k in one.with_equations]) for one in dependent)


def _is_combination(line: dict[int, float], others: Sequence[dict[int, float]]) -> bool:
    """Whether a line is a combination of others, all by their unknowns."""
    place = {unknown: k for k, unknown in enumerate(sorted({*line}.union(*others)))}
    J = np.zeros((1 + len(others), len(place)))
    for target, source in zip(J, [line, *others], strict=True):
        target[[place[unknown] for unknown in source]] = list(source.values())
    _, basis = independent_rows(J[1:])
    return float(np.linalg.norm(J[0] - basis.T @ (basis @ J[0]))) < 1e-6


def generic_rank(form: Absolute, q: Array, motion: Array) -> int:
    """Rank at a position displaced at random by a tenth of the mechanism's size: the rank in general, not at q."""
    shift = np.random.default_rng(0).uniform(-0.1, 0.1, len(q)) / form.weight
    return constraint_rank(form, q + shift, motion)


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
