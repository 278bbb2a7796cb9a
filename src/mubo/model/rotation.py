"""Rotations in space: unit quaternions (w, x, y, z), scalar first, and Euler angles about body-fixed axes.

A quaternion turns body axes into the axes it is given in: r = A(p) s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mubo.motion.law import Array

Quaternion = tuple[float, float, float, float]
UNIT: Quaternion = (1.0, 0.0, 0.0, 0.0)


def product(p: Sequence[float] | Array, q: Sequence[float] | Array) -> Array:
    """The turn q followed by p, seen in the axes of p: A(p q) = A(p) A(q). Last axis 4; arrays broadcast."""
    a, b, c, d = np.moveaxis(np.asarray(p, float), -1, 0)
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    return np.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        -1,
    )


def conjugate(p: Sequence[float] | Array) -> Array:
    """The turn back."""
    return np.asarray(np.asarray(p, float) * [1.0, -1.0, -1.0, -1.0])


def matrix(p: Sequence[float] | Array) -> Array:
    """A(p), whose columns are the body's axes: shape (…, 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(p, float), -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def about(axis: Sequence[float] | Array, angle: float | Array) -> Array:
    """The turn by an angle about a unit axis."""
    half = np.asarray(angle, float)[..., None] / 2
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, float)], -1)


def of_matrix(A: Array) -> Array:
    """The quaternion of one rotation matrix, w ≥ 0, by its largest component (Shepperd 1978)."""
    trace = float(np.trace(A))
    squares = np.array([trace, A[0, 0], A[1, 1], A[2, 2]])
    largest = int(np.argmax(squares))
    if largest == 0:
        p = np.array([1 + trace, A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        p = np.zeros(4)
        p[0] = A[k, j] - A[j, k]
        p[1 + i] = 1 + 2 * A[i, i] - trace
        p[1 + j] = A[j, i] + A[i, j]
        p[1 + k] = A[k, i] + A[i, k]
    p /= np.linalg.norm(p)
    return p if p[0] >= 0 else -p


def frame_about(axis: Sequence[float]) -> Array:
    """A right-handed frame whose z is along `axis`: columns x, y, z.

    x is the ground-like axis that is farthest from z, made square to it: a rule without jumps for axes near x, y, z.
    """
    z = np.asarray(axis, float) / np.linalg.norm(axis)
    least = np.eye(3)[(int(np.argmax(np.abs(z))) + 1) % 3]
    x = least - (least @ z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def frame_of(first: Sequence[float], second: Sequence[float]) -> Array:
    """The right-handed frame whose x is along `first` and whose y is along `second`, square to it."""
    x = np.asarray(first, float) / np.linalg.norm(first)
    y = np.asarray(second, float) / np.linalg.norm(second)
    return np.column_stack([x, y, np.cross(x, y)])


def axis_of(letter: str) -> Array:
    """The unit vector x, y or z."""
    return np.asarray(np.eye(3)["xyz".index(letter)])


def of_euler(sequence: str, angles: Sequence[float] | Array) -> Array:
    """Turns about body-fixed axes one after the other: A = A_1(α) A_2(β) A_3(γ). Last axis of angles: 3."""
    angles = np.asarray(angles, float)
    parts = [about(axis_of(letter), angles[..., k]) for k, letter in enumerate(sequence)]
    return product(product(parts[0], parts[1]), parts[2])


def euler_of(sequence: str, p: Array, near: Sequence[float] | Array | None = None) -> Array:
    """The three angles of one quaternion, the pair of solutions and full turns nearest to `near`.

    At a middle angle where the first and last axis line up only their sum is defined: the first keeps its `near` value.
    """
    A = matrix(p)
    i, j = "xyz".index(sequence[0]), "xyz".index(sequence[1])
    k, same = 3 - i - j, sequence[0] == sequence[2]
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    guess = np.zeros(3) if near is None else np.asarray(near, float)
    if same:
        middle = math.atan2(math.hypot(A[i, j], A[i, k]), A[i, i])
        lost = math.hypot(A[i, j], A[i, k]) < 1e-12
        first, last = math.atan2(A[j, i], -sign * A[k, i]), math.atan2(A[i, j], sign * A[i, k])
        twin = np.array([first + math.pi, -middle, last + math.pi])
    else:
        middle = math.atan2(sign * A[i, k], math.hypot(A[i, i], A[i, j]))
        lost = math.hypot(A[i, i], A[i, j]) < 1e-12
        first, last = math.atan2(-sign * A[j, k], A[k, k]), math.atan2(-sign * A[i, j], A[i, i])
        twin = np.array([first + math.pi, math.pi - middle, last + math.pi])
    if lost:
        rest = product(conjugate(of_euler(sequence, [guess[0], middle, 0.0])), p)
        own = "xyz".index(sequence[2])
        last = 2 * math.atan2(float(rest[1 + own]), float(rest[0]))
        return _near(np.array([guess[0], middle, last]), guess)
    found = [_near(np.array([first, middle, last]), guess), _near(twin, guess)]
    return min(found, key=lambda angles: float(np.sum(np.abs(angles - guess))))


def _near(angles: Array, guess: Array) -> Array:
    """Full turns added so that each angle is nearest to its guess."""
    return np.asarray(angles + 2 * math.pi * np.round((guess - angles) / (2 * math.pi)))


def euler_axes(sequence: str, angles: Sequence[float] | Array) -> Array:
    """Columns p_1, p_2, p_3 with ω = Σ p_k angle_k′, in the axes of the turned body (Wittenburg 1977, section 2.2)."""
    angles = np.asarray(angles, float)
    last = matrix(about(axis_of(sequence[2]), angles[2]))
    middle = matrix(about(axis_of(sequence[1]), angles[1]))
    return np.column_stack(
        [last.T @ middle.T @ axis_of(sequence[0]), last.T @ axis_of(sequence[1]), axis_of(sequence[2])]
    )


def point_on(body: Array, at: Sequence[float] | Array) -> tuple[Array, Array, Array]:
    """Place, velocity and acceleration of a point fixed in a body: r + A s, and its derivatives.

    A body's motion is 19 numbers a row: place, quaternion, velocity, angular velocity, and the derivatives of the last
    two, all in ground axes.
    """
    arm = matrix(body[:, 3:7]) @ np.asarray(at, float)
    omega, alpha = body[:, 10:13], body[:, 16:19]
    turning = np.cross(omega, arm)
    return body[:, :3] + arm, body[:, 7:10] + turning, body[:, 13:16] + np.cross(alpha, arm) + np.cross(omega, turning)
