"""Vibration modes of M ÿ + C ẏ + K y = 0: y = Re(shape e^{λ t}).

(λ² M + λ C + K) shape = 0. Without damping C keeps its antisymmetric part alone, the gyroscopic terms, which do no
work; where that vanishes and K is symmetric, −λ² and the shapes are real (Meirovitch, Fundamentals of Vibrations, 2001,
chapters 7 and 8).
"""

from __future__ import annotations

import math

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
    return np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])


def vibration_modes(M: Array, C: Array, K: Array, sizes: Array) -> tuple[VibrationMode, ...]:
    """Modes, the slowest first; `sizes` are the amounts of every degree of freedom that count as one radian."""
    M, C, K = (matrix * np.outer(sizes, sizes) for matrix in (M, C, K))
    if not np.any(C) and np.array_equal(K, K.T):
        return _sort_modes(_real_modes(M, K, sizes))
    roots, vectors = np.linalg.eig(state_matrix(M, C, K))
    least = ZERO_ROOT * float(np.max(np.abs(roots), initial=0.0))
    found = []
    for root, vector in zip(roots, vectors.T, strict=True):
        root = _drop_rounding(complex(root), least)
        if root.imag >= 0:
            found.append(VibrationMode(root, normalize_shape(vector[: len(M)] * sizes)))
    return _sort_modes(found)


def _drop_rounding(root: complex, least: float) -> complex:
    """The root without parts that are only rounding."""
    if abs(root) <= least:
        return 0j
    small = 1e-12 * abs(root)
    return complex(root.real if abs(root.real) > small else 0.0, root.imag if abs(root.imag) > small else 0.0)


def _real_modes(M: Array, K: Array, sizes: Array) -> list[VibrationMode]:
    """Modes of a conservative system: one for each degree of freedom, growing ones where −λ² is negative."""
    from scipy.linalg import eigh

    squares, vectors = eigh(K, M)
    least = ZERO_ROOT**2 * float(np.max(np.abs(squares), initial=0.0))
    roots = [
        0j if abs(s) <= least else complex(math.sqrt(-s), 0) if s < 0 else complex(0, math.sqrt(s)) for s in squares
    ]
    return [
        VibrationMode(root, normalize_shape(vector * sizes + 0j)) for root, vector in zip(roots, vectors.T, strict=True)
    ]


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
    if not len(shape):
        return shape
    largest = shape[int(np.argmax(np.abs(shape)))]
    return np.asarray(shape / largest if largest else shape)


def _sort_modes(found: list[VibrationMode]) -> tuple[VibrationMode, ...]:
    return tuple(sorted(found, key=lambda mode: (abs(mode.root), -mode.root.real)))
