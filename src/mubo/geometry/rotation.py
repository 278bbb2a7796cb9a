"""Rotations in space: unit quaternions (w, x, y, z), scalar first, and Euler angles about body-fixed axes.

A quaternion turns body axes into the axes it is given in: r = A(p) s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.laws.dependent import cos, sin
from mubo.laws.tangent import Tangent, as_array, beside, promote, value_of

Quaternion = tuple[float, float, float, float]
BACK = np.array([1.0, -1.0, -1.0, -1.0])


def product(p: Sequence[float] | Array, q: Sequence[float] | Array) -> Array:
    """The turn q followed by p, seen in the axes of p: A(p q) = A(p) A(q). Last axis 4; arrays broadcast."""
    a, b, c, d = np.moveaxis(as_array(p), -1, 0)
    w, x, y, z = np.moveaxis(as_array(q), -1, 0)
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
    return as_array(as_array(p) * BACK)


def matrix(p: Sequence[float] | Array) -> Array:
    """A(p), whose columns are the body's axes: shape (…, 3, 3)."""
    w, x, y, z = np.moveaxis(as_array(p), -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def about(axis: Sequence[float] | Array, angle: float | Array) -> Array:
    """The turn by an angle about a unit axis."""
    half = as_array(angle)[..., None] / 2
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, float)], -1)


def of_matrix(A: Array) -> Array:
    """The quaternion of one rotation matrix, w ≥ 0, by its largest component (Shepperd 1978)."""
    trace = A[0, 0] + A[1, 1] + A[2, 2]
    largest = int(np.argmax(np.stack([trace, A[0, 0], A[1, 1], A[2, 2]])))
    if largest == 0:
        p = np.stack([1 + trace, A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        p = np.stack([A[k, j] - A[j, k]] * 4)
        p[1 + i] = 1 + 2 * A[i, i] - trace
        p[1 + j] = A[j, i] + A[i, j]
        p[1 + k] = A[k, i] + A[i, k]
    p = _unit(p)
    return p if p[0] >= 0 else -p


def frame_about(axis: Sequence[float] | Array) -> Array:
    """A right-handed frame whose z is along `axis`: columns x, y, z.

    x is the ground-like axis that is farthest from z, made square to it: a rule without jumps for axes near x, y, z.
    """
    z = _unit(as_array(axis))
    least = np.eye(3)[(int(np.argmax(np.abs(value_of(z)))) + 1) % 3]
    x = _unit(least - (least @ z) * z)
    return np.column_stack([x, np.cross(z, x), z])


def frame_of(first: Sequence[float] | Array, second: Sequence[float] | Array) -> Array:
    """The right-handed frame whose x is along `first` and whose y is along `second`, square to it."""
    x, y = _unit(as_array(first)), _unit(as_array(second))
    return np.column_stack([x, y, np.cross(x, y)])


def _unit(vector: Array) -> Array:
    return vector / np.sqrt(vector @ vector)


def axis_of(letter: str) -> Array:
    """The unit vector x, y or z."""
    return np.asarray(np.eye(3)["xyz".index(letter)])


def of_euler(sequence: str, angles: Sequence[float] | Array) -> Array:
    """Turns about body-fixed axes one after the other: A = A_1(α) A_2(β) A_3(γ). Last axis of angles: 3."""
    angles = np.asarray(angles, float)
    parts = [about(axis_of(letter), angles[..., k]) for k, letter in enumerate(sequence)]
    return product(product(parts[0], parts[1]), parts[2])


def quaternion_of_euler(sequence: str, angles: Sequence[float]) -> tuple[float, ...]:
    """Unit quaternion of one triple of Euler angles, by numbers that may depend on parameters."""
    turned: list[float] = [1.0, 0.0, 0.0, 0.0]
    for letter, angle in zip(sequence, angles, strict=True):
        a, b, c, d = turned
        w, k = cos(angle / 2), "xyz".index(letter)
        x, y, z = (sin(angle / 2) if k == axis else 0.0 for axis in range(3))
        turned = [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ]
    return tuple(turned)


def euler_apart(sequence: str, p: Array) -> Array:
    """The sine of the angle between first and last axis, of quaternions (…, 4): zero where Euler angles are lost.

    It changes no faster than the body turns, and no angle faster than the body turns divided by it.
    """
    A = matrix(p)
    i, j = "xyz".index(sequence[0]), "xyz".index(sequence[1])
    other = 3 - i - j if sequence[0] == sequence[2] else i
    return as_array(np.hypot(A[..., i, j], A[..., i, other]))


def euler_pair(sequence: str, p: Array) -> tuple[Array, Array, Any]:
    """Both triples of angles of quaternions (…, 4), and where the first and last axis line up (only a sum is known)."""
    A, across = matrix(p), euler_apart(sequence, p)
    i, j = "xyz".index(sequence[0]), "xyz".index(sequence[1])
    k, same = 3 - i - j, sequence[0] == sequence[2]
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if same:
        middle = np.arctan2(across, A[..., i, i])
        first = np.arctan2(A[..., j, i], -sign * A[..., k, i])
        last = np.arctan2(A[..., i, j], sign * A[..., i, k])
        other = -middle
    else:
        middle = np.arctan2(sign * A[..., i, k], across)
        first = np.arctan2(-sign * A[..., j, k], A[..., k, k])
        last = np.arctan2(-sign * A[..., i, j], A[..., i, i])
        other = np.pi - middle
    angles = np.stack([first, middle, last], -1)
    return angles, np.stack([first + np.pi, other, last + np.pi], -1), across < 1e-12


def euler_of(sequence: str, p: Array, near: Sequence[float] | Array | None = None) -> Array:
    """The three angles of one quaternion, the pair of solutions and full turns nearest to `near`."""
    guess = np.zeros((1, 3)) if near is None else np.asarray(near, float)[None]
    return np.asarray(euler_along(sequence, np.asarray(p)[None], guess[0])[0])


def euler_along(sequence: str, p: Array, near: Array) -> Array:
    """Angles of a row of quaternions (n, 4), each the triple nearest to the one before, the first nearest to `near`.

    Where the first and last axis line up, the first angle keeps its value and the last takes what is left.
    """
    if isinstance(p, Tangent):
        return _with_derivatives(euler_along(sequence, p.v, value_of(near)), *euler_pair(sequence, p))
    angles, twins, lost = euler_pair(sequence, p)
    out = np.empty_like(angles)
    before = np.asarray(near, float)
    for k in range(len(p)):
        if lost[k]:
            rest = product(conjugate(of_euler(sequence, [before[0], angles[k, 1], 0.0])), p[k])
            turned = 2 * math.atan2(float(rest[1 + "xyz".index(sequence[2])]), float(rest[0]))
            out[k] = _near(np.array([before[0], angles[k, 1], turned]), before)
        else:
            one, two = _near(angles[k], before), _near(twins[k], before)
            out[k] = one if np.sum(np.abs(one - before)) <= np.sum(np.abs(two - before)) else two
        before = out[k]
    return out


def _with_derivatives(angles: Array, one: Any, two: Any, lost: Any) -> Array:
    """Angles with the derivatives of their triple of the pair, but for full turns; none where one is lost."""
    apart = [np.sum(np.cos(angles - triple.v), axis=-1, keepdims=True) for triple in (one, two)]
    derivatives = np.where(apart[0] >= apart[1], one.d, two.d)
    return promote(angles, np.where(np.asarray(lost)[..., None], np.nan, derivatives), one.names)


def _near(angles: Array, guess: Array) -> Array:
    """Full turns added so that each angle is nearest to its guess."""
    return np.asarray(angles + 2 * math.pi * np.round((guess - angles) / (2 * math.pi)))


def euler_axes(sequence: str, angles: Sequence[float] | Array) -> Array:
    """Columns p_1, p_2, p_3 with ω = Σ p_k angle_k′, in the axes of the turned body (Wittenburg 1977, section 2.2)."""
    angles = as_array(angles)
    last = np.swapaxes(matrix(about(axis_of(sequence[2]), angles[..., 2])), -1, -2)
    middle = np.swapaxes(matrix(about(axis_of(sequence[1]), angles[..., 1])), -1, -2)
    third = np.broadcast_to(axis_of(sequence[2]), (*angles.shape[:-1], 3))
    return np.stack([last @ middle @ axis_of(sequence[0]), last @ axis_of(sequence[1]), third], -1)


def point_on(body: Array, at: Sequence[float] | Array) -> tuple[Array, Array, Array]:
    """Place, velocity and acceleration of a point fixed in a body: r + A s, and its derivatives; or of one a row.

    A body's motion is 19 numbers a row: place, quaternion, velocity, angular velocity, and the derivatives of the last
    two, all in ground axes.
    """
    turned, place = matrix(body[:, 3:7]), beside(body, at)
    arm = turned @ place if place.ndim == 1 else (turned @ place[:, :, None])[:, :, 0]
    omega, alpha = body[:, 10:13], body[:, 16:19]
    turning = cross(omega, arm)
    return body[:, :3] + arm, body[:, 7:10] + turning, body[:, 13:16] + cross(alpha, arm) + cross(omega, turning)


def cross(a: Array, b: Array) -> Array:
    """Vector products a × b of vectors in the last axis, as `numpy.cross`, whose care for other axes costs more."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray:
        return np.cross(a, b)  # with derivatives
    return np.asarray(a[..., _NEXT] * b[..., _AFTER] - a[..., _AFTER] * b[..., _NEXT])


_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]  # of the axes x, y, z
