"""Singular positions: what kind they are, and whether a lost rank is lost only here."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Compiled
from mubo.studies.position.diagnose import Dependence, independent_rows, scaled_jacobian


def classify_singularity(compiled: Compiled, q: Array, motion: Array) -> tuple[str, tuple[str, ...]]:
    """Kind of the singular position at q, and the bodies that can move there while the drivers stand still.

    Let w be the left null vector of J: wᵀ J = 0. If w has a share in a driver's equation, the driver cannot go on: a
    limit. If not, the velocity equations stay solvable: two motions cross, a bifurcation (Haug 1989, chapter 3).
    """
    J, _ = scaled_jacobian(compiled, q, motion)
    left, values, right = np.linalg.svd(J)
    if values[-1] > 1e-3 * values[0]:
        return "failure", ()
    drivers = [k for k, equation in enumerate(compiled.equations) if equation.kind == "driver"]
    share = float(np.max(np.abs(left[drivers, len(values) - 1]), initial=0.0))
    moves = np.abs(right[-1].reshape(-1, compiled.width)).max(axis=1)
    bodies = tuple(compiled.free[b] for b in np.flatnonzero(moves > 1e-3 * moves.max()))
    return ("limit" if share > 1e-4 else "bifurcation"), bodies


def is_regular(compiled: Compiled, q: Array, motion: Array) -> bool:
    """Whether J is far from losing its rank: its smallest singular value, scaled, is not small."""
    J, _ = scaled_jacobian(compiled, q, motion)
    values = np.linalg.svd(J, compute_uv=False)
    return bool(values[-1] > 1e-4 * values[0])


def depends_at(compiled: Compiled, dependence: Dependence, q: Array, motion: Array) -> bool:
    """Whether an equation is still imposed by the same others at another position.

    In space nearly all equations of a loop have a share, and may take turns: there it counts whether the others still
    determine the motion.
    """
    J, _ = scaled_jacobian(compiled, q, motion)
    if compiled.model.dimension == 3:
        return len(independent_rows(J)[0]) == len(compiled.weight)
    _, basis = independent_rows(J[list(dependence.with_equations)])
    row = J[dependence.equation]
    rest = row - basis.T @ (basis @ row)
    return float(np.linalg.norm(rest)) < 1e-6


def generic_rank(compiled: Compiled, q: Array, motion: Array) -> int:
    """Rank at a position moved at random by a tenth of the mechanism's size: what holds in general, not here."""
    shift = np.random.default_rng(0).uniform(-0.1, 0.1, len(q)) / compiled.weight
    return len(independent_rows(scaled_jacobian(compiled, q + shift, motion)[0])[0])
