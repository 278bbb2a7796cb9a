"""A simulation in joint coordinates: the tree with its loops closed, or Wittenburg's equations."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.energy_balance import balance_of
from mubo.solvers.dynamics.sensors import look_of
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.solution import DynamicSolution, loops_summary
from mubo.solvers.dynamics.tree_columns import tree_columns
from mubo.solvers.dynamics.tree_motion import tree_motion


def by_tree(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """From the initial conditions to the end of the grid, or to where the motion must stop."""
    motion = tree_motion(tree, grid, settings, look_of(tree, settings))
    turns = tree.turns(motion.done.states)  # that the state counts
    numbers = tree.system.energy(motion.t, motion.q, motion.v, turns)[3]
    balance = balance_of(tree.model, numbers, motion.exchanged)
    loops = {}
    if tree.closing.rows:
        equations = [str(equation) for equation in tree.closing.equations]
        loops = loops_summary(list(tree.closing.joints), equations, list(tree.left_out), motion.loops[:, :2])
    return DynamicSolution(
        settings.formulation,
        settings.method,
        tree_columns(tree, motion, balance),
        balance,
        motion.done,
        loops,
        [*motion.notes],
        lost=motion.lost,
        friction=motion.friction,
        clear=np.sqrt(np.maximum(motion.weakest, 0.0)),
    )
