"""Least squares of many starts at once, with an unknown of its own at every point beside those of the linkage.

The unknowns are x (a line per start) and one angle θ_k per point. Residuals of a point depend on x and its own θ_k, so
the normal equations are solved for x alone, the angles eliminated point by point. Steps are those of Levenberg and
Marquardt with the second-order term along the step (geodesic acceleration: M. K. Transtrum and J. P. Sethna,
arXiv:1201.5885), which follows the narrow curved valleys of coupler curves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass

PROBE = 0.1  # part of a step at which its curvature is looked at
BENT = 0.75  # most of twice the second-order term beside the step
FIRST, LEAST, MOST = 0.1, 1e-14, 1e8  # damping
DONE = 1e-28  # sum of squares of what is solved
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Look:
    """Residuals (starts × points × rows), and their derivatives by x (… × unknowns) and by the point's own angle."""

    r: Array
    by_x: Array
    by_angle: Array


Residuals = Callable[[Array, Array, Numbers, bool], Look]  # x, θ, numbers of the starts, whether derivatives are wanted


def least_squares(
    residuals: Residuals, x: Array, theta: Array, iterations: int, damping: float = FIRST
) -> tuple[Array, Array, Array]:
    """x, θ and the sum of squares where each start has come to."""
    x, theta = x.copy(), theta.copy()
    lam, cost = np.full(len(x), damping), np.full(len(x), np.inf)
    active = np.arange(len(x))
    for _ in range(iterations):
        if not len(active):
            break
        X, T = x[active], theta[active]
        look = residuals(X, T, active, True)
        cost[active] = _squares(look.r)
        dx, dtheta, straight = _step(residuals, look, X, T, active, lam[active])
        tried = _squares(residuals(X + dx, T + dtheta, active, False).r)
        better = (tried < cost[active]) & straight
        x[active[better]] += dx[better]
        theta[active[better]] += dtheta[better]
        cost[active[better]] = tried[better]
        lam[active] = np.where(better, lam[active] * 0.2, lam[active] * 4)
        active = active[(cost[active] > DONE) & (lam[active] < MOST) & np.isfinite(cost[active])]
    return x, theta, cost


def _squares(r: Array) -> Array:
    total = np.sum(r**2, axis=(1, 2))
    return np.where(np.isnan(total), np.inf, total)


def _step(
    residuals: Residuals, look: Look, x: Array, theta: Array, active: Numbers, lam: Array
) -> tuple[Array, Array, Booleans]:
    """The damped step with its second-order term, and whether it is straight enough to be trusted."""
    J, t = look.by_x, look.by_angle
    starts, points, rows, unknowns = J.shape
    flat = J.reshape(starts, points * rows, unknowns)
    H = flat.transpose(0, 2, 1) @ flat
    lam = lam + LEAST * np.einsum("sii->s", H)
    own = 1 / (np.sum(t * t, axis=2) + lam[:, None])
    tJ = np.einsum("snm,snmk->snk", t, J)
    H -= (tJ * own[..., None]).transpose(0, 2, 1) @ tJ
    H[:, np.arange(unknowns), np.arange(unknowns)] += lam[:, None]
    H = np.where(np.isfinite(H), H, np.eye(unknowns))
    inverse = np.linalg.inv(H)

    def eliminate_angles(r: Array) -> tuple[Array, Array]:
        tr = np.sum(t * r, axis=2)
        g = np.einsum("snmk,snm->sk", J, r) - np.einsum("snk,sn->sk", tJ, own * tr)
        dx = -np.einsum("skl,sl->sk", inverse, g)
        return dx, -(tr + np.einsum("snk,sk->sn", tJ, dx)) * own

    dx, dtheta = eliminate_angles(look.r)
    ahead = residuals(x + PROBE * dx, theta + PROBE * dtheta, active, False).r
    linear = np.einsum("snmk,sk->snm", J, dx) + t * dtheta[..., None]
    bend = (2 / PROBE) * ((ahead - look.r) / PROBE - linear)
    ax, atheta = eliminate_angles(np.nan_to_num(bend, posinf=0.0, neginf=0.0))
    size = np.sqrt(np.sum(dx**2, axis=1) + np.sum(dtheta**2, axis=1))
    straight = 2 * np.sqrt(np.sum(ax**2, axis=1) + np.sum(atheta**2, axis=1)) <= BENT * size
    return dx + 0.5 * ax, dtheta + 0.5 * atheta, straight
