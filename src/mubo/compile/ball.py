"""Between the core's ball (unit quaternion, angular velocity in the child's axes) and the coordinates of its joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.compile.links import Motion
from mubo.model.rotation import UNIT, conjugate, euler_axes, euler_of, matrix, of_euler
from mubo.motion.law import Array

LOST = 1e-9  # sine of the middle angle below which Euler rates have no digit left


def core_ball(motion: Motion, q: Sequence[float], v: Sequence[float], given: bool) -> tuple[Array, Array]:
    """The core's quaternion and angular velocity of a joint's coordinates and rates; zeros stand for the zero pose."""
    count = 3 if motion.euler else 4
    own_q, own_v = q[motion.first : motion.first + count], np.array(v[motion.first : motion.first + 3])
    if motion.euler:
        p, omega = of_euler(motion.euler, own_q), euler_axes(motion.euler, own_q) @ own_v
    else:
        p, omega = np.array(own_q if given else UNIT, float), own_v
        p = p / np.linalg.norm(p)
    if motion.forward:
        return p, omega
    return conjugate(p), -matrix(p) @ omega  # of the first body against the second, in the first body's axes


def ball_columns(
    motion: Motion, p: Array, omega: Array, alpha: Array, near: Sequence[float]
) -> tuple[Array, Array, Array]:
    """Coordinates, rates and accelerations of the joint along a motion; Euler angles go on without jumps.

    Where the first and last Euler axis line up, rates and accelerations of the angles do not exist: NaN.
    """
    if not motion.forward:
        turned = matrix(p)
        omega, alpha = -_times(turned, omega), -_times(turned, alpha)
        p = conjugate(p)
    if not motion.euler:
        return p, omega, alpha
    angles, rates, bends = np.empty((len(p), 3)), np.empty((len(p), 3)), np.empty((len(p), 3))
    last: Sequence[float] | Array = near[:3] if len(near) >= 3 else (0.0, 0.0, 0.0)
    for k in range(len(p)):
        last = angles[k] = euler_of(motion.euler, p[k], last)
        P = euler_axes(motion.euler, angles[k])
        if abs(np.linalg.det(P)) < LOST:
            rates[k] = bends[k] = np.nan
            continue
        rates[k] = np.linalg.solve(P, omega[k])
        bends[k] = np.linalg.solve(P, alpha[k] - _turning(P, rates[k]))
    return angles, rates, bends


def _turning(P: Array, rate: Array) -> Array:
    """Σ p_k′ rate_k at constant rates: p_1 turns against the middle and last axes, p_2 against the last.

    In the axes of the turned body a vector fixed in a frame that lags by ω_rest changes by −ω_rest × p.
    """
    first, middle, last = P.T
    rest_of_first = middle * rate[1] + last * rate[2]
    rest_of_middle = last * rate[2]
    turned = np.cross(rest_of_first, first) * rate[0] + np.cross(rest_of_middle, middle) * rate[1]
    return np.asarray(-turned)


def _times(A: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", A, vectors))
