"""Burmester's points: pins of a moving plane that stay on a circle, or on a line, through three, four or five poses.

With the first pose as the frame, pose k turns by e_k = e^{iθ_k} and moves by d_k. A pin at Z is at distance r from M
at all poses if, for k = 2 … n,

    Re(M̄ d_k) + (cos θ_k − 1) u − sin θ_k v − Re(d̄_k e_k Z) = |d_k|²/2,   u = Re(M̄ Z), v = Im(M̄ Z),

which is linear in s = (u, v, M, Z, 1): seven numbers with two quadratic relations between them. Five poses leave three
unknowns up to scale and two conics, which meet in four points: all solutions (L. Burmester, Lehrbuch der Kinematik,
1888). Four poses leave a curve, of which every line takes up to four points; three leave any centre M its
Z.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex
from mubo.lazy_dataclass import dataclass

REAL = 1e-7  # imaginary part of what counts as real
HOLDS = 1e-9  # gap of the equations, in sizes of the motion, of what counts as a solution
SEED = 20  # of the projective frame that keeps solutions from infinity


@dataclass(frozen=True)
class Dyads:
    """Guides of a moving plane: fixed centres and pins at the first pose; of a line its direction in place of M."""

    M: Complex
    Z: Complex

    def __len__(self) -> int:
        return len(self.M)


def relative(P: Complex, theta: Array) -> tuple[Complex, Complex]:
    """Displacements and turns from the first pose on: a plane's place z at the first pose is d_k + e_k z later."""
    turn = np.exp(1j * (theta - theta[0]))
    return np.asarray(P - turn * P[0])[1:], turn[1:]


def rows(d: Complex, e: Complex) -> Array:
    """The equations of poses in s = (u, v, M_x, M_y, x, y, 1)."""
    w = np.conj(d) * e
    return np.stack(
        [e.real - 1, -e.imag, d.real, d.imag, -w.real, w.imag, -0.5 * np.abs(d) ** 2],
        -1,
    )


def five(d: Complex, e: Complex) -> Dyads:
    """All pins that stay on a circle through five poses: up to four."""
    return meeting(rows(d, e))


def meeting(equations: Array) -> Dyads:
    """All real solutions of four equations in s."""
    scale = np.linalg.norm(equations, axis=1)
    null = np.linalg.svd(equations / np.where(scale > 0, scale, 1.0)[:, None])[2][4:]
    mixed = np.random.default_rng(SEED).normal(size=(3, 3)) @ null  # no solution has a zero coordinate then
    s = _conics(mixed) @ mixed
    s = _polished(s, mixed)
    with np.errstate(all="ignore"):
        s = s / s[:, 6:]
    s = s[np.all(np.isfinite(s), axis=1)]
    M, Z = s[:, 2] + 1j * s[:, 3], s[:, 4] + 1j * s[:, 5]
    good = _gap(equations, M, Z) < HOLDS
    return Dyads(M[good], Z[good])


def _relations(n: Array) -> Array:
    """The matrices of u w − (M_x x + M_y y) and v w − (M_x y − M_y x) on a space spanned by the lines n."""
    u, v, p, q, x, y, w = n.T
    first = np.outer(u, w) - np.outer(p, x) - np.outer(q, y)
    second = np.outer(v, w) - np.outer(p, y) + np.outer(q, x)
    return np.stack([first + first.T, second + second.T]) / 2


def _conics(n: Array) -> Array:
    """The real points (λ, μ, 1) in which two conics meet: the resultant in μ has degree four."""
    quadratic = [(Q[0, 0], (2 * Q[0, 1], 2 * Q[0, 2]), (Q[1, 1], 2 * Q[1, 2], Q[2, 2])) for Q in _relations(n)]
    (a, b, c), (A, B, C) = [tuple(np.atleast_1d(part) for part in one) for one in quadratic]
    ac: Array = np.polysub(np.polymul(a, C), np.polymul(A, c))
    ab = np.polysub(np.polymul(a, B), np.polymul(A, b))
    bc = np.polysub(np.polymul(b, C), np.polymul(B, c))
    roots = np.roots(np.polysub(np.polymul(ac, ac), np.polymul(ab, bc)))
    real = roots.real[np.abs(roots.imag) <= np.sqrt(REAL) * (1 + np.abs(roots.real))]
    with np.errstate(all="ignore"):
        return np.stack([-np.polyval(ac, real) / np.polyval(ab, real), real, np.ones(len(real))], -1)


def _polished(s: Array, n: Array) -> Array:
    """Newton's method on the two conics, which a resultant squares the condition of."""
    Q = _relations(n)
    at = s @ np.linalg.pinv(n)
    at = at[np.all(np.isfinite(at), axis=1)]
    for _ in range(6):
        value = np.einsum("si,qij,sj->sq", at, Q, at)
        slope = 2 * np.einsum("qij,sj->sqi", Q, at)[:, :, :2]
        sound = np.abs(np.linalg.det(slope)) > 1e-14
        at[sound, :2] -= np.linalg.solve(slope[sound], value[sound][..., None])[..., 0]
    return np.asarray(at @ n)


def _gap(equations: Array, M: Complex, Z: Complex) -> Array:
    """How far places are from fulfilling the equations, beside their largest terms."""
    product = np.conj(M) * Z
    s = np.stack([product.real, product.imag, M.real, M.imag, Z.real, Z.imag, np.ones(len(M))], -1)
    size = np.max(np.abs(equations[None] * s[:, None]), axis=(1, 2)) + 1e-300
    return np.asarray(np.max(np.abs(s @ equations.T), axis=1) / size)


def four(d: Complex, e: Complex, levels: Array) -> Dyads:
    """Pins of the curve of four poses: those whose centre or pin stands at given levels of x or y."""
    found = []
    for column in (2, 3, 4, 5):
        for level in levels:
            line = np.zeros(7)
            line[column], line[6] = 1.0, -level
            found.append(meeting(np.vstack([rows(d, e), line])))
    return Dyads(np.concatenate([one.M for one in found]), np.concatenate([one.Z for one in found]))


def three(d: Complex, e: Complex, centres: Complex) -> Dyads:
    """The pin of every centre for three poses."""
    given = rows(d, e)
    M = centres
    # u = M_x x + M_y y and v = M_x y − M_y x make the equations linear in (x, y).
    x = given[:, 0] * M.real[:, None] - given[:, 1] * M.imag[:, None] + given[:, 4]
    y = given[:, 0] * M.imag[:, None] + given[:, 1] * M.real[:, None] + given[:, 5]
    right = -(given[:, 2] * M.real[:, None] + given[:, 3] * M.imag[:, None] + given[:, 6])
    matrix = np.stack([x, y], -1)
    sound = np.abs(np.linalg.det(matrix)) > 1e-12
    Z = np.linalg.solve(matrix[sound], right[sound][..., None])[..., 0]
    return Dyads(M[sound], Z[:, 0] + 1j * Z[:, 1])


def two(d: Complex, e: Complex, centres: Complex, shares: Array) -> Dyads:
    """Pins of every centre for two poses: seen from the body the centre M is at (M − d)/e at the second pose, and the
    pin is as far from one as from the other. It stands on their bisector, at `shares` of their distance off the middle.
    """
    M = np.repeat(centres, len(shares))
    other = (M - d[0]) / e[0]
    Z = (M + other) / 2 + 1j * np.tile(shares, len(centres)) * (other - M)
    sound = np.abs(other - M) > 1e-9  # else the centre is the pole: any pin goes round it
    return Dyads(M[sound], Z[sound])


def shifting(d: Complex, e: Complex, pins: Complex) -> Dyads:
    """The line of every pin for two poses, from where it is to where it goes; M is the square of its direction."""
    along = d[0] + (e[0] - 1) * pins
    sound = np.abs(along) > 1e-9
    return Dyads(1j * along[sound] / np.abs(along[sound]), pins[sound])


def sliding(d: Complex, e: Complex, count: int) -> Dyads:
    """Pins that stay on a line: one for four poses, a family for three; M is the direction of the line's square.

    Re(N̄ d_k) + (cos θ_k − 1) U − sin θ_k V = 0 with U + iV = N̄ Z is linear in (U, V, N).
    """
    matrix = rows(d, e)[:, :4]
    null = np.linalg.svd(matrix)[2][len(d) :]
    angles = (0.5 + np.arange(count)) * (np.pi / count)
    s = null if len(null) == 1 else np.stack([np.cos(angles), np.sin(angles)], -1) @ null
    N = s[:, 2] + 1j * s[:, 3]
    sound = np.abs(N) > 1e-9 * np.linalg.norm(s, axis=1)
    N, product = N[sound], (s[:, 0] + 1j * s[:, 1])[sound]
    return Dyads(N / np.abs(N), product / np.conj(N))
