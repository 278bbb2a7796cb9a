"""Columns of a spatial mechanism from the motions of its bodies and joints."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.laws.tangent import beside, value_of
from mubo.mechanism import Absolute
from mubo.model import GROUND, ModelDefinition, target_of
from mubo.model.column_names import body_columns, joint_columns, point_columns
from mubo.model.coordinates import JointDof, joint_dofs
from mubo.note import Note
from mubo.results import Column, Columns

if TYPE_CHECKING:
    from mubo.solvers.columns.joint_coordinates import BodyMotion

Entry = tuple[Column, Array]
GIMBAL_RATIO = 0.6
Joints = Mapping[str, tuple[Array, ...]]  # coordinates, rates and accelerations of each joint


def space_columns(form: Absolute, t: Array, states: Array) -> Iterator[Entry]:
    """Columns of bodies, points of interest and joints from the absolute coordinates, angles in radians."""
    motions = _body_motions(form, t, states)
    joints = _joint_motions(form, t, states, motions, form.model.joints)
    yield from moving_columns(form.model, {name: motions[name].table() for name in form.free}, joints)


def space_joint_columns(form: Absolute, t: Array, states: Array, joints: Iterable[str]) -> Iterator[Entry]:
    """Columns of some joints alone, as `space_columns` has them."""
    return _joint_columns(form.model, _joint_motions(form, t, states, _body_motions(form, t, states), joints))


def _body_motions(form: Absolute, t: Array, states: Array) -> dict[str, BodyMotion]:
    from mubo.solvers.columns.joint_coordinates import body_motion, ground_motion

    motions = {name: body_motion(states[:, :, 7 * k : 7 * k + 7]) for k, name in enumerate(form.free)}
    return motions | {GROUND: ground_motion(len(t), states)}


def _joint_motions(
    form: Absolute, t: Array, states: Array, motions: Mapping[str, BodyMotion], names: Iterable[str]
) -> dict[str, tuple[Array, ...]]:
    """Coordinates, rates and accelerations of joints from the motions of their bodies."""
    from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
    from mubo.solvers.columns.joint_coordinates import joint_coordinates

    model, driven = form.model, _driven(form, t)
    joints: dict[str, tuple[Array, ...]] = {}
    for joint in (model.joints[name] for name in names):
        given = model.initial_joints[joint.name].q if joint.name in model.initial_joints else ()
        start, parts = list(given or zero_coordinates(joint_dofs(model, joint))), []
        for number, stack in enumerate(joint_motion(model, arm, states) for arm in joint.arms):
            wide, known = len(zero_coordinates(stack.dofs)), driven.get((joint.name, number), {})
            near, start = start[:wide], start[wide:]
            parts += joint_coordinates(stack, motions[stack.first], motions[stack.second], t, near, known)
        if parts:
            joints[joint.name] = tuple(np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    return joints


def moving_columns(model: ModelDefinition, bodies: Mapping[str, Array], joints: Joints) -> Iterator[Entry]:
    """Columns of bodies (times × 19: position, quaternion, velocity, angular velocity, and their derivatives), points
    and joints.

    Angular velocity and acceleration are in ground axes. Quaternions go on without a change of sign.
    """
    from mubo.geometry.rotation import point_on

    for name, motion in bodies.items():
        steady = motion.copy()
        steady[:, 3:7] *= _continuous_sign(steady[:, 3:7])[:, None]
        yield from zip(body_columns(name, 3), steady.T, strict=True)
    first = next(iter(bodies.values()))
    standing = beside(first, np.tile([0.0] * 3 + [1.0] + [0.0] * 15, (len(first), 1)))
    for point in model.tracked_points.values():
        parts = point_on(bodies.get(point.body, standing), point.at)
        yield from zip(point_columns(point.name, 3), np.concatenate(parts, axis=1).T, strict=True)
    yield from _joint_columns(model, joints)


def _joint_columns(model: ModelDefinition, joints: Joints) -> Iterator[Entry]:
    for name, coordinates in joints.items():
        dofs = joint_dofs(model, model.joints[name])
        for letter, part in zip("qva", coordinates, strict=True):
            yield from zip(joint_columns(name, dofs, letter), part.T, strict=True)


def _continuous_sign(p: Array) -> Array:
    """Sign ±1 per row: p and −p are the same rotation; the one nearer to the row before is chosen."""
    p = value_of(p)
    flips = np.sum(p[1:] * p[:-1], axis=1) < 0
    return np.asarray((-1.0) ** np.concatenate([[0], np.cumsum(flips)]))


def _driven(form: Absolute, t: Array) -> dict[tuple[str, int], dict[int, Array]]:
    """Values of driven rotations, by joint and arm, and number of the joint motion."""
    out: dict[tuple[str, int], dict[int, Array]] = {}
    values = form.motion(t)
    for k, driver in enumerate(form.model.drivers.values()):
        target = target_of(form.model, driver.of)
        if target.element.moves == "turn":
            out.setdefault((target.joint, target.arm), {})[target.number] = values[:, 3 * k]
    return out


def _without_quaternions(names: list[str], dofs: Sequence[JointDof]) -> list[str]:
    """Names of coordinates, one for each rate: the first component of a quaternion is left out."""
    kept = [k > 0 or len(f.q) == len(f.v) for f in dofs for k in range(len(f.q))]
    return list(itertools.compress(names, kept))


def turn_count_notes(form: Absolute, columns: Columns) -> list[Note]:
    """Notes on joints whose revolutions may be miscounted because their rates change too much from row to row."""
    if form.model.dimension == 2:
        return []
    from mubo.solvers.columns.joint_coordinates import MAX_PREDICTION_ERROR, predicted_change

    notes, t = [], columns["t"]
    driven = _driven(form, t)
    for joint in form.model.joints.values():
        dofs = joint_dofs(form.model, joint)
        owners = [(k, dof) for k, dof in enumerate(dofs) for _ in dof.v]  # quaternions count no turns
        names = [[column.name for column in joint_columns(joint.name, dofs, letter)] for letter in "qva"]
        names[0] = _without_quaternions(names[0], dofs)
        if any(name not in columns for name in names[0]):  # a pin of several bodies of the plane has no coordinates
            continue
        for number, (k, dof) in enumerate(owners):
            arm, own = divmod(k, len(dofs) // len(joint.arms))
            if not (dof.kind == "turn" or dof.euler) or own in driven.get((joint.name, arm), {}):
                continue
            motion = np.stack([columns.raw(of_order[number]) for of_order in names], 1)
            if np.any(np.abs(np.diff(motion[:, 0]) - predicted_change(motion, t)) > MAX_PREDICTION_ERROR):
                notes.append(Note("columns.revolutions_uncertain", coordinate=names[0][number]))
        if any(_may_pass_gimbal_lock(dof, columns, at, t) for dof, at in _euler_columns(dofs, names)):
            notes.append(Note("columns.gimbal_lock_between_rows", joint=joint.name))
    return notes


def _euler_columns(dofs: Sequence[JointDof], names: list[list[str]]) -> Iterator[tuple[JointDof, list[list[str]]]]:
    """Ball joints with Euler angles, and the names of their angles and rates."""
    first = 0
    for dof in dofs:
        if dof.euler:
            yield dof, [part[first : first + 3] for part in names[:2]]
        first += len(dof.v)


def _may_pass_gimbal_lock(dof: JointDof, columns: Columns, names: list[list[str]], t: Array) -> bool:
    """Whether Euler angles may pass their singular position between two rows on either side.

    With s the sine of the angle between the first and last axis, half a turn about it needs a distance of about
    s_0 + s_1 of the last axis, a quarter, up to which the nearest triple is the right one, about 0.7 of that.
    """
    from mubo.geometry.rotation import euler_axes

    angles, rates = (np.stack([columns.raw(name) for name in part], 1) for part in names)
    P = euler_axes(dof.euler, angles)
    omega = np.einsum("nij,nj->ni", P, rates)
    speed = np.linalg.norm(np.cross(omega, P[:, :, 2]), axis=1)  # of the last axis
    apart = np.abs(np.linalg.det(P))
    turned = np.maximum(speed[1:], speed[:-1]) * np.diff(t)
    return bool(np.any(turned > GIMBAL_RATIO * (apart[1:] + apart[:-1])))
