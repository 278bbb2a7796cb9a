"""Poses between rows, and places of body-fixed points in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import matrix, product

if TYPE_CHECKING:
    from mubo.view.scene.data import Scene

STANDING = {2: np.zeros(3), 3: np.array([0.0, 0, 0, 1, 0, 0, 0])}


def place(pose: Array, at: Array | tuple[float, ...]) -> Array:
    """r + A s for one pose or many (…, 3 or 7) and one point or many (n, 2 or 3): (…, n, 2 or 3)."""
    points = np.atleast_2d(np.asarray(at, float))
    if pose.shape[-1] == 3:
        c, s = np.cos(pose[..., 2])[..., None], np.sin(pose[..., 2])[..., None]
        x, y = points[:, 0], points[:, 1]
        return np.stack([pose[..., :1] + c * x - s * y, pose[..., 1:2] + s * x + c * y], -1)
    return np.asarray(pose[..., None, :3] + points @ np.swapaxes(matrix(pose[..., 3:]), -1, -2))


def quaternion_rates(p: Array, omega: Array) -> Array:
    """ṗ = ½ ω p for angular velocities in ground axes."""
    return np.asarray(0.5 * product(np.concatenate([0 * omega[..., :1], omega], -1), p))


def poses_at(scene: Scene, times: Array) -> dict[str, Array]:
    """Poses of all moving bodies at any times within the run: (times, 3 or 7).

    Cubic (Hermite) between rows where rates are known, quaternions brought back to length one; else straight, and
    turned at a steady rate (Shoemake 1985). A time next to a gap is a gap.
    """
    rows, part, step = _between(scene.times, np.asarray(times, float))
    return {name: _moved(pose, scene.rates.get(name), rows, part, step) for name, pose in scene.poses.items()}


def values_at(times: Array, values: Array, at: Array) -> Array:
    """Rows of values at other times, straight between rows."""
    rows, part, _ = _between(times, np.asarray(at, float))
    last = np.minimum(rows + 1, len(values) - 1)
    return np.asarray(values[rows] * (1 - part) + values[last] * part)


def _between(times: Array, at: Array) -> tuple[Any, Array, Array]:
    """The row before each time, how far it lies towards the next (0 to 1), and the step between them."""
    if len(times) == 1:
        return np.zeros(len(at), int), np.zeros((len(at), 1)), np.ones((len(at), 1))
    rows = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    step = times[rows + 1] - times[rows]
    part = np.clip((at - times[rows]) / step, 0.0, 1.0)
    return rows, part[:, None], step[:, None]


def _moved(pose: Array, rate: Array | None, rows: Any, part: Array, step: Array) -> Array:
    if len(pose) == 1:
        return np.asarray(pose[rows])
    a, b = pose[rows], pose[rows + 1]
    if rate is None:
        out = a + part * (b - a)
        if pose.shape[1] == 7:
            out[:, 3:] = _slerp(a[:, 3:], b[:, 3:], part)
    else:
        u = part
        out = (2 * u**3 - 3 * u**2 + 1) * a + (3 * u**2 - 2 * u**3) * b
        out += step * ((u**3 - 2 * u**2 + u) * rate[rows] + (u**3 - u**2) * rate[rows + 1])
        if pose.shape[1] == 7:
            out[:, 3:] /= np.linalg.norm(out[:, 3:], axis=1, keepdims=True)
    # a row itself is there even if its neighbour is not
    out = np.where(part == 0, a, np.where(part == 1, b, out))
    return np.asarray(out)


def _slerp(p: Array, q: Array, part: Array) -> Array:
    dot = np.sum(p * q, axis=1, keepdims=True)
    q, dot = np.where(dot < 0, -q, q), np.minimum(np.abs(dot), 1.0)
    angle = np.arccos(dot)
    small = angle < 1e-6
    sine = np.where(small, 1.0, np.sin(angle))
    first = np.where(small, 1 - part, np.sin((1 - part) * angle) / sine)
    second = np.where(small, part, np.sin(part * angle) / sine)
    out = first * p + second * q
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))
