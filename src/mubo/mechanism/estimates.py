"""Where bodies are before anything is solved: as position and angle say; in space, where left out, as joints do.

A spatial body without them is placed by the joint that reaches it from a placed body, at the coordinates of its
[initial] or at zero. Of several joints one with [initial] goes first, then the one that leaves least free.
"""

from __future__ import annotations

import heapq

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.stack import Stack, stack_of, zero_of
from mubo.model import GROUND, Body, Model
from mubo.model.rotation import UNIT, matrix, of_matrix

Pose = tuple[Array, Array]  # origin and rotation


def estimates(model: Model) -> dict[str, Array]:
    """x, y and φ of every body, in space x, y, z and quaternion; the ground included."""
    if model.dimension == 2:
        return {name: np.array([*body.position, body.angle]) for name, body in model.bodies.items()}
    return _in_space(model)


def _in_space(model: Model) -> dict[str, Array]:
    placed: dict[str, Pose] = {GROUND: (np.zeros(3), np.eye(3))}
    for name, body in model.bodies.items():
        if name != GROUND and body.position and body.orientation:
            placed[name] = (np.array(body.position), matrix(body.orientation))
    _place_by_joints(model, placed)
    for name, body in model.bodies.items():
        if name not in placed and body.position:
            placed[name] = (np.array(body.position), matrix(body.orientation or UNIT))
    lost = [name for name in model.bodies if name not in placed]
    if lost:
        raise ModelError(
            "; ".join(f"body {name}: no hinge leads to it from the ground" for name in lost),
            names=lost,
            suggestion="Give its position and orientation; estimates will do.",
        )
    return {name: np.array([*placed[name][0], *_quaternion(model.bodies[name], placed[name])]) for name in model.bodies}


def _place_by_joints(model: Model, placed: dict[str, Pose]) -> None:
    """Bodies across joints that have one placed end, always by the joint of lowest rank that has one."""
    stacks = _by_rank(model)
    around: dict[str, list[int]] = {name: [] for name in model.bodies}
    for k, (_, stack) in enumerate(stacks):
        for body in (stack.first, stack.second):
            around[body].append(k)
    waiting = sorted({k for name in placed for k in around[name]})
    while waiting:
        joint, stack = stacks[heapq.heappop(waiting)]
        if (stack.first in placed) == (stack.second in placed):
            continue  # both ends are placed by now
        forward = stack.first in placed
        near, name = (stack.first, stack.second) if forward else (stack.second, stack.first)
        start = model.initial.get(joint)
        q = (start.q if start else ()) or zero_of(stack.freedoms)
        placed[name] = _across(stack, forward, q, placed[near], model.bodies[name])
        for k in around[name]:
            heapq.heappush(waiting, k)


def _by_rank(model: Model) -> list[tuple[str, Stack]]:
    """Joints that can place a body, those first that say most about where it is."""
    useful = [j for j in model.joints.values() if model.kinds[j.kind].hinge]
    stacks = [(joint.name, stack_of(model, joint)) for joint in useful]

    def rank(entry: tuple[str, Stack]) -> tuple[bool, int]:
        name, stack = entry
        told = name in model.initial and bool(model.initial[name].q)
        return not told, sum(3 if f.kind == "ball" else 1 for f in stack.freedoms)

    return sorted(stacks, key=rank)


def _across(stack: Stack, forward: bool, q: tuple[float, ...], known: Pose, body: Body) -> Pose:
    """The pose of the body on the other side; what the body says itself goes first."""
    R, d = stack.moved(q)
    r, A = known
    turn = stack.F @ R @ stack.G.T  # of the second body in the first
    own = matrix(body.orientation) if body.orientation else A @ (turn if forward else turn.T)
    slid = (A if forward else own) @ stack.F @ d
    meets = r + A @ stack.at + slid if forward else r + A @ stack.on - slid
    origin = meets - own @ (stack.on if forward else stack.at)
    return (np.array(body.position) if body.position else origin), own


def _quaternion(body: Body, pose: Pose) -> Array:
    return np.array(body.orientation) if body.orientation else of_matrix(pose[1])
