"""From states of the unknowns of a spatial model to the named columns of a result."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.stack import stack_of, zero_of
from mubo.model import GROUND, target_of
from mubo.model.coordinates import column_names
from mubo.studies.motion.joint_coordinates import UNCERTAIN, coordinates_of, predicted
from mubo.studies.motion.spatial_columns import spatial_columns
from mubo.studies.motion.spatial_motion import at_rest, body_motion


def absolute_columns(form: Absolute, t: Array, states: Array) -> dict[str, Array]:
    """Columns t, bodies, points of interest and joints, angles in the model's unit."""
    model = form.model
    motions = {name: body_motion(states[:, :, 7 * k : 7 * k + 7]) for k, name in enumerate(form.free)}
    motions[GROUND] = at_rest(len(t))
    driven = _driven(form, t)
    joints: dict[str, tuple[Array, ...]] = {}
    for joint in model.joints.values():
        stack = stack_of(model, joint)
        given = model.initial[joint.name].q if joint.name in model.initial else ()
        start = list(given or zero_of(stack.freedoms))
        known = driven.get(joint.name, {})
        found = coordinates_of(stack, motions[stack.first], motions[stack.second], t, start, known)
        if found:
            joints[joint.name] = tuple(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
    return spatial_columns(model, t, {name: motions[name].table() for name in form.free}, joints)


def _driven(form: Absolute, t: Array) -> dict[str, dict[int, Array]]:
    """Values of driven turns, by joint and number of the freedom."""
    out: dict[str, dict[int, Array]] = {}
    values = form.motion(t)
    for k, driver in enumerate(form.model.drivers.values()):
        target = target_of(form.model, driver.of)
        if target.element.name == "joint_turn":
            out.setdefault(target.joint, {})[target.number] = values[:, 3 * k]
    return out


def miscounted(form: Absolute, columns: dict[str, Array]) -> list[str]:
    """Joints whose full turns may be miscounted, because their rates change too much from row to row."""
    if form.model.dimension == 2:
        return []
    told, driven, factor = [], _driven(form, columns["t"]), form.model.units.angle_factor()
    for joint in form.model.joints.values():
        freedoms = stack_of(form.model, joint).freedoms
        # Quaternions come last, so that the numbers of turns and Euler angles are those of their rates.
        owners = [(k, freedom) for k, freedom in enumerate(freedoms) for _ in freedom.q]
        for number, (k, freedom) in enumerate(owners):
            if not (freedom.kind == "turn" or freedom.euler) or k in driven.get(joint.name, {}):
                continue
            names = [f"{joint.name}.{column_names(len(owners), letter)[number]}" for letter in "qva"]
            motion = np.stack([columns[name] for name in names], 1) * factor
            if np.any(np.abs(np.diff(motion[:, 0]) - predicted(motion, columns["t"])) > UNCERTAIN):
                told.append(f"{names[0]}: it turns so far between rows that its full turns may be miscounted")
    return told
