"""Cubic splines through points, straight beyond their ends.

The third derivative of the first (last) piece is that of the cubic through the first (last) four points, so that cubics
are reproduced; splines of two or three points are natural.
Source: Forsythe, Malcolm and Moler, Computer Methods for Mathematical Computations (1977), chapter 4; as OpenSim's
SimmSpline.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array


def spline_pieces(points: Array) -> tuple[Array, Array]:
    """Knots and coefficients (pieces × 4, in powers of x − knot): a straight piece before and one behind."""
    x, y = np.asarray(points, float).T
    h, slope = np.diff(x), np.diff(y) / np.diff(x)
    bend = _bends(x, y, h, slope)  # a sixth of the second derivative at every point
    first = slope - h * (bend[1:] + 2 * bend[:-1])
    inner = np.column_stack([y[:-1], first, 3 * bend[:-1], np.diff(bend) / h])
    last = slope[-1] + h[-1] * (2 * bend[-1] + bend[-2])
    before = [y[0] - first[0], first[0], 0.0, 0.0]
    return np.concatenate([[x[0] - 1.0], x]), np.vstack([before, inner, [y[-1], last, 0.0, 0.0]])


def _bends(x: Array, y: Array, h: Array, slope: Array) -> Array:
    count = len(x)
    matrix, right = np.zeros((count, count)), np.zeros(count)
    for k in range(1, count - 1):
        matrix[k, k - 1 : k + 2] = h[k - 1], 2 * (h[k - 1] + h[k]), h[k]
        right[k] = slope[k] - slope[k - 1]
    matrix[0, 0] = matrix[-1, -1] = 1.0
    if count > 3:
        matrix[0, :2], right[0] = (-1.0, 1.0), h[0] * _third(x[:4], y[:4])
        matrix[-1, -2:], right[-1] = (-1.0, 1.0), h[-1] * _third(x[-4:], y[-4:])
    return np.asarray(np.linalg.solve(matrix, right))


def _third(x: Array, y: Array) -> float:
    """Third divided difference of four points: the leading coefficient of their cubic."""
    for order in range(1, 4):
        y = np.diff(y) / (x[order:] - x[:-order])
    return float(y[0])


def spline_value(points: Array, x: float) -> float:
    """The value of the spline at x."""
    knots, coefficients = spline_pieces(points)
    piece = max(int(np.searchsorted(knots, x, side="right")) - 1, 0)
    return float(np.polynomial.polynomial.polyval(x - knots[piece], coefficients[piece]))
