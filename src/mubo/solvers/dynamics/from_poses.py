"""The core's positions of a tree from the poses of an assembled mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix, of_matrix
from mubo.mechanism.estimates import Pose
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.frames import JointFrame, frames_of, plane_rotation
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import Body
from mubo.model.coordinates import JointDof, holds_of, joint_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.dynamics.initial_configuration import measured
from mubo.topology.tree import ends_of


def core_positions(tree: Tree, look: StartAnalysis) -> Array:
    """q of the core at the position that was found."""
    form = look.form
    poses = dict(form.mechanism.poses)
    poses |= dict(zip(form.free, look.assembly.q.reshape(-1, form.width), strict=True))
    return _in_plane(tree, poses) if tree.model.dimension == 2 else _in_space(tree, poses)


def _in_plane(tree: Tree, poses: Mapping[str, Array]) -> Array:
    """Turns are differences of angles, full turns counted; slides are measured in the joint's frame."""
    q = np.zeros(tree.links.positions)
    arms = {(hinge.joint, hinge.child): hinge for hinge in tree.hinges}
    body_of = {link: body for body, (link, _) in tree.links.frame.items()}
    carried = _carried(tree, body_of)
    for motion in tree.links.motions:
        hinge = arms[motion.joint, carried[motion.link]]
        joint = hinge.joint_in(tree.model)
        angle = tree.mechanism.values.get(joint.name, {}).get("angle", [0.0])[0]
        first, second = frames_of(tree.model, joint, angle)
        if motion.kind == "turn":
            q[motion.q] = poses[second.body][2] - poses[first.body][2] - angle
        elif motion.kind == "slide":  # a weld has no DOF
            dof = joint_dofs(tree.model, joint)[motion.first - hinge.arm * len(holds_of(tree.model, joint))]
            way = _place(poses, second) - _place(poses, first)
            axis = plane_rotation(float(poses[first.body][2])) @ first.axes[:, "xyz".index(dof.axis)]
            q[motion.q] = axis @ way
    return q


def _carried(tree: Tree, body_of: Mapping[int, str]) -> dict[int, str]:
    """The body at the end of the stack that each link belongs to."""
    out: dict[int, str] = {}
    links = range(len(tree.links.kind) - 1, -1, -1)
    child = {tree.links.parent[link]: link for link in links}  # the first of those that a link carries
    for link in links:
        out[link] = body_of[link] if link in body_of else out[child[link]]
    return out


def _place(poses: Mapping[str, Array], frame: JointFrame) -> Array:
    x, y, angle = poses[frame.body]
    return np.array([x, y, 0.0]) + plane_rotation(float(angle)) @ frame.at


def _in_space(tree: Tree, poses: Mapping[str, Array]) -> Array:
    """Coordinates of every joint, arm by arm, then as the core counts them."""
    model = tree.model
    q: list[float] = []
    for joint in tree.joints:
        given = list(model.initial_joints[joint.name].q) if joint.name in model.initial_joints else []
        for arm in joint.arms:
            stack = joint_motion(model, arm)
            first, second = (_pose(poses[body]) for body in ends_of(arm))
            r, A = second
            found = measured(stack, True, first, Body("", tuple(r), orientation=tuple(of_matrix(A))))
            near, given = given[: len(found)], given[len(found) :]
            q += _turns_as(stack.dofs, found, near or list(zero_coordinates(stack.dofs)))
    rates = np.zeros((1, sum(len(holds_of(model, joint, True)) for joint in tree.joints)))
    positions: Array = tree.core_motion(np.array([q]), rates, rates)[0]
    return np.asarray(positions[0])


def _turns_as(dofs: Sequence[JointDof], found: list[float], near: list[float]) -> list[float]:
    """Turns with the full turns of the coordinates that were given."""
    kinds = [dof.kind for dof in dofs for _ in dof.q]
    full = 2 * np.pi
    return [
        x + full * round((y - x) / full) if kind == "turn" else x for kind, x, y in zip(kinds, found, near, strict=True)
    ]


def _pose(numbers: Array) -> Pose:
    return np.array(numbers[:3]), matrix(numbers[3:])
