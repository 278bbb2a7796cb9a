"""Lagrange multipliers λ of Jᵀλ = Q − M a at every row of a motion.

As many independent equations as degrees of freedom: the core's dense factors, or sparse ones of a large system. Fewer,
where a motion has degrees of freedom of its own: Q − M a is then a combination of the rows of J, and with the slack r ≈
0

    [1 Jᵀ; J 0] [r; λ] = [Q − M a; 0]

has the same λ, well conditioned. More equations than degrees of freedom: see redundant_reactions.py.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from mubo.arrays import Array, Integers, is_among
from mubo.geometry.rotation import product
from mubo.mechanism import Absolute
from mubo.solvers.continuation.linear_algebra import is_large

MOST_NUMBERS = 1_000_000  # in the matrices of rows that are solved together
# Values, and their rows and columns.
Entries = tuple[Array, tuple[Integers, Integers]]


def working_equations(form: Absolute) -> Integers:
    """Equations that exert forces: all but those of unit quaternions."""
    return np.array([k for k, e in enumerate(form.equations) if e.kind != "body"], np.int32)


def body_dofs(form: Absolute) -> int:
    return len(form.mechanism.ambient.twist) * len(form.free)


def multipliers(form: Absolute, states: Array, motion: Array, right: Array) -> Array:
    """Multipliers λ, times × equations, where every equation is independent; NaN at singular positions.

    Moments count as forces at the size of the mechanism.
    """
    active, n = working_equations(form), body_dofs(form)
    m, large = len(active), is_large(form)
    if m >= n and not large:
        return np.asarray(form.system.multipliers(active, states, motion, right))
    turns = np.tile(form.mechanism.ambient.is_rotation, len(form.free))
    scale = np.where(turns, 1 / form.mechanism.size, 1.0)
    out = np.full((len(states), len(form.equations)), np.nan)
    out[:, ~is_among(np.arange(len(form.equations)), active)] = 0.0
    slot = np.full(len(form.equations), -1)
    slot[active] = np.arange(m)
    solve = _solve_sparse if large else _solve_with_slack
    together = 1 if large else max(1, MOST_NUMBERS // (n + m) ** 2)
    for first in range(0, len(states), together):
        entries: list[Entries] = []
        for state, law in zip(states[first : first + together], motion[first : first + together], strict=True):
            rows, columns, values = form.system.twist_jacobian_entries(np.ascontiguousarray(state[0]), law).T
            kept, at = slot[rows.astype(int)] >= 0, columns.astype(int)
            entries.append(((values * scale[at])[kept], (slot[rows[kept].astype(int)], at[kept])))
        out[first : first + together, active] = solve(entries, m, n, right[first : first + together] * scale)
    return out


def _solve_with_slack(entries: list[Entries], m: int, n: int, right: Array) -> Array:
    """λ of several rows by dense factors of [1 Jᵀ; J 0]."""
    matrix = np.zeros((len(entries), n + m, n + m))
    matrix[:, np.arange(n), np.arange(n)] = 1.0
    for k, (values, (rows, columns)) in enumerate(entries):
        np.add.at(matrix[k], (n + rows, columns), values)
    matrix[:, :n, n:] = matrix[:, n:, :n].transpose(0, 2, 1)
    sides = np.concatenate([right, np.zeros((len(right), m))], axis=1)
    try:
        return np.asarray(np.linalg.solve(matrix, sides[..., None]))[:, n:, 0]
    except np.linalg.LinAlgError:  # one row is exactly singular: it stays NaN, reported as a singular position
        if len(entries) == 1:
            return np.full((1, m), np.nan)
        each = zip(entries, right, strict=True)
        return np.concatenate([_solve_with_slack([one], m, n, side[None]) for one, side in each])


def _solve_sparse(entries: list[Entries], m: int, n: int, right: Array) -> Array:
    """λ of one row by sparse factors of Jᵀ or, with undriven degrees of freedom, of [1 Jᵀ; J 0]."""
    from scipy.sparse import bmat, csc_matrix, eye
    from scipy.sparse.linalg import splu

    (of_row,), (side,) = entries, right
    J = csc_matrix(of_row, shape=(m, n))
    out = np.full((1, m), np.nan)
    with suppress(RuntimeError):  # exactly singular: it stays NaN, reported as a singular position
        if m == n:
            out[0] = splu(csc_matrix(J.T)).solve(side)
        else:
            slack = splu(csc_matrix(bmat([[eye(n), J.T], [J, None]])))
            out[0] = slack.solve(np.concatenate([side, np.zeros(m)]))[n:]
    return out


def states_from_twists(form: Absolute, q: Array, twists: Array, changes: Array | None = None) -> Array:
    """States, positions × (q, q̇, q̈) × unknowns, from twists of all moving bodies and their derivatives (zero if left
    out).

    In space ṗ = ½ ω p and p̈ = ½ α p + ½ ω ṗ; in the plane twists are the rates of the unknowns.
    """
    changes = np.zeros_like(twists) if changes is None else changes
    q = np.broadcast_to(q, (len(twists), np.shape(q)[-1]))
    if form.mechanism.dimension == 2:
        return np.stack([q, twists, changes], 1)
    p = q.reshape(len(q), -1, 7)[..., 3:]
    v, a = (part.reshape(len(q), -1, 6) for part in (twists, changes))
    omega, alpha = (_pure_quaternions(part[..., 3:]) for part in (v, a))
    rate = 0.5 * product(omega, p)
    bend = 0.5 * product(alpha, p) + 0.5 * product(omega, rate)
    rates = np.concatenate([v[..., :3], rate], -1).reshape(len(q), -1)
    return np.stack([q, rates, np.concatenate([a[..., :3], bend], -1).reshape(len(q), -1)], 1)


def _pure_quaternions(vectors: Array) -> Array:
    """Vectors as quaternions without a scalar part."""
    return np.concatenate([np.zeros((*vectors.shape[:-1], 1)), vectors], -1)
