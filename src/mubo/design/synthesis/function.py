"""Function generation by Freudenstein's equation: of a four-bar with crank a at φ, rocker c at ψ, coupler b, ground d

    K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ),   K₁ = d/a, K₂ = d/c, K₃ = (a² − b² + c² + d²)/(2ac),

of a slider-crank whose slide is at s, at the height e over the crank's pin,

    K₁ s cos φ + K₂ sin φ − K₃ = s²,   K₁ = 2a, K₂ = 2ae, K₃ = a² + e² − b²

(F. Freudenstein, Approximate synthesis of four-bar linkages, Trans. ASME 77 (1955) 853–861). Three pairs give K₁, K₂
and K₃, more by least squares. A negative length is a link that stands opposite to its pointer.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array

STARTS = 24  # starts tried of each link, where they are free
REACH = 3.0  # strokes: how far from the crank's pin a slide may start


def freudenstein(phi: Array, output: Array, slides: bool = False) -> Array:
    """K of pairs, lines × pairs: exact for three, of least squares for more; NaN where there is none."""
    one = np.ones_like(phi)
    columns = [output * np.cos(phi), np.sin(phi), -one] if slides else [np.cos(output), -np.cos(phi), one]
    matrix = np.stack(columns, -1)
    right = output**2 if slides else np.cos(phi - output)
    out = np.full((len(phi), 3), np.nan)
    sound = np.linalg.cond(matrix) < 1e12
    out[sound] = np.einsum("sij,sj->si", np.linalg.pinv(matrix[sound]), right[sound])
    return out


def links(K: Array, slides: bool) -> Array:
    """Crank, coupler, and rocker (of a ground of length 1) or height of the slide, of K: a line each."""
    first, second, third = K.T
    with np.errstate(all="ignore"):
        if slides:
            a, e = first / 2, second / first
            return np.stack([a, np.sqrt(a**2 + e**2 - third), e], -1)
        a, c = 1 / first, 1 / second
        return np.stack([a, np.sqrt(a**2 + c**2 + 1 - 2 * a * c * third), c], -1)


def grid_of_starts(crank: float | None, output: float | None, slides: bool) -> tuple[Array, Array]:
    """Starts of crank and output: those given, and a half turn of angles that are free: opposite to them the lengths
    change their sign, and the linkages are the same. A slide starts within REACH strokes."""
    around = (0.5 + np.arange(STARTS)) * (np.pi / STARTS)
    ways = np.linspace(-REACH, REACH, STARTS) if slides else around
    first = around if crank is None else np.array([crank])
    second = ways if output is None else np.array([output])
    pairs = np.stack(np.meshgrid(first, second, indexing="ij"), -1).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
