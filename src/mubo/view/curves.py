"""Curves between rows, for drawing only: cubics with the true slope where the run has it, drawn where rows show them to
be true.

A row that is left out is predicted from its neighbours: where it lies farther from the prediction than a hundredth of
the range of its column, the rows do not determine the curve, and they are drawn as dots. The page draws by the same
rule (`web/shared/charts/values.ts`).
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.numerics.curve_errors import curve_errors
from mubo.results import Run
from mubo.results.rounding import clear_rounding
from mubo.view.painters.decimation import MOST_ROWS, decimate

FINE = 8  # drawn pieces per step, at most
MOST_POINTS = 4 * MOST_ROWS  # of a curve
TRUE = 0.01  # of the range of a column: what a drawn curve may be wrong by
SURE = 0.3  # of that, at most, for what rows are predicted wrong by: corners between rows may hide from them
AT_ONCE = 1e-9  # of the whole time: rows closer than that, at an event, determine no slope
FLAT = 1e-6  # of the largest number of its kind: a column that changes by less is constant


def column_slopes(run: Run, name: str) -> Array:
    """The derivative of a column at its rows: as the run has it, else that of parabolas through three rows."""
    slope = run.columns.slope(name)
    return parabola_slopes(run["t"], run[name]) if slope is None else slope


def parabola_slopes(t: Array, y: Array) -> Array:
    """Slope at every row of the parabola through it and its neighbours; at an end and beside a gap that of the parabola
    through the next two rows, or of the step where there is only one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        h = np.diff(t)
        chord = np.where(h > AT_ONCE * (t[-1] - t[0]), np.diff(y) / h, np.nan)
        chord, h = (np.concatenate([[np.nan] * 2, part, [np.nan] * 2]) for part in (chord, h))
        far_before, before, after, far_after = chord[:-3], chord[1:-2], chord[2:-1], chord[3:]
        middle = (before * h[2:-1] + after * h[1:-2]) / (h[1:-2] + h[2:-1])
        first = after + (after - far_after) * h[2:-1] / (h[2:-1] + h[3:])
        last = before + (before - far_before) * h[1:-2] / (h[1:-2] + h[:-3])
    out = middle
    for other in (first, last, after, before):
        out = np.where(np.isfinite(out), out, other)
    return np.asarray(out)


def hermite_curve(t: Array, y: Array, slope: Array, pieces: int = FINE) -> tuple[Array, Array]:
    """Times and values with so many pieces to a step."""
    if len(t) < 2:
        return t, y
    u = np.arange(pieces) / pieces
    h, rise = np.diff(t)[:, None], np.diff(y)[:, None]
    leaving, coming = limit_slopes(h * slope[:-1, None] - rise, rise - h * slope[1:, None], rise)
    bend = u * (1 - u) * ((1 - u) * leaving + u * coming)
    inner = y[:-1, None] + u * rise + np.where(np.isfinite(bend), bend, 0.0)
    inner[:, 0] = y[:-1]  # a row is there even if its neighbour is not
    return np.append((t[:-1, None] + h * u).ravel(), t[-1]), np.append(inner.ravel(), y[-1])


def limit_slopes(leaving: Array, coming: Array, rise: Array) -> tuple[Array, Array]:
    """The excess of the end slopes of a cubic over the slope of its chord, over one step, limited for drawing.

    Cut back where the cubic of these slopes would show what no row does. One that bends to one side keeps doing so (its
    second derivative keeps its sign if neither part is more than twice the other); one whose slopes have the sign of
    its chord does not turn back (they are at most three times the chord's: Fritsch and Carlson, SIAM J. Numer. Anal.
    17, 1980). Elsewhere the slopes say that there are extremes within the step, and they are drawn.
    """
    bends = leaving * coming > 0
    one = np.sign(leaving) * np.minimum(np.abs(leaving), 2 * np.abs(coming))
    other = np.sign(coming) * np.minimum(np.abs(coming), 2 * np.abs(leaving))
    climbs = ((rise + leaving) * rise >= 0) & ((rise - coming) * rise >= 0)
    most, sense = 2 * np.abs(rise), np.where(rise > 0, 1.0, -1.0)
    steep = sense * np.minimum(sense * leaving, most)
    steep_end = sense * np.maximum(sense * coming, -most)
    return (
        np.where(bends, one, np.where(climbs, steep, leaving)),
        np.where(bends, other, np.where(climbs, steep_end, coming)),
    )


def range_tolerances(y: Array, scales: Array) -> Array:
    """The error that a curve of each line may have: a hundredth of its range; of a constant one it is any rounding."""
    known = np.isfinite(y)
    most, least = np.max(y, 1, where=known, initial=-np.inf), np.min(y, 1, where=known, initial=np.inf)
    span = np.where(known.any(axis=1), most - least, 0.0)
    return np.asarray(np.where(span < FLAT * scales, np.inf, SURE * TRUE * span))


def known_rates(run: Run, name: str) -> Array:
    """The derivative of a column as the run has it; NaN where it has none."""
    slope = run.columns.slope(name)
    return np.full(len(run), np.nan) if slope is None else slope


def known_steps(run: Run, name: str) -> Booleans:
    """The steps of a column whose curve the rows determine to a hundredth of its range."""
    y = clear_rounding(run[name], run.columns.scale(name))[None]
    errors = curve_errors(run["t"], y, known_rates(run, name)[None])
    return np.asarray(errors[0] <= range_tolerances(y, np.array([run.columns.scale(name)]))[0])


def drawn_rows(run: Run, name: str) -> tuple[Array, Array, Booleans]:
    """Times and values of a column for drawing, long runs thinned to what can be seen, and the steps with a curve."""
    t, y = run["t"], clear_rounding(run[name], run.columns.scale(name))
    known = known_steps(run, name)
    if len(t) <= MOST_ROWS:
        return t, y, known
    times, values = decimate(t, y)
    rows = np.searchsorted(t, times)
    broken = np.append(0, np.cumsum(~known))
    return times, values, broken[rows[1:]] == broken[rows[:-1]]


def column_curve(run: Run, name: str) -> tuple[Array, Array]:
    """Times and values of a column along its curve; NaN within steps that have none."""
    t, y, known = drawn_rows(run, name)
    if len(t) < 2:
        return t, y
    if len(run) > MOST_ROWS:  # least and greatest values of a pixel are joined by straight lines
        gaps = 1 + np.flatnonzero(~known)
        return np.insert(t, gaps, t[gaps]), np.insert(y, gaps, np.nan)
    pieces = int(np.clip(MOST_POINTS // len(t), 2, FINE))
    times, values = hermite_curve(t, y, column_slopes(run, name), pieces)
    values[:-1].reshape(-1, pieces)[~known, 1:] = np.nan
    return times, values


def table_curve(t: Array, y: Array) -> tuple[Array, Array, Booleans]:
    """Curve through the rows of a table that has no rates: times, values with NaN within steps that have none, and the
    rows that no curve touches."""
    t, y = np.asarray(t, float), np.asarray(y, float)
    if len(t) < 2:
        return t, y, np.isfinite(y)
    errors = curve_errors(t, y[None], np.full((1, len(y)), np.nan))[0]
    known = errors <= range_tolerances(y[None], np.array([np.max(np.abs(y), initial=0.0, where=np.isfinite(y))]))[0]
    pieces = int(np.clip(MOST_POINTS // len(t), 2, FINE))
    times, values = hermite_curve(t, y, parabola_slopes(t, y), pieces)
    values[:-1].reshape(-1, pieces)[~known, 1:] = np.nan
    return times, values, lone_rows(known, y)


def lone_rows(known: Booleans, y: Array) -> Booleans:
    """The rows that no curve touches: they are drawn as dots."""
    beside = np.append(False, known & np.isfinite(y[:-1] + y[1:])) if len(y) > 1 else np.zeros(len(y), bool)
    return np.asarray(np.isfinite(y) & ~beside & ~np.append(beside[1:], False))
