"""From states of the unknowns to the named columns of a result."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.elements import JOINTS
from mubo.mechanism import Absolute
from mubo.model import GROUND, Body, Joint, Model
from mubo.studies.motion.absolute_columns import absolute_columns

BODY_COLUMNS = (("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha"))
POINT_COLUMNS = (("x", "y"), ("vx", "vy"), ("ax", "ay"))


def trajectory_columns(form: Absolute, t: Array, states: Array) -> dict[str, Array]:
    """Columns t, bodies, points of interest and drivers, angles in the model's unit."""
    columns = (absolute_columns if form.model.dimension == 3 else _planar_columns)(form, t, states)
    values = form.motion(t)
    for k, name in enumerate(form.model.drivers):
        columns[f"{name}.value"] = values[:, 3 * k] / form.mechanism.motion_factors[k]
        columns[f"{name}.rate"] = values[:, 3 * k + 1] / form.mechanism.motion_factors[k]
    return columns


def _planar_columns(form: Absolute, t: Array, states: Array) -> dict[str, Array]:
    model = form.model
    factor = model.units.angle_factor()
    columns: dict[str, Array] = {"t": t}
    numbers = {name: k for k, name in enumerate(form.free)}
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
    for joint in model.joints.values():
        rates = _joint_motion(model, joint, motions)
        if rates is not None:
            turns = JOINTS[joint.kind].coordinate == "angle"
            for order, word in enumerate(("q", "v", "a")):
                columns[f"{joint.name}.{word}"] = rates[:, order] / (factor if turns else 1.0)
    return columns


def _body_motion(body: Body, number: int | None, states: Array) -> Array:
    """Pose, velocity and acceleration of a body: (times, 3, 3); bodies without a number stand still."""
    if number is not None:
        return states[:, :, 3 * number : 3 * number + 3]
    out = np.zeros((len(states), 3, 3))
    out[:, 0] = (*body.position, body.angle)
    return out


def _joint_motion(model: Model, joint: Joint, motions: dict[str, Array]) -> Array | None:
    """Angle or slide of a joint with its derivatives: (times, 3); None for joints without a coordinate."""
    coordinate = JOINTS[joint.kind].coordinate
    if not coordinate or len(joint.between) != 2:
        return None
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    if coordinate == "angle":
        return np.asarray(motions[second][:, :, 2] - motions[first][:, :, 2])
    d = point_motion(motions[second], on) - point_motion(motions[first], at)
    axis = np.array(joint.options["axis"]) / np.hypot(*joint.options["axis"])
    # u of constant length turns with the first body: u' = ω n, n' = −ω u.
    angle, omega, alpha = (motions[first][:, k, 2] for k in range(3))
    u = np.stack(
        [np.cos(angle) * axis[0] - np.sin(angle) * axis[1], np.sin(angle) * axis[0] + np.cos(angle) * axis[1]], 1
    )
    n = np.stack([-u[:, 1], u[:, 0]], 1)
    along = [np.sum(u * d[:, k], axis=1) for k in range(3)]
    across = [np.sum(n * d[:, k], axis=1) for k in range(2)]
    rate = along[1] + omega * across[0]
    bend = along[2] + 2 * omega * across[1] + alpha * across[0] - omega**2 * along[0]
    return np.column_stack([along[0], rate, bend])


def point_motion(body: Array, at: tuple[float, ...]) -> Array:
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
