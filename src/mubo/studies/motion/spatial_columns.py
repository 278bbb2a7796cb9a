"""Columns of a result in space: bodies, points and joint coordinates by the names users read."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model import Model
from mubo.model.coordinates import column_names, holds_of
from mubo.model.rotation import point_on

# A body's motion is laid out as 19 numbers: place, quaternion, velocity, angular velocity, and their derivatives.
BODY_COLUMNS = (
    *("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"),
    *("ax", "ay", "az", "alphax", "alphay", "alphaz"),
)
TURNING = (10, 11, 12, 16, 17, 18)
Joints = dict[str, tuple[Array, ...]]


def spatial_columns(model: Model, t: Array, bodies: dict[str, Array], joints: Joints) -> dict[str, Array]:
    """t, bodies (times × 19), points of interest and joint coordinates; angles in the model's unit.

    Angular velocity and acceleration are in ground axes. Quaternions go on without a change of sign.
    """
    factor = model.units.angle_factor()
    columns: dict[str, Array] = {"t": t}
    for name, motion in bodies.items():
        held = motion.copy()
        held[:, 3:7] *= _steady_sign(held[:, 3:7])[:, None]
        for k, word in enumerate(BODY_COLUMNS):
            columns[f"{name}.{word}"] = held[:, k] / (factor if k in TURNING else 1.0)
    standing = np.tile([0.0] * 3 + [1.0] + [0.0] * 15, (len(t), 1))
    for point in model.points.values():
        parts = point_on(bodies.get(point.body, standing), np.array(point.at))
        for part, words in zip(parts, (("x", "y", "z"), ("vx", "vy", "vz"), ("ax", "ay", "az")), strict=True):
            for k, word in enumerate(words):
                columns[f"{point.name}.{word}"] = part[:, k]
    for joint, held_parts in joints.items():
        for part, letter in zip(held_parts, "qva", strict=True):
            holds = holds_of(model, model.joints[joint], letter != "q")
            for k, (word, held_as) in enumerate(zip(column_names(len(holds), letter), holds, strict=True)):
                columns[f"{joint}.{word}"] = part[:, k] / (factor if held_as == "angle" else 1.0)
    return columns


def _steady_sign(p: Array) -> Array:
    """±1 per row: p and −p are the same turn; the one nearer to the row before is shown."""
    flips = np.sum(p[1:] * p[:-1], axis=1) < 0
    return np.asarray((-1.0) ** np.concatenate([[0], np.cumsum(flips)]))
