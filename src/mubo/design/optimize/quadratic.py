"""A convex quadratic programme of few unknowns.

    minimise ½ uᵀHu + qᵀu  where  Gu ≥ h

With H = LLᵀ and w = Lᵀu + L⁻¹q it is the point nearest to the origin in a polyhedron, which non-negative least squares
finds: Lawson and Hanson, Solving Least Squares Problems (1974), chapter 23, algorithm LDP.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array


def least(hessian: Array, linear: Array, normals: Array, levels: Array) -> tuple[Array, Array] | None:
    """The unknowns and the multiplier of every row of `normals`; None where no point satisfies all rows."""
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import nnls

    root = cholesky(hessian, lower=True)
    shift = solve_triangular(root, linear, lower=True)
    tilted = solve_triangular(root, normals.T, lower=True).T  # G L⁻ᵀ
    raised = levels + tilted @ shift
    columns = np.vstack([tilted.T, raised])
    size = np.linalg.norm(columns, axis=0)
    size[size == 0.0] = 1.0
    wanted = np.zeros(len(columns))
    wanted[-1] = 1.0
    try:
        weights, _ = nnls(columns / size, wanted, maxiter=30 * len(size))
    except RuntimeError:  # it went round in circles: numbers too far apart to tell them from rounding
        return None
    weights = weights / size
    rest = columns @ weights - wanted
    if -rest[-1] < 1e-14:
        return None
    nearest = rest[:-1] / -rest[-1]
    return solve_triangular(root.T, nearest - shift, lower=False), weights / -rest[-1]
