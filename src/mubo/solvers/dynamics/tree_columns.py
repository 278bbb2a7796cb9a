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
        names = [name for name in model.bodies if name != GROUND]
        bodies = dict(zip(names, np.moveaxis(tree.body_motions(names, links), 1, 0), strict=True))
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
    names = tree.free
    motion, angles = tree.body_motions(names, links), _link_angles(tree, q)
    out = np.empty((len(q), 3, len(names), 3))
    for order, (place, turn) in enumerate(((slice(0, 2), None), (slice(7, 9), 12), (slice(13, 15), 18))):
        out[:, order, :, :2] = motion[:, :, place]
        if turn is not None:
            out[:, order, :, 2] = motion[:, :, turn]
    turned = np.array([tree.links.turned[name] for name in names])
    out[:, 0, :, 2] = angles[:, tree.links.origins(names)[0]] - turned
    return out.reshape(len(q), 3, -1)


def _link_angles(tree: Tree, q: Array) -> Array:
    """Angle of every link against the ground, and last that of the ground: (times, links + 1)."""
    links, turns = tree.links, tree.links.turns()
    out = np.zeros((len(q), len(links.parent) + 1))
    for motion in links.motions:  # a parent comes before its links
        link = motion.link
        out[:, link] = out[:, links.parent[link]]
        if motion.kind == "turn":
            out[:, link] += links.axis[link][2] * q[:, motion.q.start]
    return np.asarray(out + np.array([*(turns[link] for link in range(len(links.parent))), 0.0]))


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
