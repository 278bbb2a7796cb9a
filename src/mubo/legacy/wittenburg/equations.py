"""A and B of A q̈ = B: by augmented bodies where all hinges only turn, and in general."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.legacy.wittenburg.bodies import AugmentedBodies, Masses
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.kinematics import State, accelerations_of
from mubo.legacy.wittenburg.vectors import cross, whirl

Matrices = tuple[Array, Array]


def augmented_tensors(graph: DirectedGraph, masses: Masses, bodies: AugmentedBodies, A0: Array) -> Array:
    """K_ij in ground axes, shape (i, j, 3, 3).

    K_i on the diagonal; M (b_j0·d_ij E − b_j0 d_ij) where s_i < s_j; its transpose where s_j < s_i; else zero.
    """
    A = A0[1:]
    n = len(A)
    d, b = np.einsum("ixy,ijy->ijx", A, bodies.d), np.einsum("ixy,iy->ix", A, bodies.b)
    dyads = np.einsum("jx,ijy->ijxy", b, d)
    upper = masses.m.sum() * (np.trace(dyads, axis1=2, axis2=3)[..., None, None] * np.eye(3) - dyads)
    upper[~graph.inboard] = 0.0
    K = upper + upper.transpose(1, 0, 3, 2)
    K[np.arange(n), np.arange(n)] = A @ bodies.K @ A.transpose(0, 2, 1)
    return np.asarray(K)


def augmented_form(
    graph: DirectedGraph,
    masses: Masses,
    bodies: AugmentedBodies,
    state: State,
    forces: Array,
    torques: Array,
    efforts: Array,
) -> Matrices:
    """A = (pT)·K·(pT)ᵀ and B = −(pT)·(K·Tᵀf + M′ + M) − p·Y, with efforts −p·Y in the hinges (1977, chapter 5).

    M′_i = −ω_i × K_i·ω_i − M [Σ_{i<j} d_ij × (ω_j × (ω_j × b_j0)) + b_i0 × Σ_{j<i} ω_j × (ω_j × d_ji)]
           − Σ_{i≤j} d_ij × F_j
    """
    A0, omega = state.A0[1:], state.omega[1:]
    total, inboard = masses.m.sum(), graph.inboard
    K = augmented_tensors(graph, masses, bodies, state.A0)
    d, b = np.einsum("ixy,ijy->ijx", A0, bodies.d), np.einsum("ixy,iy->ix", A0, bodies.b)
    pT = np.einsum("axk,ai->kix", state.p, graph.T)
    pTK = np.einsum("kix,ijxy->kjy", pT, K)

    own = np.einsum("iixy,iy->ix", K, omega)
    b_whirl = whirl(omega, b)  # ω_j × (ω_j × b_j0)
    d_whirl = whirl(omega[:, None], d)  # ω_j × (ω_j × d_ji), at [j, i]
    behind = inboard | np.eye(len(inboard), dtype=bool)
    M1 = -cross(omega, own)
    M1 -= total * np.einsum("ij,ijx->ix", inboard, cross(d, b_whirl[None]))
    M1 -= total * cross(b, np.einsum("ji,jix->ix", inboard, d_whirl))
    M1 -= np.einsum("ij,ijx->ix", behind, cross(d, forces[None]))

    A = np.einsum("kix,lix->kl", pTK, pT)
    B = -np.einsum("kjx,jx->k", pTK, graph.T.T @ state.f) - np.einsum("kix,ix->k", pT, M1 + torques) + efforts
    return A, B


def general_form(
    graph: DirectedGraph, masses: Masses, state: State, forces: Array, torques: Array, efforts: Array
) -> Matrices:
    """A = a₁ᵀ m a₁ + a₂ᵀ J a₂, B = a₁ᵀ(F − m b₁) + a₂ᵀ(M − J b₂ − ω × Jω) + Q (Wittenburg 2008, chapter 5)."""
    acc = accelerations_of(graph, state)
    A0, omega, m = state.A0[1:], state.omega[1:], masses.m
    J = A0 @ masses.J @ A0.transpose(0, 2, 1)
    spin = np.einsum("ixy,iy->ix", J, omega)
    A = np.einsum("ixk,i,ixl->kl", acc.a1, m, acc.a1) + np.einsum("ixk,ixy,iyl->kl", acc.a2, J, acc.a2)
    M = torques - np.einsum("ixy,iy->ix", J, acc.b2) - cross(omega, spin)
    B = np.einsum("ixk,ix->k", acc.a1, forces - m[:, None] * acc.b1) + np.einsum("ixk,ix->k", acc.a2, M) + efforts
    return A, B
