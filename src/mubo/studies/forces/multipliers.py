"""λ of Jᵀλ = Q − M a at every row of a motion.

As many independent equations as freedoms: the core's dense factors, or sparse ones of a large system. Fewer, where a
motion has freedoms of its own: Q − M a is then a combination of the rows of J, and with the slack r ≈ 0

    [1 Jᵀ; J 0] [r; λ] = [Q − M a; 0]

has the same λ, well conditioned. More equations than freedoms: see `sharing`.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.studies.position.linear import is_large

FREEDOMS = {2: 3, 3: 6}
# Values, and their rows and columns.
Entries = tuple[Array, tuple[Integers, Integers]]


def working_equations(form: Absolute) -> Integers:
    """Those that exert something: all but unit quaternions."""
    return np.array([k for k, e in enumerate(form.equations) if e.kind != "body"], np.int32)


def freedoms_of_bodies(form: Absolute) -> int:
    return FREEDOMS[form.mechanism.dimension] * len(form.free)


def multipliers(form: Absolute, states: Array, motion: Array, right: Array) -> Array:
    """λ, times × equations, where every equation is independent; NaN at singular positions."""
    active = working_equations(form)
    if len(active) < freedoms_of_bodies(form):
        return _with_slack(form, active, states, motion, right)
    if is_large(form):
        return _sparse(form, active, states, motion, right)
    return np.asarray(form.system.multipliers(active, states, motion, right))


def _with_slack(form: Absolute, active: Integers, states: Array, motion: Array, right: Array) -> Array:
    """The same where freedoms are left: moments count as forces at one size of the mechanism."""
    n, m, dimension = freedoms_of_bodies(form), len(active), form.mechanism.dimension
    turns = np.tile(np.arange(FREEDOMS[dimension]) >= dimension, len(form.free))
    scale = np.where(turns, 1 / form.mechanism.size, 1.0)
    out = np.full((len(states), len(form.equations)), np.nan)
    out[:, np.setdiff1d(np.arange(len(form.equations)), active)] = 0.0
    slot = np.full(len(form.equations), -1)
    slot[active] = np.arange(m)
    solve = _sparse_slack if is_large(form) else _dense_slack
    for k, (state, law) in enumerate(zip(states, motion, strict=True)):
        rows, columns, values = form.system.twist_jacobian_entries(np.ascontiguousarray(state[0]), law).T
        kept, at = slot[rows.astype(int)] >= 0, columns.astype(int)
        entries = (values * scale[at])[kept], (slot[rows[kept].astype(int)], at[kept])
        # What is exactly singular stays NaN, which is told as a singular position.
        with suppress(RuntimeError, np.linalg.LinAlgError):
            out[k, active] = solve(entries, m, n, np.concatenate([right[k] * scale, np.zeros(m)]))[n:]
    return out


def _dense_slack(entries: Entries, m: int, n: int, right: Array) -> Array:
    values, (rows, columns) = entries
    matrix = np.zeros((n + m, n + m))
    matrix[:n, :n] = np.eye(n)
    np.add.at(matrix, (n + rows, columns), values)
    matrix[:n, n:] = matrix[n:, :n].T
    return np.asarray(np.linalg.solve(matrix, right))


def _sparse_slack(entries: Entries, m: int, n: int, right: Array) -> Array:
    from scipy.sparse import bmat, csc_matrix, eye
    from scipy.sparse.linalg import splu

    J = csc_matrix(entries, shape=(m, n))
    return np.asarray(splu(csc_matrix(bmat([[eye(n), J.T], [J, None]]))).solve(right))


def _sparse(form: Absolute, active: Integers, states: Array, motion: Array, right: Array) -> Array:
    """The same by sparse factors of Jᵀ, whose pattern is the same at every row."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    out = np.full((len(states), len(form.equations)), np.nan)
    out[:, np.setdiff1d(np.arange(len(form.equations)), active)] = 0.0
    slot = np.full(len(form.equations), -1)
    slot[active] = np.arange(len(active))
    for k, (state, law) in enumerate(zip(states, motion, strict=True)):
        rows, columns, values = form.system.twist_jacobian_entries(np.ascontiguousarray(state[0]), law).T
        kept = slot[rows.astype(int)] >= 0
        where = (columns[kept].astype(int), slot[rows[kept].astype(int)])
        transposed = csc_matrix((values[kept], where), shape=(len(active), len(active)))
        try:
            out[k, active] = splu(transposed).solve(right[k])
        except RuntimeError:  # exactly singular: stays NaN, which is told as a singular position
            continue
    return out
