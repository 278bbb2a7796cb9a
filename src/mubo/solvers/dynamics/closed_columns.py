"""Columns that a simulated mechanism of the plane, or one with loops, adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import GROUND
from mubo.solvers.columns.joint_coordinates import BodyMotion, ground_motion, joint_coordinates


def plane_states(tree: Tree, links: Array, q: Array) -> Array:
    """x, y, φ of the moving bodies with their derivatives: (times, 3, 3 bodies); φ counts full turns."""
    turned = _turned(tree, q)
    out = np.zeros((len(q), 3, 3 * len(tree.free)))
    for k, name in enumerate(tree.free):
        link = tree.links.frame[name][0]
        line = tree.body_motion(name, links)
        own = out[:, :, 3 * k : 3 * k + 3]
        own[:, 0, :2], own[:, 0, 2] = line[:, :2], turned[link] - tree.links.turned[name]
        own[:, 1, :2], own[:, 1, 2] = line[:, 7:9], line[:, 12]
        own[:, 2, :2], own[:, 2, 2] = line[:, 13:15], line[:, 18]
    return out


def _turned(tree: Tree, q: Array) -> dict[int, Array]:
    """The turn of every link against the ground."""
    out = {link: np.full(len(q), angle) for link, angle in tree.links.turns().items()}
    motions = {motion.link: motion for motion in tree.links.motions}
    moved = {-1: np.zeros(len(q))}
    for link, parent in enumerate(tree.links.parent):
        moved[link] = moved[parent]
        if motions[link].kind == "turn":
            moved[link] = moved[link] + tree.links.axis[link][2] * q[:, motions[link].q.start]
    return {link: out[link] + moved[link] for link in out}


def closing_joints(tree: Tree, t: Array, bodies: Mapping[str, Array]) -> dict[str, tuple[Array, ...]]:
    """Coordinates of the joints of space that close loops with all arms or some, from the bodies they join."""
    moving = {name: _moving(table) for name, table in bodies.items()} | {GROUND: ground_motion(len(t))}
    model, walked = tree.model, Counter(hinge.joint for hinge in tree.hinges)
    out = {}
    for name in tree.closing.joints:
        if walked[name] == len(model.joints[name].arms):  # a driver closes the loop
            continue
        given = list(model.initial_joints[name].q) if name in model.initial_joints else []
        parts = []
        for stack in (joint_motion(model, arm) for arm in model.joints[name].arms):
            wide = len(zero_coordinates(stack.dofs))
            near, given = given[:wide] or list(zero_coordinates(stack.dofs)), given[wide:]
            parts += joint_coordinates(stack, moving[stack.first], moving[stack.second], t, near, {})
        if parts:
            out[name] = tuple(np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    return out


def _moving(table: Array) -> BodyMotion:
    r = np.stack([table[:, :3], table[:, 7:10], table[:, 13:16]], axis=1)
    return BodyMotion(r, table[:, 3:7], table[:, 10:13], table[:, 16:19])
