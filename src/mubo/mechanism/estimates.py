"""Estimated poses of bodies: their position and angle as written; in space, where left out, by their joints.

A spatial body without them is placed by the joint that reaches it from a placed body, at the coordinates of its
[initial] or at zero. Of several joints one with [initial] goes first, then the one that leaves least free.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.dependent import Dependent
from mubo.laws.tangent import Tangent, beside, promote
from mubo.model import GROUND, Body, ModelDefinition

if TYPE_CHECKING:
    from mubo.mechanism.joint_frames import JointMotion


Pose = tuple[Array, Array]  # origin and rotation
MOST_TURNED = 1e6  # radians: sine and cosine of more have lost ten digits


def estimate_poses(model: ModelDefinition) -> dict[str, Array]:
    """Estimates x, y and φ of every body, in space x, y, z and quaternion; the ground included."""
    if model.dimension == 2:
        known: dict[str, tuple[Body, Array]] = model.structure.setdefault("drawn poses", {})
        poses = {}
        for name, body in model.bodies.items():
            drawn = known.get(name)
            if drawn is None or drawn[0] is not body:
                drawn = known[name] = body, drawn_pose(body)
            poses[name] = drawn[1]
        return poses
    return _estimate_in_space(model)


def drawn_pose(body: Body, like: Array | None = None) -> Array:
    """Pose x, y and φ of a planar body as drawn; with derivatives by parameters where `like` has them."""
    pose = np.array([*body.position, _drawn_angle(body)])
    if isinstance(like, Tangent) and not any(isinstance(x, Dependent) for x in (*body.position, body.angle)):
        return promote(pose, 0.0, like.names)
    written = beside(like, [*body.position, body.angle])
    return promote(pose, written.d, written.names) if isinstance(written, Tangent) else pose


def _drawn_angle(body: Body) -> float:
    """Angle of an estimate; of very many revolutions only the remainder, which rounding would lose."""
    return body.angle if abs(body.angle) < MOST_TURNED else math.remainder(body.angle, 2 * math.pi)


def _estimate_in_space(model: ModelDefinition) -> dict[str, Array]:
    from mubo.geometry import UNIT
    from mubo.geometry.rotation import matrix

    placed: dict[str, Pose] = {GROUND: (np.zeros(3), np.eye(3))}
    bodies = {name: drawn_body(model, name) for name in model.bodies}
    for name, body in bodies.items():
        if name != GROUND and body.position and body.orientation:
            placed[name] = (np.array(body.position), matrix(body.orientation))
    _place_by_joints(model, bodies, placed)
    for name, body in bodies.items():
        if name not in placed and body.position:
            placed[name] = (np.array(body.position), matrix(body.orientation or UNIT))
    lost = [name for name in model.bodies if name not in placed]
    if lost:
        raise ModelError(
            "; ".join(
                f"body {name} is led by no joint from the ground, and its position is not given" for name in lost
            ),
            names=lost,
            suggestion="Give its position and orientation; estimates will do.",
        )
    return {name: np.array([*placed[name][0], *_quaternion(bodies[name], placed[name])]) for name in bodies}


def drawn_body(model: ModelDefinition, name: str) -> Body:
    """A body with the position and orientation of its [initial] where it has them, else as written."""
    body, start = model.bodies[name], model.initial_bodies.get(name)
    if start is None:
        return body
    return replace(body, position=start.position or body.position, orientation=start.orientation or body.orientation)


def _place_by_joints(model: ModelDefinition, bodies: Mapping[str, Body], placed: dict[str, Pose]) -> None:
    """Place bodies across joints that have one placed end, always by the joint of lowest rank that has one."""
    from mubo.mechanism.joint_frames import zero_coordinates

    stacks = _joints_by_rank(model)
    around: dict[str, list[int]] = {name: [] for name in model.bodies}
    for k, (_, stack) in enumerate(stacks):
        for body in (stack.first, stack.second):
            around[body].append(k)
    waiting = sorted({k for name in placed for k in around[name]})
    while waiting:
        given, stack = stacks[heapq.heappop(waiting)]
        if (stack.first in placed) == (stack.second in placed):
            continue  # both ends are placed by now
        forward = stack.first in placed
        near, name = (stack.first, stack.second) if forward else (stack.second, stack.first)
        q = given or zero_coordinates(stack.dofs)
        placed[name] = pose_across(stack, forward, q, placed[near], bodies[name])
        for k in around[name]:
            heapq.heappush(waiting, k)


def _joints_by_rank(model: ModelDefinition) -> list[tuple[tuple[float, ...], JointMotion]]:
    """Joints that can place a body with the coordinates given, the most constraining first."""
    from mubo.mechanism.joint_frames import joint_motion, zero_coordinates

    stacks = []
    for joint in model.joints.values():
        start = model.initial_joints.get(joint.name)
        given = list(start.q if start else ())
        for arm in joint.arms if model.kinds[joint.kind].hinge else ():
            stack = joint_motion(model, arm)
            wide = len(zero_coordinates(stack.dofs))
            stacks.append((tuple(given[:wide]), stack))
            given = given[wide:]

    def rank(entry: tuple[tuple[float, ...], JointMotion]) -> tuple[bool, int]:
        q, stack = entry
        return not q, sum(3 if f.kind == "ball" else 1 for f in stack.dofs)

    return sorted(stacks, key=rank)


def pose_across(stack: JointMotion, forward: bool, q: Sequence[float], known: Pose, body: Body | None = None) -> Pose:
    """Pose of the body on the other side of a joint; the pose stated by the body itself has priority."""
    from mubo.geometry.rotation import matrix

    R, d = stack.relative_pose(q)
    r, A = known
    turn = stack.F @ R @ stack.G.T  # of the second body in the first
    own = matrix(body.orientation) if body and body.orientation else A @ (turn if forward else turn.T)
    slid = (A if forward else own) @ stack.F @ d
    meets = r + A @ stack.at + slid if forward else r + A @ stack.on - slid
    origin = meets - own @ (stack.on if forward else stack.at)
    return (np.array(body.position) if body and body.position else origin), own


def _quaternion(body: Body, pose: Pose) -> Array:
    from mubo.geometry.rotation import of_matrix

    return np.array(body.orientation) if body.orientation else of_matrix(pose[1])
