"""Between the core's ball (unit quaternion, angular velocity in the child's axes) and the coordinates of its joint."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import conjugate, euler_axes, matrix, of_euler
from mubo.laws.tangent import as_array, value_of
from mubo.mechanism.formulations.links import LinkMotion

LOST = 1e-9  # sine of the middle angle below which Euler rates have no digit left


def core_ball(motion: LinkMotion, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """The core's quaternion, angular velocity and acceleration of a joint's coordinates (rows, 3 or 4) and rates."""
    if motion.euler:
        P = euler_axes(motion.euler, q)
        p, omega = of_euler(motion.euler, q), _times(P, v)
        alpha = _times(P, a) + _turning(P, v)
    else:
        p, omega, alpha = q / np.linalg.norm(q, axis=-1, keepdims=True), v, a
    if motion.forward:
        return p, omega, alpha
    turned = matrix(p)  # of the first body against the second, in the first body's axes
    return conjugate(p), -_times(turned, omega), -_times(turned, alpha)


def joint_ball(motion: LinkMotion, p: Array, omega: Array, alpha: Array) -> tuple[Array, Array, Array]:
    """Quaternion, angular velocity and acceleration of the second body against the first, in the second's axes."""
    if motion.forward:
        return p, omega, alpha
    turned = matrix(p)
    return conjugate(p), -_times(turned, omega), -_times(turned, alpha)


def euler_rates(sequence: str, angles: Array, omega: Array, alpha: Array) -> tuple[Array, Array]:
    """Rates and accelerations of Euler angles along a motion: ω = P rate, α = P bend + Ṗ rate.

    Where the first and last axis line up they do not exist: NaN.
    """
    P = euler_axes(sequence, angles)
    lost = np.abs(np.linalg.det(value_of(P))) < LOST
    P[lost] = np.eye(3)
    rates = as_array(np.linalg.solve(P, omega[..., None])[..., 0])
    bends = as_array(np.linalg.solve(P, (alpha - _turning(P, rates))[..., None])[..., 0])
    rates[lost] = bends[lost] = np.nan
    return rates, bends


def _turning(P: Array, rate: Array) -> Array:
    """Σ p_k′ rate_k at constant rates: p_1 turns against the middle and last axes, p_2 against the last.

    In the axes of the turned body a vector fixed in a frame that lags by ω_rest changes by −ω_rest × p.
    """
    first, middle, last = np.moveaxis(P, -1, 0)
    one, two, three = (rate[..., k, None] for k in range(3))
    turned = np.cross(middle * two + last * three, first) * one + np.cross(last * three, middle) * two
    return as_array(-turned)


def _times(A: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", A, vectors))
