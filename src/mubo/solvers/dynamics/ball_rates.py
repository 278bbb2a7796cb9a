"""Equations for the given rates of joints that turn about a ball, in the twists of the bodies.

The rates of a joint are linear in the twists of its two bodies at one position, so that unit twists give the equations
of every joint of space, whatever its rates are: angular velocity in the second body's frame, or rates of Euler angles.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import column_names, holds_of, reported_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.columns.joint_coordinates import BodyMotion, joint_coordinates

TWIST = 6  # velocity of the origin and angular velocity, in ground axes


def turns_about_ball(model: ModelDefinition, joint: Joint) -> bool:
    """Whether a joint has a ball among its motions: no driver can prescribe its coordinates."""
    return any(dof.kind == "ball" for dof in reported_dofs(model, joint))


def ball_rates(analysis: StartAnalysis, model: ModelDefinition, count: int) -> tuple[Array, Array, list[str], Array]:
    """Return a matrix over the `count` components of the twists of the moving bodies, the given rates, their names, and
    whether they are angular; no rows in the plane, which has no ball."""
    rows, values = [np.zeros((0, count))], list[float]()
    names, angular = list[str](), list[bool]()
    for initial in model.initial_joints.values():
        joint = model.joints[initial.joint]
        if not initial.v or not turns_about_ball(model, joint):
            continue
        for number, arm in enumerate(joint.arms):
            one = _rates_by_twists(analysis, model, arm, count)
            rows.append(one)
            values += initial.v[number * len(one) : (number + 1) * len(one)]
        kinds = holds_of(model, joint, True)
        names += [f"joint {joint.name}.{name}" for name in column_names(len(kinds), "v")]
        angular += [kind == "angle" for kind in kinds]
    return np.concatenate(rows), np.array(values, float), names, np.array(angular, bool)


def _rates_by_twists(analysis: StartAnalysis, model: ModelDefinition, joint: Joint, count: int) -> Array:
    """Return the rates of a joint per unit of every component of the twists of the moving bodies."""
    form, stack = analysis.form, joint_motion(model, joint)
    poses = dict(form.mechanism.poses)
    poses |= dict(zip(form.free, analysis.assembly.q.reshape(-1, form.width), strict=True))
    moved = [body for body in (stack.first, stack.second) if body in form.numbers]
    lines = TWIST * len(moved)
    motions = []
    for body in (stack.first, stack.second):
        twist = np.zeros((lines, TWIST))
        if body in moved:
            first = TWIST * moved.index(body)
            twist[first : first + TWIST] = np.eye(TWIST)
        r = np.zeros((lines, 3, 3))
        r[:, 0], r[:, 1] = poses[body][:3], twist[:, :3]
        motions.append(BodyMotion(r, np.tile(poses[body][3:], (lines, 1)), twist[:, 3:], np.zeros((lines, 3))))
    parts = joint_coordinates(stack, motions[0], motions[1], np.zeros(lines), list(zero_coordinates(stack.dofs)), {})
    rates = np.concatenate([v for _, v, _ in parts], axis=1)
    out = np.zeros((rates.shape[1], count))
    for k, body in enumerate(moved):
        first = TWIST * form.numbers[body]
        out[:, first : first + TWIST] = rates[TWIST * k : TWIST * (k + 1)].T
    return out
