"""Constants in body axes: hinge vectors c, and of the augmented bodies the vectors d, b and tensors K_i."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.hinges import HingeMotion
from mubo.model import ModelDefinition
from mubo.model.mass import tensor_of
from mubo.solvers.forces.masses import refuse_armature


@dataclass(frozen=True)
class Masses:
    """Mass, central inertia tensor and centre of mass of bodies 1 … n, in body axes."""

    m: Array
    J: Array
    center: Array


@dataclass(frozen=True)
class AugmentedBodies:
    """d_ij, b_i0 and K_i in the axes of body i (Wittenburg 1977, chapter 5).

    The augmented body i carries at each of its hinge points the mass of all bodies behind it; b_i0 goes from its
    barycentre to its inner hinge point, d_ij from the hinge that leads to body j to the inner one.
    """

    d: Array  # (i, j, 3)
    b: Array
    K: Array


def masses_of(model: ModelDefinition, graph: DirectedGraph) -> Masses:
    """The masses of a tree; a body without mass or inertia is refused by name, and so are reflected inertias."""
    refuse_armature(model)
    bodies = [model.bodies[name].whole for name in graph.bodies[1:]]
    for what, word in (("mass", "mass"), ("inertia", "inertia tensor")):
        bare = [body.name for body in bodies if getattr(body, what) is None]
        if bare:
            raise ModelError(
                f"{', '.join(bare)} {'has' if len(bare) == 1 else 'have'} no {word}: equations of motion need it",
                names=bare,
                suggestion='Give "mass" and "inertia", or a "shape" with "mass" or "density".'
                + (" A point mass has inertia = [0, 0, 0]." if what == "inertia" else ""),
            )
    m = np.array([body.mass for body in bodies], float)
    J = np.array([tensor_of(body.inertia or ()) for body in bodies]).reshape(-1, 3, 3)
    center = np.array([body.center or (0.0, 0.0, 0.0) for body in bodies]).reshape(-1, 3)
    return Masses(m, J, center)


def hinge_vectors(graph: DirectedGraph, stacks: list[HingeMotion], masses: Masses) -> Array:
    """c_ia from the centre of mass of body i (from the origin of the ground) to its point of hinge a, in body axes."""
    n = len(stacks)
    center = np.vstack([np.zeros(3), masses.center])
    c = np.zeros((n + 1, n, 3))
    for a, stack in enumerate(stacks):
        c[graph.plus[a], a] = stack.first.at - center[graph.plus[a]]
        c[graph.minus[a], a] = stack.second.at - center[graph.minus[a]]
    return c


def augment(graph: DirectedGraph, masses: Masses, c: Array) -> AugmentedBodies:
    """The augmented bodies of a tree whose hinges only turn."""
    m = masses.m
    d = np.einsum("aj,ia,iax->ijx", graph.T, graph.S, c[1:])  # d_ij = Σ_a T_aj S_ia c_ia
    b = np.einsum("ijx,j->ix", d, m) / m.sum()  # b_i0 = Σ_j d_ij m_j / M
    squares = np.einsum("k,ikx,iky->ixy", m, d, d)
    # K_i = J_i + Σ_k m_k (d_ik² E − d_ik d_ik)
    K = masses.J + np.trace(squares, axis1=1, axis2=2)[:, None, None] * np.eye(3) - squares
    return AugmentedBodies(d, b, K)
