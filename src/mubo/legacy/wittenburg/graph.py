"""The directed graph of a tree: vertices s₀ (ground), s₁ … s_n are bodies, arcs u₁ … u_n are hinges."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import GROUND, ModelDefinition
from mubo.topology.tree import Hinge, ends_of


@dataclass(frozen=True)
class DirectedGraph:
    """Arc u_a points from i⁺(a), the first body its joint was written with, to i⁻(a), the second (1977, chapter 5).

    Body a is the outer one of hinge a, so that T_ai ≠ 0 says both "arc a is on the path from s₀ to s_i" and
    "s_a ≤ s_i". `S0` and `S` have +1 where an arc starts, −1 where it ends; `T` is the inverse of `S`.
    """

    bodies: tuple[str, ...]  # ground first
    arcs: tuple[str, ...]
    plus: Integers  # i⁺(a)
    minus: Integers  # i⁻(a)
    S0: Array
    S: Array
    T: Array

    @cached_property
    def incidence(self) -> Array:
        """S₀ above S."""
        return np.vstack([self.S0, self.S])

    @cached_property
    def inboard(self) -> np.ndarray:
        """s_i < s_j: body i lies on the path from the ground to body j."""
        return np.asarray((self.T != 0) & ~np.eye(len(self.arcs), dtype=bool))

    @cached_property
    def parents(self) -> Integers:
        """The inner body of each arc: 0 for the ground."""
        outer = np.arange(1, len(self.arcs) + 1)
        return np.where(self.minus == outer, self.plus, self.minus).astype(np.int32)


def directed_graph(model: ModelDefinition, hinges: list[Hinge]) -> DirectedGraph:
    """Graph and matrices of a tree whose hinges are given from the ground outwards."""
    bodies = (GROUND, *(hinge.child for hinge in hinges))
    number = {name: k for k, name in enumerate(bodies)}
    ends = np.array([[number[name] for name in ends_of(hinge.joint_in(model))] for hinge in hinges], np.int32)
    plus, minus = ends.reshape(-1, 2).T
    n = len(hinges)
    incidence = np.zeros((n + 1, n))
    incidence[plus, np.arange(n)] = 1.0
    incidence[minus, np.arange(n)] = -1.0
    arcs = tuple(hinge.joint for hinge in hinges)
    parents = [number[hinge.parent] for hinge in hinges]
    return DirectedGraph(bodies, arcs, plus, minus, incidence[0], incidence[1:], _paths(parents, minus))


def _paths(parents: list[int], minus: Integers) -> Array:
    """T_ai: −1 if arc a on the path from s₀ to s_i points away from s₀, +1 if towards it, 0 off the path."""
    n = len(parents)
    T = np.zeros((n, n))
    for a, parent in enumerate(parents):
        if parent:
            T[:, a] = T[:, parent - 1]
        T[a, a] = -1.0 if minus[a] == a + 1 else 1.0
    return T
