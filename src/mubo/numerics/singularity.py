"""Singularity of scaled Jacobians, decided in one place: every threshold on singular values with its reason.

Rows and columns are scaled so that units do not matter; σ is the smallest singular value, relative to the largest one
unless stated otherwise.
"""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array

REGULAR = 1e-4  # σ above it: a step that leaves its prediction there follows a corner of a motion law, no other branch
STOPPED = 1e-3  # σ below it where a motion stopped: the stop is a singular position, no failure of Newton's method
DRIVER_SHARE = 1e-4  # largest component of the left null vector in a driver's equation: above it the driver is blocked
CHANGE_POINT = 1e-5  # σ below it is zero at a change point, which is located to rounding
SECOND_NULL_VECTOR = 1e-6  # second smallest singular value, absolute: below it two motions cannot be separated
UNBOUNDED = 1e-10  # σ below it: multipliers are unbounded
NEAR_SINGULAR = 0.1 / math.sqrt(2)  # σ, absolute, of a dyad whose transmission angle is 0.1 rad, a pin's friction angle


def smallest_singular_values(matrices: Array) -> Array:
    """Smallest singular value of each matrix of a stack of shape (…, m, n)."""
    if not len(matrices):
        return np.zeros(0)
    return np.asarray(np.linalg.svd(matrices, compute_uv=False)[:, -1], float)
