"""Columns of a motion in joint coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import GROUND, target_of
from mubo.model.column_names import TIME, driver_columns
from mubo.results import Column, Columns
from mubo.solvers.columns.columns import plane_columns
from mubo.solvers.columns.joint_coordinates import BodyMotion, ground_motion, joint_coordinates
from mubo.solvers.columns.space_columns import moving_columns
from mubo.solvers.dynamics.solution import EnergyBalance, driver_efforts
from mubo.solvers.dynamics.tree_motion import TreeMotion


def tree_columns(tree: Tree, motion: TreeMotion, balance: EnergyBalance) -> Columns:
    """The table: time, bodies, points and joints, drivers with their efforts, energies."""
    model, (q, v, a) = tree.model, (motion.q, motion.v, motion.a)
    links = tree.system.forward(q, v, a)
    columns = Columns(model.units, [(TIME, motion.t)])
    if model.dimension == 2:
        columns.extend(plane_columns(tree, plane_states(tree, links, q)))
    else:
        bodies = {name: tree.body_motion(name, links) for name in model.bodies if name != GROUND}
        joints = tree.joint_columns(q, v, a, motion.angles) | closing_joints(tree, motion.t, bodies)
        columns.extend(moving_columns(model, bodies, joints))
    columns.extend(_driver_entries(tree, motion))
    columns.extend(balance.columns())
    return columns


def _driver_entries(tree: Tree, motion: TreeMotion) -> Iterator[tuple[Column, Array]]:
    links = {link.v.start: link for link in tree.links.motions}
    of_rows = dict(driver_efforts(tree.mechanism, motion.t, tree.closing.drivers, motion.loops[:, 2]))
    for name, driver in tree.model.drivers.items():
        holds = target_of(tree.model, driver.of).holds
        if name in tree.driven:
            number = tree.driven[name]
            values = (motion.q[:, links[number].q.start], motion.v[:, number], motion.effort[:, number])
        else:
            values = of_rows[name]
        yield from zip(driver_columns(name, holds, effort=True), values, strict=True)


def plane_states(tree: Tree, links: Array, q: Array) -> Array:
    """x, y, φ of the moving bodies with their derivatives: (times, 3, 3 bodies); φ counts full turns."""
    angles = _link_angles(tree, q)
    out = np.zeros((len(q), 3, 3 * len(tree.free)))
    for k, name in enumerate(tree.free):
        link = tree.links.frame[name][0]
        line = tree.body_motion(name, links)
        own = out[:, :, 3 * k : 3 * k + 3]
        own[:, 0, :2], own[:, 0, 2] = line[:, :2], angles[link] - tree.links.turned[name]
        own[:, 1, :2], own[:, 1, 2] = line[:, 7:9], line[:, 12]
        own[:, 2, :2], own[:, 2, 2] = line[:, 13:15], line[:, 18]
    return out


def _link_angles(tree: Tree, q: Array) -> dict[int, Array]:
    """Angle of every link against the ground."""
    out = {link: np.full(len(q), angle) for link, angle in tree.links.turns().items()}
    motions = {motion.link: motion for motion in tree.links.motions}
    turned = {-1: np.zeros(len(q))}
    for link, parent in enumerate(tree.links.parent):
        turned[link] = turned[parent]
        if motions[link].kind == "turn":
            turned[link] = turned[link] + tree.links.axis[link][2] * q[:, motions[link].q.start]
    return {link: out[link] + turned[link] for link in out}


def closing_joints(tree: Tree, t: Array, bodies: Mapping[str, Array]) -> dict[str, tuple[Array, ...]]:
    """Coordinates of the joints of space that close loops, from the motion of the bodies that they join."""
    moving = {name: _body_motion(table) for name, table in bodies.items()} | {GROUND: ground_motion(len(t))}
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


def _body_motion(table: Array) -> BodyMotion:
    r = np.stack([table[:, :3], table[:, 7:10], table[:, 13:16]], axis=1)
    return BodyMotion(r, table[:, 3:7], table[:, 10:13], table[:, 16:19])
