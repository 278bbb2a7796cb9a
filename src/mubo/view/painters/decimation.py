"""Long results thinned for drawing, so that the picture is the same: never for tables. Pictures state it."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array

COLUMNS = 2000  # pixel columns of a chart, more than any picture here has
MOST_ROWS = 2 * COLUMNS  # rows that are drawn as they are


def decimate(t: Array, y: Array) -> tuple[Array, Array]:
    """The least and greatest value of every pixel column, in their order; a column without values stays a gap."""
    if len(t) <= MOST_ROWS:
        return t, y
    edges = np.linspace(0, len(t), COLUMNS + 1).astype(int)
    column = np.repeat(np.arange(COLUMNS), np.diff(edges))
    known = np.isfinite(y)
    low = np.minimum.reduceat(np.where(known, y, np.inf), edges[:-1])
    high = np.maximum.reduceat(np.where(known, y, -np.inf), edges[:-1])
    keep = known & ((y == low[column]) | (y == high[column]))
    keep[edges[:-1]] |= np.isinf(low)  # of an empty column one row, which is a gap
    keep[[0, -1]] = True
    # of rows that repeat a value within a column, the first and last are enough
    number = np.flatnonzero(keep)
    same = (column[number[1:-1]] == column[number[:-2]]) & (column[number[1:-1]] == column[number[2:]])
    flat = same & (y[number[1:-1]] == y[number[:-2]]) & (y[number[1:-1]] == y[number[2:]])
    number = np.delete(number, 1 + np.flatnonzero(flat))
    return t[number], y[number]


def decimate_path(points: Array, parts: int = COLUMNS) -> Array:
    """A path with one point per small piece of its size; gaps stay gaps."""
    if len(points) <= MOST_ROWS:
        return points
    size = float(np.nanmax(np.nanmax(points, axis=0) - np.nanmin(points, axis=0)))
    step = np.linalg.norm(np.diff(points, axis=0), axis=1)
    gap = np.isnan(points).any(axis=1)
    gone = np.concatenate([[0.0], np.cumsum(np.nan_to_num(step))])
    piece = np.floor(gone / max(size / parts, 1e-300))
    keep = np.concatenate([[True], np.diff(piece) > 0]) | np.concatenate([[False], np.diff(gap.astype(int)) != 0])
    keep[-1] = True
    return np.asarray(points[keep])


def decimation_note(rows: int) -> str:
    """The note in the corner of a picture of so many rows; empty if all are drawn."""
    if rows <= MOST_ROWS:
        return ""
    return f"{rows:,} rows, thinned for drawing to what a pixel can show".replace(",", "\u202f")
