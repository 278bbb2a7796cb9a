"""Function generation: a linkage whose output follows its crank through pairs of angles.

Freudenstein's equation of a four-bar with crank a at φ, rocker c at ψ, coupler b, ground d:

    K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ),   K₁ = d/a, K₂ = d/c, K₃ = (a² − b² + c² + d²)/(2ac)

(F. Freudenstein, Approximate synthesis of four-bar linkages, Trans. ASME 77 (1955) 853–861). Three pairs give K₁, K₂,
K₃; a fourth and a fifth pair determine the angles at which crank and rocker start. A negative length is a link that
stands opposite to its pointer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.studies.synthesis.four_bar import FourBars, third_pin

STARTS = 36  # starting angles tried of each link, where they are free


def freudenstein(phi: Array, psi: Array) -> Array:
    """K of pairs of angles, lines × pairs: exact for three, of least squares for more; NaN where there is none."""
    matrix = np.stack([np.cos(psi), -np.cos(phi), np.ones_like(phi)], -1)
    right = np.cos(phi - psi)
    out = np.full((len(phi), 3), np.nan)
    sound = np.linalg.cond(matrix) < 1e12
    out[sound] = np.einsum("sij,sj->si", np.linalg.pinv(matrix[sound]), right[sound])
    return out


def four_bars(phi: Array, psi: Array, K: Array, ground: float) -> FourBars:
    """The linkages of K at all pairs: A at the origin, D at distance `ground` on the x axis."""
    with np.errstate(all="ignore"):  # a link of no size is left out later
        a, c = ground / K[:, :1], ground / K[:, 1:2]
        B, C = a * np.exp(1j * phi), ground + c * np.exp(1j * psi)
    return FourBars(A=np.zeros(len(K), complex), B=B, C=C, D=np.full(len(K), ground, complex))


def grid_of_starts(crank: float | None, rocker: float | None, count: int = STARTS) -> tuple[Array, Array]:
    """Starting angles of crank and rocker: those given, and a half turn of those that are free: opposite to them the
    lengths change their sign, and the linkages are the same."""
    around = (0.5 + np.arange(count)) * (np.pi / count)
    first = around if crank is None else np.array([crank])
    second = around if rocker is None else np.array([rocker])
    pairs = np.stack(np.meshgrid(first, second, indexing="ij"), -1).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def follow(phi: Array, psi: Array, K: Array, ground: float) -> tuple[FourBars, Array]:
    """Linkages that only come near the pairs: their own positions on the side that is nearer as a whole, and the
    largest difference of ψ, in degrees; infinite where a position cannot be had."""
    rough = four_bars(phi, psi, K, ground)
    a, c = (ground / K[:, k : k + 1] for k in (0, 1))
    b = np.sqrt(a**2 + c**2 + ground**2 - 2 * a * c * K[:, 2:])
    sides = np.array([1.0, -1.0])[:, None, None]
    C = third_pin(rough.B, np.full_like(rough.B, ground), b, np.abs(c), sides)
    gaps = np.abs(np.angle((C - ground) / c * np.exp(-1j * psi)))
    worst = np.where(np.isnan(gaps), np.inf, gaps).max(axis=2)
    nearer = np.argmin(worst, axis=0)
    each = np.arange(len(K))
    return replace(rough, C=C[nearer, each]), np.degrees(worst[nearer, each])
