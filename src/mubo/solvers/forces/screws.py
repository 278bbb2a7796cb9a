"""Drivers of screws: their coordinate is a rotation, so that they exert a torque about the axis.

The row of such a driver holds the slide, because that counts full turns, and so exerts a force along the axis. On a
thread slide = advance · turn, and J_slide = J_thread + advance · J_turn: the same is a torque −λ · advance, with λ more
on the thread. What both exert together does not change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.solvers.forces.reactions import ReactionMap


@dataclass(frozen=True)
class ScrewDriver:
    """A driver that turns a thread: the joint, its bodies, and the axis in the first of them."""

    driver: str
    joint: str
    bodies: tuple[str, ...]
    axis: Array


def screw_drivers(form: Absolute) -> list[ScrewDriver]:
    """Drivers whose row holds another coordinate than they drive."""
    out = []
    for name, driver in form.model.drivers.items():
        target = target_of(form.model, driver.of)
        if target.element.turns and any("along" in row.quantities for row in target.element.rows):
            axis = np.array(form.values[target.joint][f"{target.picked}_i"])
            out.append(ScrewDriver(name, target.joint, target.bodies, axis))
    return out


def apply_screw_torques(
    form: Absolute,
    exerted: ReactionMap,
    screws: list[ScrewDriver],
    states: Array,
    efforts: dict[str, Array],
    out: Array,
) -> None:
    """Replace the forces of screw drivers by their torques, in `out`: times × places × components."""
    for screw in screws:
        axis = _poses(form, states, screw.bodies[0])[1] @ screw.axis
        for body, sign in zip(screw.bodies, (-1.0, 1.0), strict=True):
            of = {place.joint: k for k, place in enumerate(exerted.places) if place.body == body}
            driver, joint = of[screw.driver], of[screw.joint]
            torque = sign * efforts[screw.driver][:, None] * axis
            force, moment = out[:, driver, :3].copy(), out[:, driver, 3:].copy()
            place = exerted.places[joint]
            at, axes = _poses(form, states, place.carrier)
            arm = at + axes @ np.array(place.point) - _poses(form, states, body)[0]
            out[:, joint, :3] += force
            out[:, joint, 3:] += moment - np.cross(arm, force) - torque
            out[:, driver] = np.concatenate([np.zeros_like(force), torque], axis=1)


def _poses(form: Absolute, states: Array, name: str) -> tuple[Array, Array]:
    """Position and axes of a body over the rows."""
    if name in form.fixed:
        pose = np.tile(form.mechanism.poses[name], (len(states), 1))
    else:
        k = form.free.index(name)
        pose = states[:, 0, 7 * k : 7 * k + 7]
    return pose[:, :3], matrix(pose[:, 3:])
