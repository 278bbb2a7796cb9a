"""The columns of a motion in joint coordinates."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.arrays import Array
from mubo.mechanism.formulations.tree import Tree
from mubo.model import GROUND, target_of
from mubo.model.column_names import TIME, driver_columns
from mubo.results import Column, Columns
from mubo.solvers.columns.plane_columns import plane_columns
from mubo.solvers.columns.space_columns import moving_columns
from mubo.solvers.dynamics.closed_columns import closing_joints, plane_states
from mubo.solvers.dynamics.energy_balance import EnergyBalance
from mubo.solvers.dynamics.solution import row_efforts
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
    of_rows = dict(row_efforts(tree.mechanism, motion.t, tree.closing.drivers, motion.loops[:, 2]))
    for name, driver in tree.model.drivers.items():
        holds = target_of(tree.model, driver.of).holds
        if name in tree.driven:
            number = tree.driven[name]
            values = (motion.q[:, links[number].q.start], motion.v[:, number], motion.effort[:, number])
        else:
            values = of_rows[name]
        yield from zip(driver_columns(name, holds, effort=True), values, strict=True)
