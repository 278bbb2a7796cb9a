"""Coordinates of spatial joints along a motion with their rates; angles count revolutions.

A motion is an array (times, 3, …): value, first and second derivative by time. ω = 2 ṗ p* and α = 2 p̈ p* are in
ground axes (Haug 1989, section 9.3).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry import UNIT
from mubo.geometry.rotation import axis_of, conjugate, euler_along, matrix, of_matrix, product
from mubo.laws.tangent import as_array, beside, value_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.links import euler_rates
from mubo.mechanism.joint_frames import JointMotion
from mubo.numerics.quintic import quintic_hermite
from mubo.results import Columns

MAX_PREDICTION_ERROR = (
    1.0  # radians between an angle and what its rates predict, from which full turns may be miscounted
)
Coordinates = tuple[Array, Array, Array]  # q, v and a: (times, coordinates)


def joint_coordinates(
    stack: JointMotion, first: BodyMotion, second: BodyMotion, t: Array, start: list[float], driven: dict[int, Array]
) -> list[Coordinates]:
    """q, v and a of each joint motion in turn. `start` is near the first value of each coordinate; `driven` are known
    angles by the number of their motion."""
    gap = second.point(stack.on) - first.point(stack.at)
    out = []
    for number, dof in enumerate(stack.dofs):
        near, start = start[: len(dof.q)], start[len(dof.q) :]
        if dof.kind == "ball":
            ball = _ball_motion(stack, first, second)
            out.append(_euler_motion(dof.euler, ball, t, near) if dof.euler else ball)
            continue
        if dof.kind == "turn":
            motion = _turn_angle(stack, first, second, number)
            motion[:, 0] = unwrap_angle(motion, t, near[0], driven.get(number))
        else:
            motion = dot_motion(first.vector(stack.F @ axis_of(dof.axis)), gap)
            motion = motion / stack.advance if dof.kind == "screw" else motion
        out.append((motion[:, :1], motion[:, 1:2], motion[:, 2:]))
    return out


def _turn_angle(stack: JointMotion, first: BodyMotion, second: BodyMotion, number: int) -> Array:
    swapped, base, toward, arm = stack.measured_by(number)
    one, other = (second, first) if swapped else (first, second)
    return angle_motion(one.vector(base), one.vector(toward), other.vector(arm))


def unwrap_angle(motion: Array, t: Array, start: float, driven: Array | None) -> Array:
    """Angle with its revolutions: from the driver that it follows, else from row to row by its rates."""
    found = motion[:, 0]
    if driven is not None:
        return found + whole_turns(driven - value_of(found))
    here = value_of(motion)
    turns = np.concatenate([[value_of(start) - here[0, 0]], predicted_change(here, t) - np.diff(here[:, 0])])
    return found + np.cumsum(whole_turns(turns))


def unwrap_between_rows(run: Columns, name: str, at: Array, values: Array) -> Array:
    """Angle between the rows of a run with the revolutions of the rows around it.

    NaN where it does not go on from them.
    """
    first = run.derivative(name)
    second = run.derivative(first) if first else None
    if first is None or second is None or not len(values):
        return values
    t, motion = run.raw("t"), np.stack([run.raw(column) for column in (name, first, second)])
    row = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)
    after = np.minimum(row + 1, len(t) - 1)
    h = np.where(after > row, t[after] - t[row], 1.0)
    d = at - t[row]
    expected = quintic_hermite(h, motion[:, row], motion[:, after], d / h)
    beyond = motion[0, row] + d * (motion[1, row] + 0.5 * d * motion[2, row])
    expected = np.where(after > row, expected, beyond)
    values = values + whole_turns(expected - values)
    return np.where(np.abs(values - expected) < MAX_PREDICTION_ERROR, values, np.nan)


def align_quaternions(run: Columns, found: Columns) -> dict[str, Array]:
    """Quaternions of joints between the rows of a run with the sign of the row before: p and −p are the same turn."""
    rows = np.clip(np.searchsorted(run.raw("t"), found.raw("t"), side="right") - 1, 0, None)
    out: dict[str, Array] = {}
    for owner in dict.fromkeys(c.owner for c in found.of_kind("joint") if c.holds == "number"):
        names = [c.name for c in found.of_kind("joint", owner) if c.holds == "number" and c.order == 0]
        dot = sum(found.raw(name) * run.raw(name)[rows] for name in names)
        out |= {name: np.where(dot < 0, -found.raw(name), found.raw(name)) for name in names}
    return out


def whole_turns(away: Array) -> Array:
    """Whole turns that are nearest to an angle."""
    return np.asarray(2 * np.pi * np.round(value_of(away) / (2 * np.pi)))


def predicted_change(motion: Array, t: Array) -> Array:
    """Change of a coordinate from row to row by its rates at both ends (Hermite)."""
    h, (_, v, a) = np.diff(t), motion.T
    return np.asarray(h * (v[:-1] + v[1:]) / 2 + h**2 * (a[:-1] - a[1:]) / 12)


def _ball_motion(stack: JointMotion, first: BodyMotion, second: BodyMotion) -> Coordinates:
    """Quaternion of R = (A_i F)ᵀ A_j G, and the angular velocity of the second body relative to the first, in the axes
    of the joint's frame on the second body, with its derivative."""
    inner = product(conjugate(first.p), second.p)
    q = product(product(conjugate(of_matrix(stack.F)), inner), of_matrix(stack.G))
    omega = second.omega - first.omega
    change = second.alpha - first.alpha - np.cross(second.omega, omega)  # as the second body sees it
    axes = [second.vector(axis)[:, 0] for axis in stack.G.T]
    v, a = (np.stack([np.sum(axis * rate, axis=1) for axis in axes], 1) for rate in (omega, change))
    return (q if q[0, 0] >= 0 else -q), v, a


def _euler_motion(sequence: str, ball: Coordinates, t: Array, near: list[float]) -> Coordinates:
    """Motion of a ball in Euler angles; their rates are NaN where the first and last axis line up."""
    q = euler_along(sequence, ball[0], np.array(near))
    v, a = euler_rates(sequence, q, *ball[1:])
    if np.all(np.isfinite(v)):
        q = np.stack([unwrap_angle(np.stack([q[:, c], v[:, c], a[:, c]], 1), t, q[0, c], None) for c in range(3)], 1)
    return q, v, a


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
