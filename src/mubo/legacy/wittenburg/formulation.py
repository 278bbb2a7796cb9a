"""A simulation by Wittenburg's equations: the same result from another formulation."""

from __future__ import annotations

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.legacy.wittenburg.integrate import integrate as integrate_wittenburg
from mubo.mechanism.formulations.tree import Tree
from mubo.model.coordinates import holds_of
from mubo.solvers.dynamics.integrate import Integrated
from mubo.solvers.dynamics.settings import SimulationSettings


def by_wittenburg(
    tree: Tree, grid: Array, settings: SimulationSettings
) -> tuple[Integrated, Array, dict[int, Array], list[str]]:
    """States of the core at the times reached, accelerations of the core, Euler angles by link, and its notes."""
    for asked, what in ((tree.model.events, "events"), (settings.user, "forces by a function")):
        if asked:
            raise ModelError(f"Wittenburg's equations are integrated without {what}: use --formulation tree")
    if settings.method != "DOP853":
        raise ModelError(f"Wittenburg's equations are integrated by DOP853 only; found {settings.method}")
    notes: list[str] = []
    q, v, a = integrate_wittenburg(tree.model, grid, settings.rtol, settings.atol, notes.append)
    core_q, core_v, core_a = tree.core_motion(q, v, a)
    states = np.concatenate([core_q, core_v, np.zeros((len(q), 2))], axis=1)
    reached = len(q) == len(grid)  # else the last note says why not
    done = Integrated(
        states,
        float(grid[len(q) - 1]),
        Status.done if reached else Status.running,
        reason="" if reached or not notes else notes[-1],
    )
    return done, core_a, _euler_angles(tree, q), notes


def _euler_angles(tree: Tree, q: Array) -> dict[int, Array]:
    """The angles that were integrated, of every ball that has them."""
    first, out = {}, {}
    count = 0
    for joint in tree.joints:
        first[joint.name] = count
        count += len(holds_of(tree.model, joint))
    for motion in tree.links.motions:
        if motion.kind == "ball" and motion.euler:
            at = first[motion.joint] + motion.first
            out[motion.link] = q[:, at : at + 3]
    return out
