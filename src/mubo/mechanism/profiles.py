"""Cam profiles as the core has them: a periodic function of an angle as quintic pieces."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

ProfileArrays = tuple[float, list[float], list[float]]  # period, knots, six coefficients a piece
TURN = 2 * np.pi
Places = NDArray[np.intp]  # numbers of pieces
_SAME = 1e-12  # radians: a piece that starts so near a full turn starts at 0
_FALLING = np.array([1.0, -1.0, 1.0])  # f, f', f'' by an angle of the opposite sense


@dataclass(frozen=True)
class CamProfile:
    """Profile f(angle) of a full revolution: starts of the pieces, ascending from 0, and six coefficients for each.

    A piece is a polynomial in (angle − start).
    """

    knots: Array
    coefficients: Array

    @property
    def arrays(self) -> ProfileArrays:
        """Arrays of the core."""
        return TURN, self.knots.tolist(), self.coefficients.ravel().tolist()

    def __call__(self, angle: Array) -> Array:
        """f, f', f'' at angles, one line for each; at the start of a piece by that piece, as the core has it."""
        inside = np.mod(angle, TURN)
        piece = np.searchsorted(self.knots, inside, side="right") - 1
        return self.on(piece, inside - self.knots[piece])

    def on(self, piece: Places, x: Array) -> Array:
        """f, f', f'' of pieces at distances x from their starts."""
        c0, c1, c2, c3, c4, c5 = self.coefficients[piece].T
        return np.column_stack(
            [
                c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5)))),
                c1 + x * (2 * c2 + x * (3 * c3 + x * (4 * c4 + x * 5 * c5))),
                2 * c2 + x * (6 * c3 + x * (12 * c4 + x * 20 * c5)),
            ]
        )

    def looks(self, each: int) -> tuple[Array, Array]:
        """Angles and f, f', f'' at `each` points of every piece, its two ends included: both sides of corners."""
        lengths = np.diff(np.append(self.knots, TURN))
        piece = np.repeat(np.arange(len(self.knots)), each)
        x = (lengths[:, None] * np.linspace(0, 1, each)).ravel()
        return self.knots[piece] + x, self.on(piece, x)


def join_pieces(start: float, lengths: Array, left: Array, right: Array, *, falling: bool = False) -> CamProfile:
    """The profile whose pieces follow each other from an angle on, with f, f', f'' given at both ends of each.

    With `falling` they follow each other towards smaller angles; derivatives are by the distance along the pieces.
    """
    behind = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    if falling:
        starts, lengths = (start - behind - lengths)[::-1], lengths[::-1]
        left, right = right[::-1] * _FALLING, left[::-1] * _FALLING
    else:
        starts = start + behind
    return wrap_pieces(starts, quintics(lengths, left, right))


def wrap_pieces(starts: Array, coefficients: Array) -> CamProfile:
    """Pieces of a full revolution that start anywhere, as pieces from 0; the one that reaches over 0 is cut there."""
    inside = np.mod(starts, TURN)
    inside[TURN - inside < _SAME] = 0.0
    inside[inside < _SAME] = 0.0
    order = np.argsort(inside, kind="stable")
    inside, coefficients = inside[order], coefficients[order]
    if inside[0] > 0:
        cut = _shift_polynomial(coefficients[-1], TURN - inside[-1])
        inside, coefficients = np.append(0.0, inside), np.vstack([cut, coefficients])
    return CamProfile(inside, coefficients)


def _shift_polynomial(coefficients: Array, x: float) -> Array:
    """The polynomial in powers of the distance from x."""
    size = len(coefficients)
    return np.array(
        [sum(math.comb(j, k) * coefficients[j] * x ** (j - k) for j in range(k, size)) for k in range(size)]
    )


def quintics(h: Array, left: Array, right: Array) -> Array:
    """Coefficients of the quintics with given value, slope and bend at both ends of pieces of length h."""
    f0, d0, b0 = left.T
    f1, d1, b1 = right.T
    rise = (f1 - f0) - h * (d0 + 0.5 * h * b0)
    slope = d1 - d0 - h * b0
    bend = b1 - b0
    c3 = 10 * rise / h**3 - 4 * slope / h**2 + bend / (2 * h)
    c4 = -15 * rise / h**4 + 7 * slope / h**3 - bend / h**2
    c5 = 6 * rise / h**5 - 3 * slope / h**4 + bend / (2 * h**3)
    return np.column_stack([f0, d0, b0 / 2, c3, c4, c5])
