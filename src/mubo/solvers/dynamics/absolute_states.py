"""Between the state of a tree and absolute coordinates: poses, twists (velocity and angular velocity, ground axes)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import product
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.closed_columns import plane_states


@dataclass(frozen=True)
class AbsoluteStart:
    """Where a motion in absolute coordinates begins: coordinates and twists, and its degrees of freedom."""

    q: Array
    twists: Array
    dofs: int

    @property
    def state(self) -> tuple[Array, Array]:
        """Coordinates and twists of the moving bodies."""
        return self.q, self.twists


def start_of_tree(tree: Tree, form: Absolute, t: float) -> AbsoluteStart:
    """The state in which a tree begins, in absolute coordinates."""
    return AbsoluteStart(*_starting_state(tree, form, t), tree.dofs)


def _starting_state(tree: Tree, form: Absolute, t: float) -> tuple[Array, Array]:
    """Coordinates and twists of the moving bodies where the tree begins."""
    q, v = (line[None].copy() for line in tree.start())
    q, v, _ = tree.system.drive(np.array([t]), q, v)
    links = tree.system.forward(q, v, np.zeros_like(v))
    if form.mechanism.dimension == 2:
        state = plane_states(tree, links, q)[0]
        return state[0].copy(), state[1].copy()
    lines = [tree.body_motion(name, links)[0] for name in form.free]
    return np.concatenate([line[:7] for line in lines]), np.concatenate([line[7:13] for line in lines])


def states_of(form: Absolute, q: Array, v: Array, a: Array) -> Array:
    """Coordinates with their first and second derivatives (times × 3 × unknowns) from twists and their derivatives.

    In space ṗ = ½ ω p and p̈ = ½ (α p + ω ṗ), with (0, ω) as a quaternion.
    """
    if form.mechanism.dimension == 2:
        return np.stack([q, v, a], axis=1)
    out = np.zeros((len(q), 3, q.shape[1]))
    out[:, 0] = q
    for k in range(len(form.free)):
        at, of = slice(7 * k, 7 * k + 3), slice(7 * k + 3, 7 * k + 7)
        out[:, 1, at], out[:, 2, at] = v[:, 6 * k : 6 * k + 3], a[:, 6 * k : 6 * k + 3]
        omega, alpha = _pure(v[:, 6 * k + 3 : 6 * k + 6]), _pure(a[:, 6 * k + 3 : 6 * k + 6])
        out[:, 1, of] = product(omega, q[:, of]) / 2
        out[:, 2, of] = (product(alpha, q[:, of]) + product(omega, out[:, 1, of])) / 2
    return out


def _pure(vector: Array) -> Array:
    return np.concatenate([np.zeros((len(vector), 1)), vector], axis=1)
