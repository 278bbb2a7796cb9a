"""From states of the unknowns to the named columns of a result."""

from __future__ import annotations

import numpy as np

from mubo.compile import Compiled
from mubo.model import GROUND, Body
from mubo.motion.law import Array

BODY_COLUMNS = (("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha"))
POINT_COLUMNS = (("x", "y"), ("vx", "vy"), ("ax", "ay"))


def trajectory_columns(compiled: Compiled, t: Array, states: Array) -> dict[str, Array]:
    """Columns t, bodies, points of interest and drivers, angles in the model's unit."""
    model = compiled.model
    factor = model.units.angle_factor()
    columns: dict[str, Array] = {"t": t}
    numbers = {name: k for k, name in enumerate(compiled.free)}
    motions = {name: _body_motion(body, numbers.get(name), states) for name, body in model.bodies.items()}
    for name, motion in motions.items():
        if name == GROUND:
            continue
        for order, words in enumerate(BODY_COLUMNS):
            for k, word in enumerate(words):
                columns[f"{name}.{word}"] = motion[:, order, k] / (factor if k == 2 else 1.0)
    for point in model.points.values():
        motion = point_motion(motions[point.body], point.at)
        for order, pair in enumerate(POINT_COLUMNS):
            for k, word in enumerate(pair):
                columns[f"{point.name}.{word}"] = motion[:, order, k]
    values = compiled.motion(t)
    for k, name in enumerate(model.drivers):
        columns[f"{name}.value"] = values[:, 3 * k] / compiled.motion_factors[k]
        columns[f"{name}.rate"] = values[:, 3 * k + 1] / compiled.motion_factors[k]
    return columns


def _body_motion(body: Body, number: int | None, states: Array) -> Array:
    """Pose, velocity and acceleration of a body: (times, 3, 3); bodies without a number stand still."""
    if number is not None:
        return states[:, :, 3 * number : 3 * number + 3]
    out = np.zeros((len(states), 3, 3))
    out[:, 0] = (*body.position, body.angle)
    return out


def point_motion(body: Array, at: tuple[float, float]) -> Array:
    """r + A s and its derivatives for a point fixed in a body: (times, 3, 2)."""
    angle, omega, alpha = body[:, 0, 2], body[:, 1, 2], body[:, 2, 2]
    c, s = np.cos(angle), np.sin(angle)
    arm = np.stack([c * at[0] - s * at[1], s * at[0] + c * at[1]], axis=1)
    turned = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    out = body[:, :, :2].copy()
    out[:, 0] += arm
    out[:, 1] += omega[:, None] * turned
    out[:, 2] += alpha[:, None] * turned - (omega**2)[:, None] * arm
    return out
