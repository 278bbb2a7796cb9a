"""Singular positions: what kind they are, and whether a lost rank is lost only here."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.studies.position.diagnose import Dependence, independent_rows, scaled_jacobian


def classify_singularity(form: Absolute, q: Array, motion: Array) -> tuple[str, tuple[str, ...]]:
    """Kind of the singular position at q, and the bodies that can move there while the drivers stand still.

    Let w be the left null vector of J: wᵀ J = 0. If w has a share in a driver's equation, the driver cannot go on: a
    limit. If not, the velocity equations stay solvable: two motions cross, a bifurcation (Haug 1989, chapter 3).
    """
    J, _ = scaled_jacobian(form, q, motion)
    left, values, right = np.linalg.svd(J)
    if values[-1] > 1e-3 * values[0]:
        return "failure", ()
    drivers = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    share = float(np.max(np.abs(left[drivers, len(values) - 1]), initial=0.0))
    moves = np.abs(right[-1].reshape(-1, form.width)).max(axis=1)
    bodies = tuple(form.free[b] for b in np.flatnonzero(moves > 1e-3 * moves.max()))
    return ("limit" if share > 1e-4 else "bifurcation"), bodies


def is_regular(form: Absolute, q: Array, motion: Array) -> bool:
    """Whether J is far from losing its rank: its smallest singular value, scaled, is not small."""
    J, _ = scaled_jacobian(form, q, motion)
    values = np.linalg.svd(J, compute_uv=False)
    return bool(values[-1] > 1e-4 * values[0])


def depends_at(form: Absolute, dependence: Dependence, q: Array, motion: Array) -> bool:
    """Whether an equation is still imposed by the same others at another position.

    In space nearly all equations of a loop have a share, and may take turns: there it counts whether the others still
    determine the motion.
    """
    J, _ = scaled_jacobian(form, q, motion)
    if form.model.dimension == 3:
        return len(independent_rows(J)[0]) == len(form.weight)
    _, basis = independent_rows(J[list(dependence.with_equations)])
    row = J[dependence.equation]
    rest = row - basis.T @ (basis @ row)
    return float(np.linalg.norm(rest)) < 1e-6


def generic_rank(form: Absolute, q: Array, motion: Array) -> int:
    """Rank at a position moved at random by a tenth of the mechanism's size: what holds in general, not here."""
    shift = np.random.default_rng(0).uniform(-0.1, 0.1, len(q)) / form.weight
    return len(independent_rows(scaled_jacobian(form, q + shift, motion)[0])[0])
