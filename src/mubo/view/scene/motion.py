"""Poses of bodies and reaches at any time, and places of points fixed in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import about, matrix, product

if TYPE_CHECKING:
    from mubo.view.scene.actions import BodyPoint
    from mubo.view.scene.data import Scene

SAME = 1e-3  # of the size of a scene: what a picture cannot resolve


def place(pose: Array, at: Array | tuple[float, ...]) -> Array:
    """r + A s for one pose or many (…, 3 or 7) and one point or many (n, 2 or 3): (…, n, 2 or 3)."""
    points = np.atleast_2d(np.asarray(at, float))
    if points.shape[-1] == 2:
        c, s = np.cos(pose[..., 2])[..., None], np.sin(pose[..., 2])[..., None]
        x, y = points[:, 0], points[:, 1]
        return np.stack([pose[..., :1] + c * x - s * y, pose[..., 1:2] + s * x + c * y], -1)
    return np.asarray(pose[..., None, :3] + points @ np.swapaxes(matrix(pose[..., 3:7]), -1, -2))


def quaternion_rates(p: Array, omega: Array) -> Array:
    """ṗ = ½ ω p for angular velocities in ground axes."""
    return np.asarray(0.5 * product(np.concatenate([0 * omega[..., :1], omega], -1), p))


def poses_at(scene: Scene, times: Array) -> dict[str, Array]:
    """Poses of all moving bodies, and of the reaches, at any times within the run: (times, 3 or 7).

    Cubic (Hermite) between rows where rates are known, quaternions brought back to length one; else straight, and
    turned at a steady rate (Shoemake 1985). A time next to a gap is a gap. A reach has one number more, its length.
    """
    at = np.asarray(times, float)
    rows, part, step = _rows_before(scene.times, at)
    out = {name: _interpolate_pose(pose, scene.rates.get(name), rows, part, step) for name, pose in scene.poses.items()}
    return _with_reaches(scene, out, len(at), lambda values: values_at(scene.times, values, at))


def poses_of_rows(scene: Scene) -> dict[str, Array]:
    """Poses of all moving bodies, and of the reaches, at the rows themselves."""
    return _with_reaches(scene, dict(scene.poses), len(scene.times), lambda values: values)


def arrows_of(scene: Scene) -> list[Any]:
    """The reaches that lead along an arrow."""
    return [reach for reach in scene.reaches if reach.along is not None]


def _with_reaches(
    scene: Scene, poses: dict[str, Array], rows: int, given: Callable[[Array], Array]
) -> dict[str, Array]:
    """Poses with those of the reaches; `given` are rows of an arrow at the times of the poses."""
    standing = np.tile(scene.ambient.standing, (rows, 1))

    def where(end: BodyPoint) -> Array:
        return place(poses.get(end.body, standing), end.at)[:, 0]

    for reach in scene.reaches:
        start = where(reach.first)
        along = given(reach.along) if reach.second is None else where(reach.second) - start  # type: ignore[arg-type]
        poses[reach.name] = reach_poses(start if reach.start is None else start + given(reach.start), along)
    return poses


def pose_at(scene: Scene, time: float) -> dict[str, Array]:
    """Poses at one time."""
    return {name: rows[0] for name, rows in poses_at(scene, np.array([time])).items()}


def is_closed(scene: Scene) -> bool:
    """Whether the motion ends in the position in which it began, so that it may be shown in a loop."""
    if len(scene.times) < 3:
        return False
    at = scene.size * np.vstack([np.zeros(scene.dimension), np.eye(scene.dimension)])
    ends = [place(pose[[0, -1]], at) for pose in scene.poses.values()]
    ends += [reach.along[[0, -1]] for reach in arrows_of(scene)]
    return all(float(np.max(np.abs(last - first))) < SAME * scene.size for first, last in ends)


def reach_poses(start: Array, along: Array) -> Array:
    """Poses with their lengths: x along the reach, y square to it; in space z along it, and no spin about it."""
    length = np.linalg.norm(along, axis=1, keepdims=True)
    if start.shape[1] == 2:
        return np.column_stack([start, np.arctan2(along[:, 1], along[:, 0]), length])
    return np.column_stack([start, pointing_poses(along / np.where(length > 0, length, 1.0)), length])


def pointing_poses(direction: Array) -> Array:
    """Quaternions that turn z into unit directions; each follows the one before by the shortest turn, without spin."""
    out = np.empty((len(direction), 4))
    last, before = np.array([1.0, 0, 0, 0]), np.array([0.0, 0, 1])
    for k, now in enumerate(direction):
        axis = np.cross(before, now)
        sine, cosine = float(np.linalg.norm(axis)), float(before @ now)
        if sine > 0:
            last = product(about(axis / sine, np.arctan2(sine, cosine)), last)
        elif cosine < 0:  # straight back: about any axis square to it
            axis = np.cross(before, np.eye(3)[int(np.argmin(np.abs(before)))])
            last = product(about(axis / np.linalg.norm(axis), np.pi), last)
        if np.isfinite(now).all() and now.any():
            before = now
        last = last / np.linalg.norm(last)
        out[k] = last if np.isfinite(now).all() else np.nan
    return out


def stretch_points(points: Array, length: float, along: int, everywhere: bool) -> Array:
    """Points of a reach: enlarged along one axis, or in all directions."""
    factor = np.full(points.shape[-1], length if everywhere else 1.0)
    factor[along] = length
    return np.asarray(points * factor)


def lift_to_space(pose: Array) -> Array:
    """Poses of the plane (…, 3) as poses in space (…, 7), in z = 0; of a reach (…, 4) with its length (…, 8)."""
    flat = np.insert(pose[..., :2], 2, 0.0, axis=-1)
    turned = about((0.0, 0.0, 1.0), pose[..., 2])
    if pose.shape[-1] == 3:
        return np.concatenate([flat, turned], axis=-1)
    return np.concatenate([flat, product(turned, about((0.0, 1.0, 0.0), np.pi / 2)), pose[..., 3:]], axis=-1)


def values_at(times: Array, values: Array, at: Array) -> Array:
    """Values at other times, interpolated linearly between rows."""
    rows, part, _ = _rows_before(times, np.asarray(at, float))
    last = np.minimum(rows + 1, len(values) - 1)
    return np.asarray(values[rows] * (1 - part) + values[last] * part)


def _rows_before(times: Array, at: Array) -> tuple[Any, Array, Array]:
    """The row before each time, how far it lies towards the next (0 to 1), and the step between them."""
    if len(times) == 1:
        return np.zeros(len(at), int), np.zeros((len(at), 1)), np.ones((len(at), 1))
    rows = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    step = times[rows + 1] - times[rows]
    part = np.clip((at - times[rows]) / step, 0.0, 1.0)
    return rows, part[:, None], step[:, None]


def _interpolate_pose(pose: Array, rate: Array | None, rows: Any, part: Array, step: Array) -> Array:
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
