"""Vibration modes of M ÿ + C ẏ + K y = 0: y = Re(shape e^{λ t}).

(λ² M + λ C + K) shape = 0. Without damping C keeps its antisymmetric part alone, the gyroscopic terms, which do no
work; where that vanishes and K is symmetric, −λ² and the shapes are real (Meirovitch, Fundamentals of Vibrations, 2001,
chapters 7 and 8).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

Complex = NDArray[np.complex128]
ZERO_ROOT = 1e-5  # of the fastest rate: stiffness is known to 1e-11, so that a smaller root counts as zero


@dataclass(frozen=True, eq=False)
class VibrationMode:
    """One mode: its root λ with a positive imaginary part, or a real one, and its shape over the degrees of freedom."""

    root: complex
    shape: Complex  # the largest component 1

    @property
    def oscillates(self) -> bool:
        return self.root.imag > 0

    @property
    def frequency(self) -> float:
        """Damped frequency in cycles per unit of time."""
        return self.root.imag / (2 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio ζ = −Re λ / |λ|: 0 undamped, 1 and more without oscillation, negative where it grows."""
        return 0.0 - self.root.real / abs(self.root) if self.root else 0.0

    @property
    def growth(self) -> float:
        """Growth rate Re λ: the amplitude is multiplied by e^{growth t} after t; negative where it decays."""
        return self.root.real

    def describe(self) -> str:
        """Behaviour of the mode: "vibrates", "grows", "dies away" or "drifts"."""
        if not self.root:
            return "drifts"
        if self.root.real > 0:
            return "grows, vibrating" if self.oscillates else "grows"
        return "vibrates" if self.oscillates else "dies away"


def state_matrix(M: Array, C: Array, K: Array) -> Array:
    """State matrix A of ẋ = A x with x = (y, ẏ)."""
    n = len(M)
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:] = -np.linalg.solve(M, np.concatenate([K, C], 1))
    return A


def vibration_modes(M: Array, C: Array, K: Array, sizes: Array) -> tuple[VibrationMode, ...]:
    """Modes, the slowest first; `sizes` are the amounts of every degree of freedom that count as one radian."""
    M, C, K = _scaled(M, C, K, sizes)
    if _is_conservative(C, K):
        from scipy.linalg import eigh

        squares, vectors = eigh(K, M)
        roots = _conservative_roots(squares)
    else:
        roots, vectors = np.linalg.eig(state_matrix(M, C, K))
        roots = _without_rounding(roots)
        kept = roots.imag >= 0
        roots, vectors = roots[kept], vectors[: len(M), kept]
    order = np.lexsort([-roots.real, np.abs(roots)])
    shapes = _normalize_shapes(vectors[:, order].T * sizes)
    return tuple(map(VibrationMode, roots[order].tolist(), shapes))


def vibration_roots(M: Array, C: Array, K: Array, sizes: Array) -> Complex:
    """All 2 n roots λ, the slowest first; every growing root of a conservative system has a decaying twin."""
    M, C, K = _scaled(M, C, K, sizes)
    if _is_conservative(C, K):
        half = _conservative_roots(_squares(K, M))
        roots = np.concatenate([half, -half])
    else:
        roots = _without_rounding(np.linalg.eigvals(state_matrix(M, C, K)))
    return np.asarray(roots[np.argsort(np.abs(roots), kind="stable")])


def _squares(K: Array, M: Array) -> Array:
    """The eigenvalues of K x = ω² M x, ascending, as `scipy.linalg.eigh` has them from LAPACK."""
    from scipy.linalg.lapack import dsygvd

    if not len(K):
        return np.zeros(0)
    squares, _, failed = dsygvd(K, M, jobz="N", uplo="L")
    if failed:
        raise np.linalg.LinAlgError(f"M is not positive definite: LAPACK's dsygvd ends with {failed}")
    return np.asarray(squares)


def _scaled(M: Array, C: Array, K: Array, sizes: Array) -> tuple[Array, Array, Array]:
    scale = sizes[:, None] * sizes
    return M * scale, C * scale, K * scale


def _is_conservative(C: Array, K: Array) -> bool:
    return not C.any() and bool((K == K.T).all())


def _without_rounding(roots: Any) -> Complex:
    """The roots without parts that are only rounding."""
    sizes, parts = np.abs(roots), np.array([roots.real, roots.imag])
    least = ZERO_ROOT * float(sizes.max(initial=0.0))
    parts[(np.abs(parts) <= 1e-12 * sizes) | (sizes <= least)] = 0.0
    return np.asarray(parts[0] + 1j * parts[1])


def _conservative_roots(squares: Array) -> Complex:
    """λ by −λ²: one for each degree of freedom, a growing one where that is negative."""
    sizes = np.abs(squares)
    sizes[sizes <= ZERO_ROOT**2 * float(sizes.max(initial=0.0))] = 0.0
    return np.asarray(np.where(squares < 0, 1.0, 1.0j) * np.sqrt(sizes))


def undamped_modes(M: Array, C: Array, K: Array, sizes: Array) -> tuple[VibrationMode, ...]:
    """Modes without dissipation, the symmetric part of C; of a growing and a decaying one of the same rate the growing
    one is kept."""
    found = vibration_modes(M, (C - C.T) / 2, K, sizes)
    if len(found) == len(M):
        return found
    still = [mode for mode in found if not mode.root]  # in pairs: a place and a rate on which nothing depends
    return (*still[: len(still) // 2], *(mode for mode in found if mode.oscillates or mode.root.real > 0))


def normalize_shape(shape: Complex) -> Complex:
    """The shape scaled to the largest component 1."""
    return np.asarray(_normalize_shapes(shape[None])[0])


def _normalize_shapes(shapes: Any) -> Complex:
    """Shapes, a line each, scaled to the largest component 1."""
    if not shapes.size:
        return np.asarray(shapes, complex)
    largest = shapes[np.arange(len(shapes)), np.argmax(np.abs(shapes), axis=1)]
    return np.asarray(shapes / np.where(largest == 0, 1.0, largest)[:, None], complex)
