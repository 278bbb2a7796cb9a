"""Subroutine GAUSS of O'Kins (1964, appendix E) in the arithmetic of its computer: eight digits, the rest cut off.

"The computer carries eight significant figures during computation" (thesis, page 79). Sines and cosines are taken to
nine digits, and to eight like every other result: then sin 90° is 1 and a frame vector of 6.70 stays 6.70, as in
Table III, and the return of Table IV, whose numbers depend on the eighth digit, is that of the thesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal

from mubo.lazy_dataclass import dataclass

IBM_1410 = Context(prec=8, rounding=ROUND_DOWN)
_FUNCTIONS = Context(prec=9, rounding=ROUND_HALF_UP)
ZERO, TWO, HUNDRED = Decimal(0), Decimal(2), Decimal(100)

Vector = list[Decimal]
Matrix = list[Vector]


def stored(value: float) -> Decimal:
    """A number of a card, as the computer keeps it."""
    return IBM_1410.create_decimal(repr(value))


def sine(angle: Decimal) -> Decimal:
    return IBM_1410.plus(_FUNCTIONS.create_decimal_from_float(math.sin(angle)))


def cosine(angle: Decimal) -> Decimal:
    return IBM_1410.plus(_FUNCTIONS.create_decimal_from_float(math.cos(angle)))


@dataclass(frozen=True)
class Reduction:
    """The arrays that GAUSS leaves, and its solution: none where the pivot numbered `zero` vanishes."""

    AY: Matrix
    BEE: Vector
    COLSWP: list[int]  # column that was exchanged with column k in step k; 0: none
    X: Vector | None
    zero: int = 0


def reduce_by_gauss(coefficients: Sequence[Sequence[Decimal]], right: Sequence[Decimal]) -> Reduction:
    """Steps one to five of the thesis: largest element to the corner, division, elimination; then substitution."""
    AY, BEE = [list(row) for row in coefficients], list(right)
    size = len(BEE)
    COLSWP = [0] * size
    for k in range(size - 1):
        COLSWP[k] = _largest_to_corner(AY, BEE, k)
        if not AY[k][k]:
            return Reduction(AY, BEE, COLSWP, None, k + 1)
        for column in range(k + 1, size):
            AY[k][column] /= AY[k][k]
            for row in range(k + 1, size):
                AY[row][column] -= AY[row][k] * AY[k][column]
        BEE[k] /= AY[k][k]
        for row in range(k + 1, size):
            BEE[row] -= AY[row][k] * BEE[k]
    if not AY[-1][-1]:
        return Reduction(AY, BEE, COLSWP, None, size)
    return Reduction(AY, BEE, COLSWP, _substitute(AY, BEE, COLSWP))


def _largest_to_corner(AY: Matrix, BEE: Vector, k: int) -> int:
    """Exchange columns and rows so that the largest element from (k, k) on stands there; returns the column."""
    size, most, at = len(BEE), abs(AY[k][k]), (k, -1)
    for column in range(k, size):
        for row in range(k, size):
            if most < abs(AY[row][column]):
                most, at = abs(AY[row][column]), (row, column)
    row, column = at
    if column < 0:
        return 0
    for line in AY[k:]:
        line[k], line[column] = line[column], line[k]
    AY[k][k:], AY[row][k:] = AY[row][k:], AY[k][k:]
    BEE[k], BEE[row] = BEE[row], BEE[k]
    return column + 1


def _substitute(AY: Matrix, BEE: Vector, COLSWP: list[int]) -> Vector:
    """Solve from the last row upwards; the columns change back as they go."""
    size = len(BEE)
    X = [ZERO] * size
    X[-1] = BEE[-1] / AY[-1][-1]
    for k in range(size - 2, -1, -1):
        X[k] = BEE[k]
        for column in range(k + 1, size):
            X[k] -= AY[k][column] * X[column]
        if COLSWP[k]:
            other = COLSWP[k] - 1
            X[k], X[other] = X[other], X[k]
    return X
