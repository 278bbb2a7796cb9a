"""Selection of independent equations among redundant ones, and its change along the motion.

A mechanism with redundant equations is solved by as many independent ones as it has unknowns. Along the motion the
selected ones may lose their rank where all together do not: there no two motions cross, and others are selected. Where
an output time is close to such a position, the equations left out show it, and all equations are solved together.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.solvers.assembly.mobility import scaled_body_blocks, scaled_jacobian
from mubo.solvers.continuation.linear_algebra import is_large

UNSATISFIED = 1e-11  # residual of an equation left out, relative to its largest term


def most_independent_rows(form: Absolute, q: Array, motion: Array) -> Integers:
    """The most independent equations at q, as many as unknowns, by QR with column pivoting of Jᵀ; of a large J body by
    body."""
    from mubo.solvers.assembly.block_rank import decompose_blocks

    if is_large(form):
        return np.array(decompose_blocks(scaled_body_blocks(form, q, motion)[0]).independent, np.int32)
    from scipy.linalg import qr

    J, _ = scaled_jacobian(form, q, motion)
    order = qr(J.T, mode="r", pivoting=True)[1]
    return np.sort(order[: J.shape[1]]).astype(np.int32)


def satisfy_all_equations(form: Absolute, states: Array, motion: Array) -> Array:
    """States that satisfy all equations; those that violate the ones left out are solved again by least squares."""
    out = np.ascontiguousarray(states)
    if is_large(form) or _all_equations_hold(form, out, motion):
        return states
    out = out.copy()
    for k in range(len(out)):
        here = motion[k : k + 1]
        if not _all_equations_hold(form, out[k : k + 1], here):
            by_all = _solve_least_squares(form, out[k][0], motion[k])
            # Equations that contradict each other are left as they are: nothing is smoothed over.
            if _all_equations_hold(form, by_all[None], here):
                out[k] = by_all
    return out


def _all_equations_hold(form: Absolute, states: Array, motion: Array) -> bool:
    """Whether every residual is rounding beside the largest coordinate, velocity and acceleration."""
    largest = np.max(form.system.residuals(states, motion), axis=1, initial=0.0)
    beside = np.max(np.abs(states), axis=(0, 2), initial=0.0)
    return bool(np.all(largest <= UNSATISFIED * np.maximum(beside, form.scale)))


def _solve_least_squares(form: Absolute, q: Array, motion: Array) -> Array:
    """Position, velocity and acceleration by all equations, whose rank is full where they agree."""
    system, weight, rows = form.system, form.weight, form.equation_scales.weight

    def least_squares(at: Array, right: Array) -> Array:
        J = rows[:, None] * np.asarray(system.jacobian(at, motion)) / weight
        return np.asarray(np.linalg.lstsq(J, rows * right, rcond=None)[0]) / weight

    for _ in range(2):  # Gauss-Newton from a position that is nearly solved
        q = q - least_squares(q, system.phi(q, motion))
    v = least_squares(q, system.right_sides(q, np.zeros_like(q), motion)[0])
    return np.stack([q, v, least_squares(q, system.right_sides(q, v, motion)[1])])
