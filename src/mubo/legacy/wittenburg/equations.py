"""Motion of a tree and A, B of A q̈ = B: by augmented bodies where all hinges only turn, and in general.

Positions, velocities and accelerations follow by the path matrix T: r̈ = a₁q̈ + b₁, ω̇ = a₂q̈ + b₂.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.legacy.wittenburg.bodies import AugmentedBodies, Masses
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.hinges import HingeMotion, Relative, relative_motion
from mubo.legacy.wittenburg.vectors import cross, tilde, whirl

Matrices = tuple[Array, Array]


@dataclass(frozen=True)
class State:
    """A tree in motion, everything in ground axes; bodies and hinges along the first index."""

    A0: Array  # rotations of bodies 0 … n
    omega: Array  # of bodies 0 … n
    r: Array  # centres of mass of bodies 1 … n
    rdot: Array
    p: Array  # (hinge, 3, N): columns of Ω_a = Σ p_ai q̇_ai, zero outside the hinge's own rates
    k: Array  # (hinge, 3, N): the same for its slides
    f: Array  # the part of dΩ/dt without q̈
    relative: Array  # Ω_a, of i⁻ relative to i⁺
    c: Array  # (body 0 … n, hinge, 3)
    z: Array  # slides: from the hinge point of i⁺ to that of i⁻
    zdot: Array  # seen from i⁺
    s: Array  # the part of its second rate without q̈, seen from i⁺


def state_of(graph: DirectedGraph, stacks: list[HingeMotion], c: Array, q: Array, v: Array) -> State:
    """ω = −TᵀΩ and r = −Tᵀ(z + Σ_i S_ia c_ia), with their rates (Wittenburg 2008, chapter 5)."""
    n, N = len(stacks), stacks[-1].v.stop
    A0 = np.zeros((n + 1, 3, 3))
    A0[0] = np.eye(3)
    motions: list[Relative] = []
    frames = np.zeros((n, 3, 3))  # of the hinges on i⁺, in ground axes
    parents = graph.parents
    for a, stack in enumerate(stacks):
        motion = relative_motion(stack, q, v)
        across = stack.first.axes @ motion.G @ stack.second.axes.T  # from the axes of i⁻ to those of i⁺
        A0[a + 1] = A0[parents[a]] @ (across if stack.forward else across.T)
        frames[a] = A0[graph.plus[a]] @ stack.first.axes
        motions.append(motion)
    p, k = np.zeros((n, 3, N)), np.zeros((n, 3, N))
    for a, (stack, motion) in enumerate(zip(stacks, motions, strict=True)):
        p[a][:, stack.v] = frames[a] @ motion.p
        k[a][:, stack.v] = frames[a] @ motion.k
    seen = np.array([[motion.omega, motion.w, motion.z, motion.rate, motion.s] for motion in motions])
    omega_a, w, z, zdot, s = (seen @ frames.transpose(0, 2, 1)).transpose(1, 0, 2)  # in ground axes
    omega = np.vstack([np.zeros(3), -graph.T.T @ omega_a])  # (8): ω = −TᵀΩ, the ground at rest
    f = w + cross(omega[graph.minus], omega_a)  # (14): f = φ + ω* with ω* = ω_i⁻ × Ω
    c0 = np.einsum("ixy,iay->iax", A0, c)
    r = -graph.T.T @ (z + np.einsum("ia,iax->ax", graph.incidence, c0))
    carried = zdot + cross(omega[graph.plus], z)
    rdot = -graph.T.T @ (carried + np.einsum("ia,iax->ax", graph.incidence, cross(omega[:, None], c0)))
    return State(A0, omega, r, rdot, p, k, f, omega_a, c0, z, zdot, s)


@dataclass(frozen=True)
class Accelerations:
    """r̈ = a₁q̈ + b₁ and ω̇ = a₂q̈ + b₂ of bodies 1 … n."""

    a1: Array  # (body, 3, N)
    b1: Array
    a2: Array
    b2: Array


def accelerations_of(graph: DirectedGraph, state: State) -> Accelerations:
    """Both rates of the path relations: ω̇ = −Tᵀ(p q̈ + f), r̈ = −Tᵀ(z̈ + Σ_i S_ia c̈_ia)."""
    T, incidence, plus = graph.T, graph.incidence, graph.plus
    still = np.zeros((1, *state.p.shape[1:]))
    a2 = np.concatenate([still, -np.einsum("ai,axk->ixk", T, state.p)])
    b2 = np.vstack([np.zeros(3), -T.T @ state.f])
    omega, c, z = state.omega, state.c, state.z
    turned = np.einsum("ia,iak->ak", incidence, cross(b2[:, None], c) + whirl(omega[:, None], c))
    slid = state.s + cross(b2[plus], z) + 2 * cross(omega[plus], state.zdot) + whirl(omega[plus], z)
    g = state.k - np.einsum("ia,iaxy,iyk->axk", incidence, tilde(c), a2) - tilde(z) @ a2[plus]  # a₂ × c = −c̃ a₂
    a1 = -np.einsum("ai,axk->ixk", T, g)
    return Accelerations(a1, -T.T @ (slid + turned), a2[1:], b2[1:])


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


@dataclass(frozen=True)
class AugmentedTerms:
    """The terms of A and B by augmented bodies, in ground axes: (11), (12) and (13)."""

    K: Array  # (i, j, 3, 3)
    pT: Array  # (rate, body, 3)
    pTK: Array  # (rate, body, 3)
    M1: Array  # M′ of every body
    by_rates: Array  # −(pT)·K·Tᵀf
    by_moments: Array  # −(pT)·M′
    by_torques: Array  # −(pT)·M
    efforts: Array  # Q, in the book −p·Y

    @property
    def A(self) -> Array:
        """A = (pT)·K·(pT)ᵀ."""
        return np.asarray(np.einsum("kix,lix->kl", self.pTK, self.pT))

    @property
    def B(self) -> Array:
        """B = −(pT)·(K·Tᵀf + M′ + M) + Q."""
        return self.by_rates + self.by_moments + self.by_torques + self.efforts


def augmented_terms(
    graph: DirectedGraph,
    masses: Masses,
    bodies: AugmentedBodies,
    state: State,
    forces: Array,
    torques: Array,
    efforts: Array,
) -> AugmentedTerms:
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

    by_rates = -np.einsum("kjx,jx->k", pTK, graph.T.T @ state.f)
    by_moments, by_torques = (-np.einsum("kix,ix->k", pT, moment) for moment in (M1, torques))
    return AugmentedTerms(K, pT, pTK, M1, by_rates, by_moments, by_torques, efforts)


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
