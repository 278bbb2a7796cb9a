"""Motion of spatial bodies and of vectors fixed in them, over all times at once.

A motion is an array (times, 3, …): value, first and second derivative by time. ω = 2 ṗ p* and α = 2 p̈ p* are in
ground axes (Haug 1989, section 9.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import UNIT, conjugate, matrix, product
from mubo.laws.tangent import as_array, beside


@dataclass(frozen=True)
class BodyMotion:
    """Origin r (times, 3, 3), quaternion p (times, 4), angular velocity and acceleration (times, 3)."""

    r: Array
    p: Array
    omega: Array
    alpha: Array

    def vector(self, s: Sequence[float] | Array) -> Array:
        """Vector A s with its derivatives: u, ω × u, α × u + ω × (ω × u)."""
        u = matrix(self.p) @ beside(self.p, s)
        first = _cross(self.omega, u)
        return np.stack([u, first, _cross(self.alpha, u) + _cross(self.omega, first)], 1)

    def point(self, s: Sequence[float] | Array) -> Array:
        """Point r + A s with its derivatives."""
        return self.r + self.vector(s)

    def table(self) -> Array:
        """Array of 19 numbers a row: position, quaternion, velocity, angular velocity, and the derivatives of the last
        two."""
        r, v, a = self.r[:, 0], self.r[:, 1], self.r[:, 2]
        return np.concatenate([r, self.p, v, self.omega, a, self.alpha], axis=1)


YZX, ZXY = [1, 2, 0], [2, 0, 1]


def _cross(a: Array, b: Array) -> Array:
    """Cross product a × b, row by row: for few rows numpy's own is mostly overhead."""
    return as_array(a[:, YZX] * b[:, ZXY] - a[:, ZXY] * b[:, YZX])


def body_motion(states: Array) -> BodyMotion:
    """Motion of a body from its seven unknowns with their derivatives: (times, 3, 7)."""
    p, back = states[:, 0, 3:], conjugate(states[:, 0, 3:])
    omega, alpha = (2 * product(states[:, order, 3:], back)[:, 1:] for order in (1, 2))
    return BodyMotion(states[:, :, :3], p, omega, alpha)


def ground_motion(times: int, like: Array | None = None) -> BodyMotion:
    """Motion of the ground, which is at rest."""
    still = beside(like, np.zeros((times, 3)))
    return BodyMotion(beside(like, np.zeros((times, 3, 3))), beside(like, np.tile(UNIT, (times, 1))), still, still)


def dot_motion(a: Array, b: Array) -> Array:
    """Scalar product a · b of two moving vectors with its derivatives."""
    inner = [[np.sum(a[:, i] * b[:, j], axis=1) for j in range(3)] for i in range(3)]
    return np.stack([inner[0][0], inner[1][0] + inner[0][1], inner[2][0] + 2 * inner[1][1] + inner[0][2]], 1)


def angle_motion(base: Array, toward: Array, arm: Array) -> Array:
    """Angle of `arm` from `base` towards `toward`, between −π and π, with its derivatives."""
    (x, dx, ddx), (y, dy, ddy) = (each.T for each in (dot_motion(base, arm), dot_motion(toward, arm)))
    square = x**2 + y**2
    rate = (x * dy - y * dx) / square
    bend = (x * ddy - y * ddx) / square - 2 * rate * (x * dx + y * dy) / square
    return np.stack([np.arctan2(y, x), rate, bend], 1)
