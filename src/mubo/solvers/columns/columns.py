"""Named columns of a result from the states of the unknowns, in the plane and in space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.laws.tangent import beside
from mubo.mechanism import Absolute
from mubo.mechanism.estimates import drawn_pose
from mubo.model import GROUND, Joint, ModelDefinition, target_of
from mubo.model.column_names import TIME, body_columns, driver_columns, joint_columns, point_columns
from mubo.model.coordinates import JointDof, axis_of, planar_dof
from mubo.results import Column, Columns

if TYPE_CHECKING:
    from mubo.mechanism.formulations.tree import Tree
    from mubo.mechanism.parameter_derivatives import EquationDerivatives


def motion_columns(
    form: Absolute, t: Array, states: Array, derivatives: EquationDerivatives | None = None, motion: Array | None = None
) -> Columns:
    """Columns t, bodies, points of interest, joints, cams and drivers.

    With the `derivatives` of the equations, and states that carry derivatives by the same parameters, the columns carry
    them too, except those of cams. `motion` are the values of the drivers at the times, where they are not those of
    their laws.
    """
    model = form.model
    columns = Columns(model.units, [(TIME, t)])
    if model.dimension == 3:
        from mubo.solvers.columns.space_columns import space_columns

        columns.extend(space_columns(form, t, states))
    else:
        columns.extend(plane_columns(form, states))
    if derivatives is None and any(model.kinds[joint.kind].profiled for joint in model.joints.values()):
        from mubo.solvers.columns.cam_columns import cam_columns

        columns.extend(cam_columns(form, t, states))
    turn = model.units.angle_factor()
    values = derivatives.dual_motion(t) if derivatives is not None else form.motion(t) if motion is None else motion
    factors = form.mechanism.motion_factors if derivatives is None else derivatives.dual_factors
    for k, driver in enumerate(model.drivers.values()):
        holds = target_of(model, driver.of).holds
        # The row of a screw holds its slide; its driver is an angle.
        factor = factors[k] / (turn if holds == "angle" else 1.0)
        columns.extend(zip(driver_columns(driver.name, holds), (values[:, 3 * k : 3 * k + 2] / factor).T, strict=True))
    return columns


Entry = tuple[Column, Array]


def plane_columns(form: Absolute | Tree, states: Array) -> Iterator[Entry]:
    """Columns of bodies, points of interest and joint coordinates, angles in radians."""
    model, numbers = form.model, {name: k for k, name in enumerate(form.free)}
    motions = {name: _body_motion(form, name, numbers.get(name), states) for name in model.bodies}
    for name, motion in motions.items():
        if name != GROUND:
            yield from zip(body_columns(name, 2), _by_order(motion), strict=True)
    for point in model.tracked_points.values():
        motion = point_motion(motions[point.body], point.at)
        yield from zip(point_columns(point.name, 2), _by_order(motion), strict=True)
    for joint in model.joints.values():
        dof = planar_dof(model, joint)
        if dof is not None:
            motion = _joint_motion(model, joint, dof, motions)
            for letter, values in zip("qva", (motion[:, k] for k in range(3)), strict=True):
                yield joint_columns(joint.name, (dof,), letter)[0], values


def _by_order(motion: Array) -> Iterator[Array]:
    """Coordinates, then their rates, then their accelerations; nothing is copied."""
    return (motion[:, order, k] for order in range(3) for k in range(motion.shape[2]))


def _body_motion(form: Absolute | Tree, name: str, number: int | None, states: Array) -> Array:
    """Pose, velocity and acceleration of a body: (times, 3, 3); bodies without a number are fixed."""
    if number is not None:
        return states[:, :, 3 * number : 3 * number + 3]
    out = beside(states, np.zeros((len(states), 3, 3)))
    out[:, 0] = drawn_pose(form.model.bodies[name], states)
    return out


def _joint_motion(model: ModelDefinition, joint: Joint, dof: JointDof, motions: dict[str, Array]) -> Array:
    """Angle or slide of a joint with its derivatives: (times, 3)."""
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    if dof.kind == "turn":
        return motions[second][:, :, 2] - motions[first][:, :, 2]
    d = point_motion(motions[second], on) - point_motion(motions[first], at)
    axis = beside(d, axis_of(model, joint))
    axis = axis / np.hypot(*axis)
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
    """Position r + A s of a point fixed in a body, with its derivatives: (times, 3, 2)."""
    angle, omega, alpha = body[:, 0, 2], body[:, 1, 2], body[:, 2, 2]
    c, s = np.cos(angle), np.sin(angle)
    arm = np.stack([c * at[0] - s * at[1], s * at[0] + c * at[1]], axis=1)
    turned = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    out = body[:, :, :2].copy()
    out[:, 0] += arm
    out[:, 1] += omega[:, None] * turned
    out[:, 2] += alpha[:, None] * turned - (omega**2)[:, None] * arm
    return out
