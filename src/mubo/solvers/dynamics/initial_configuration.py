"""Joint coordinates from poses: those of a given body, or the nearest that the joint allows; those of an assembly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import about, conjugate, euler_of, matrix, of_matrix, product
from mubo.mechanism.estimates import Pose, pose_across
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.frames import JointFrame, frames_of, plane_rotation
from mubo.mechanism.joint_frames import JointMotion, joint_motion, zero_coordinates
from mubo.model import Body
from mubo.model.coordinates import JointDof, holds_of, joint_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.columns.joint_coordinates import BodyMotion, joint_coordinates
from mubo.topology.tree import ends_of

TURNS = (0.0, 2.0, -2.0)  # initial guesses of angles: from the farthest position of a turn no step leads to the nearest
MET = 1e-9  # of the distance: slides alone reach the position


def pose_error(wanted: Body, pose: Pose) -> tuple[float, float]:
    """Distance and angle between a pose and the given position and orientation; zero where they are not given."""
    away = float(np.linalg.norm(np.array(wanted.position) - pose[0])) if wanted.position else 0.0
    if not wanted.orientation:
        return away, 0.0
    turn = product(conjugate(wanted.orientation), of_matrix(pose[1]))
    return away, 2 * math.atan2(float(np.linalg.norm(turn[1:])), abs(float(turn[0])))


def coordinates_at(stack: JointMotion, forward: bool, near: Pose, wanted: Body) -> list[float]:
    """Coordinates of a joint at which the other body is at `wanted`, the known body being at `near`."""
    if not wanted.orientation:
        return _coordinates_by_position(stack, forward, near, np.array(wanted.position))
    A = matrix(wanted.orientation)
    known, own = (stack.at, stack.on) if forward else (stack.on, stack.at)
    r = np.array(wanted.position) if wanted.position else near[0] + near[1] @ known - A @ own
    first, second = (_at_rest(*end) for end in ((near, (r, A)) if forward else ((r, A), near)))
    parts = joint_coordinates(stack, first, second, np.zeros(1), list(zero_coordinates(stack.dofs)), {})
    return [float(x) for part in parts for x in part[0][0]]


def _at_rest(r: Array, A: Array) -> BodyMotion:
    still = np.zeros((1, 3))
    return BodyMotion(np.array([[r, still[0], still[0]]]), of_matrix(A)[None], still, still)


def _coordinates_by_position(stack: JointMotion, forward: bool, near: Pose, place: Array) -> list[float]:
    """Coordinates where only the body's origin is given: by slides alone if they reach it, else with the least turn."""
    from scipy.optimize import least_squares

    kinds = [dof.kind for dof in stack.dofs for _ in dof.v]
    slides = np.array([kind == "slide" for kind in kinds])
    zero = np.zeros(len(kinds))
    size = float(np.linalg.norm(place - near[0])) or 1.0

    def off(x: Array) -> Array:
        return np.asarray((pose_across(stack, forward, _joint_coordinates(stack, x), near)[0] - place) / size)

    def only_slides(x: Array) -> Array:
        full = zero.copy()
        full[slides] = x
        return off(full)

    if not kinds:
        return []
    if slides.any():
        found = least_squares(only_slides, zero[slides], xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if np.linalg.norm(found.fun) < MET or slides.all():
            full = zero.copy()
            full[slides] = found.x
            return _joint_coordinates(stack, full)
    guesses = [np.where(slides, 0.0, turn) for turn in TURNS]
    solutions = [least_squares(off, guess, xtol=1e-15, ftol=1e-15, gtol=1e-15) for guess in guesses]
    least = min(float(np.linalg.norm(one.fun)) for one in solutions)
    best = [one.x for one in solutions if np.linalg.norm(one.fun) <= least + MET]
    return _joint_coordinates(stack, min(best, key=lambda x: float(np.linalg.norm(x))))


def _joint_coordinates(stack: JointMotion, x: Array) -> list[float]:
    """Coordinates from one number per rate; the numbers of a ball are a rotation vector."""
    out: list[float] = []
    rest = list(x)
    for dof in stack.dofs:
        own, rest = np.array(rest[: len(dof.v)]), rest[len(dof.v) :]
        if dof.kind != "ball":
            out += [float(own[0])]
            continue
        angle = float(np.linalg.norm(own))
        p = about(own / angle if angle else np.array([0.0, 0.0, 1.0]), np.array(angle))
        out += [float(number) for number in (euler_of(dof.euler, p) if dof.euler else p)]
    return out


def core_positions(tree: Tree, analysis: StartAnalysis) -> Array:
    """Coordinates q of the core at the assembled position."""
    form = analysis.form
    poses = dict(form.mechanism.poses)
    poses |= dict(zip(form.free, analysis.assembly.q.reshape(-1, form.width), strict=True))
    return _plane_positions(tree, poses) if tree.model.dimension == 2 else _space_positions(tree, poses)


def _plane_positions(tree: Tree, poses: Mapping[str, Array]) -> Array:
    """Turns as differences of angles with full turns, slides in the frame of the joint."""
    q = np.zeros(tree.links.positions)
    arms = {(hinge.joint, hinge.child): hinge for hinge in tree.hinges}
    body_of = {link: body for body, (link, _) in tree.links.frame.items()}
    carried = _stack_bodies(tree, body_of)
    for motion in tree.links.motions:
        hinge = arms[motion.joint, carried[motion.link]]
        joint = hinge.joint_in(tree.model)
        angle = tree.mechanism.values.get(joint.name, {}).get("angle", [0.0])[0]
        first, second = frames_of(tree.model, joint, angle)
        if motion.kind == "turn":
            q[motion.q] = poses[second.body][2] - poses[first.body][2] - angle
        elif motion.kind == "slide":  # a weld has no DOF
            dof = joint_dofs(tree.model, joint)[motion.first - hinge.arm * len(holds_of(tree.model, joint))]
            offset = _frame_origin(poses, second) - _frame_origin(poses, first)
            axis = plane_rotation(float(poses[first.body][2])) @ first.axes[:, "xyz".index(dof.axis)]
            q[motion.q] = axis @ offset
    return q


def _stack_bodies(tree: Tree, body_of: Mapping[int, str]) -> dict[int, str]:
    """The body at the end of the stack that each link belongs to."""
    out: dict[int, str] = {}
    links = range(len(tree.links.kind) - 1, -1, -1)
    child = {tree.links.parent[link]: link for link in links}  # the first of those that a link carries
    for link in links:
        out[link] = body_of[link] if link in body_of else out[child[link]]
    return out


def _frame_origin(poses: Mapping[str, Array], frame: JointFrame) -> Array:
    x, y, angle = poses[frame.body]
    return np.array([x, y, 0.0]) + plane_rotation(float(angle)) @ frame.at


def _space_positions(tree: Tree, poses: Mapping[str, Array]) -> Array:
    """Coordinates of every joint, arm by arm, converted to those of the core."""
    model = tree.model
    q: list[float] = []
    for joint in tree.joints:
        given = list(model.initial_joints[joint.name].q) if joint.name in model.initial_joints else []
        for arm in joint.arms:
            stack = joint_motion(model, arm)
            first, second = (poses[body] for body in ends_of(arm))
            wanted = Body("", tuple(second[:3]), orientation=tuple(second[3:]))
            found = coordinates_at(stack, True, (np.array(first[:3]), matrix(first[3:])), wanted)
            near, given = given[: len(found)], given[len(found) :]
            q += _with_full_turns(stack.dofs, found, near or list(zero_coordinates(stack.dofs)))
    rates = np.zeros((1, sum(len(holds_of(model, joint, True)) for joint in tree.joints)))
    positions: Array = tree.core_motion(np.array([q]), rates, rates)[0]
    return np.asarray(positions[0])


def _with_full_turns(dofs: Sequence[JointDof], found: list[float], near: list[float]) -> list[float]:
    """Add the full turns of the given coordinates to the angles found."""
    kinds = [dof.kind for dof in dofs for _ in dof.q]
    full = 2 * np.pi
    return [
        x + full * round((y - x) / full) if kind == "turn" else x for kind, x, y in zip(kinds, found, near, strict=True)
    ]
