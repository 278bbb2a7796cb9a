"""Curves between rows, for drawing only: cubics with the true slope where the run has it, without humps of their own.

The page draws by the same rule (`web/report/src/charts/values.ts`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Integers
from mubo.results import Column, Columns, Run
from mubo.view.painters.decimation import MOST_ROWS

ROUNDING = 1e-12  # of the largest number of its kind in the run: less is rounding
FINE = 8  # drawn pieces per step
TOGETHER = 100_000  # numbers that are looked at together
PLACE = ("x", "y", "z")
ENERGIES = (("kinetic", "potential", "total"), ("dissipated", "supplied"))


def column_slopes(run: Run, name: str) -> Array:
    """The derivative of a column at its rows: as the run has it, else one that puts every extreme on a row."""
    rate = run.columns.derivative(name)
    return monotone_slopes(run["t"], run[name]) if rate is None else run[rate]


def monotone_slopes(t: Array, y: Array) -> Array:
    """Slopes of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984): the harmonic mean of both neighbours' slopes,
    zero at an extreme; at an end and beside a gap the slope of the step."""
    h = np.diff(t)
    with np.errstate(divide="ignore", invalid="ignore"):
        chord = np.concatenate([[np.nan], np.diff(y) / h, [np.nan]])
        before, after = chord[:-1], chord[1:]
        left, right = np.append(np.nan, h), np.append(h, np.nan)
        mean = 3 * (left + right) / ((2 * right + left) / before + (right + 2 * left) / after)
    mean = np.where(before * after > 0, mean, 0.0)
    return np.where(np.isfinite(before), np.where(np.isfinite(after), mean, before), after)


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


def column_scales(run: Run) -> dict[str, float]:
    """The size of the kind of each column (places, their velocities …) in this run, which rounding is judged by.

    It is the largest number of the kind; for an angle at least a radian, and for a rate at least the size of what it is
    the rate of times the largest frequency of the motion: a steady wheel has angular accelerations of rounding alone.
    """
    kinds = {c.name: (chart_of(c), c.holds, c.order) for c in run.columns.schema}
    size: dict[tuple[str, str, int], float] = {}
    for kind, own in zip(kinds.values(), largest_values(run.columns), strict=True):
        size[kind] = max(size.get(kind, 0.0), own)
    often = _frequency(run, size)
    radian = 1 / run.units.angle_factor()
    for (chart, holds, order), own in sorted(size.items(), key=lambda entry: entry[0][2]):
        least = radian * often**order if holds == "angle" else often * size.get((chart, holds, order - 1), 0.0)
        size[chart, holds, order] = max(own, least)
    return {name: size[kind] for name, kind in kinds.items()}


def largest_values(columns: Columns) -> Array:
    """The largest finite size in each column, in the model's units; 0 for a column without any."""
    schema = columns.schema
    if not schema:
        return np.zeros(0)
    block = max(TOGETHER // max(len(columns.raw(schema[0].name)), 1), 1)
    factors = {holds: columns.units.factor(holds) for holds in {column.holds for column in schema}}
    out = []
    for first in range(0, len(schema), block):
        some = schema[first : first + block]
        sizes = np.abs([columns.raw(column.name) for column in some])
        most = np.max(sizes, axis=1, where=np.isfinite(sizes), initial=0.0)
        out.append(most / [factors[column.holds] for column in some])
    return np.concatenate(out)


def _frequency(run: Run, size: dict[tuple[str, str, int], float]) -> float:
    """The largest rate per size in radians per time: of turns, and of lengths against themselves."""
    length = float(np.ptp(run["t"])) if len(run) else 0.0
    turns = [
        own * run.units.angle_factor() for (_, holds, order), own in size.items() if (holds, order) == ("angle", 1)
    ]
    lengths = [
        own / size[chart, holds, 0]
        for (chart, holds, order), own in size.items()
        if (holds, order) == ("length", 1) and size.get((chart, holds, 0), 0.0) > 0
    ]
    return max([1 / length if length > 0 else 0.0, *turns, *lengths])


def chart_of(column: Column) -> str:
    """The chart that a column shares: coordinates of a place, components of a force, joint coordinates, energies."""
    if column.kind in ("body", "point") and column.quantity in PLACE:
        return "place"
    if column.kind == "joint":
        return "spin" if column.quantity.startswith("turn") else "coordinates"
    if column.kind in ("reaction", "shaking"):
        return "moment" if column.holds == "torque" else "force"
    if column.kind == "energy":
        return next((group[0] for group in ENERGIES if column.quantity in group), column.quantity)
    return column.quantity.partition(" ")[0] if column.holds != "number" else column.kind


ROUNDS = 4  # times that a step is halved, at most
ROOM = 4  # rows in the drawing for each of the run's, at most
FEW = 200  # rows of a drawing that may always be added
COARSE = 0.01  # of a column's range: what a chord may miss of the integral of its slope
BENT = 0.01  # of the range of a rate: how far its mean over a step may lie from that of its ends
COLUMNS_TOGETHER = 1_000  # columns that are judged at a time
FLAT = 1e-6  # of the largest number of its kind: a column that changes by less needs no rows
CLOSING = 2.0 ** -np.arange(1, 9)  # parts of a step, closer and closer to an event


def refine_rows(run: Run) -> Run:
    """The run with rows added among its own; `original_rows` finds its own again."""
    solve, t = run.record.between, run["t"]
    if solve is None or len(t) < 2 or len(t) > MOST_ROWS // ROOM:
        return run
    out, wanted = run, _near_events(run)
    for _ in range(ROUNDS + 1):
        if len(out) + len(wanted) > ROOM * len(t) + FEW:
            break
        out = _insert_rows(out, solve(wanted)) if len(wanted) else out
        wanted = _rough_middles(out)
        if not len(wanted):
            break
    return out


def original_rows(run: Run, drawn: Run) -> Integers:
    """The numbers of the run's own rows among those that are drawn."""
    return np.searchsorted(drawn["t"], run["t"]).astype(np.int32)


def _near_events(run: Run) -> Array:
    """Times closer and closer to each event, on both sides, within the rows."""
    t, wanted = run["t"], [np.zeros(0)]
    for event in run.events:
        k = int(np.clip(np.searchsorted(t, event.t), 1, len(t) - 1))
        step = t[k] - t[k - 1]
        wanted += [event.t - step * CLOSING, event.t + step * CLOSING]
    times = np.concatenate(wanted)
    return np.unique(times[(times > t[0]) & (times < t[-1])])


def _rough_middles(run: Run) -> Array:
    """The middles of steps in which the change of a column disagrees with the slopes at its rows."""
    t = run["t"]
    h, scale = np.diff(t), column_scales(run)
    rates = ((name, run.columns.derivative(name)) for name in run.columns)
    pairs = [(name, rate) for name, rate in rates if rate is not None]
    rough = np.zeros(len(h), bool)
    for first in range(0, len(pairs), COLUMNS_TOGETHER):
        some = pairs[first : first + COLUMNS_TOGETHER]
        y, v = (np.array([run[pair[k]] for pair in some]) for k in (0, 1))
        flat, slow = (FLAT * np.array([scale[pair[k]] for pair in some]) for k in (0, 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            missed = np.abs(np.diff(y) / h - (v[:, 1:] + v[:, :-1]) / 2)
            rough |= np.any(missed * h > COARSE * np.maximum(_ranges(y), flat)[:, None], axis=0)
            rough |= np.any(missed > BENT * np.maximum(_ranges(v), slow)[:, None], axis=0)
    return np.asarray((t[:-1] + h / 2)[rough & (h > 1e-9 * (t[-1] - t[0]))])


def _ranges(lines: Array) -> Array:
    """Greatest minus least finite value of each line; zero where it has none."""
    known = np.isfinite(lines)
    most, least = np.max(lines, 1, where=known, initial=-np.inf), np.min(lines, 1, where=known, initial=np.inf)
    return np.asarray(np.where(known.any(axis=1), most - least, 0.0))


def _insert_rows(run: Run, more: Columns) -> Run:
    """Inserts the rows of `more` into the run; a column without values there takes its curve between the rows."""
    t = run.columns.raw("t")
    new = ~np.isin(more.raw("t"), t)
    times = more.raw("t")[new]
    if not len(times):
        return run
    at = np.searchsorted(t, times)
    values = {}
    for name in run.columns:
        old = run.columns.raw(name)
        added = (
            more.raw(name)[new] if name in more else np.interp(times, *hermite_curve(t, old, monotone_slopes(t, old)))
        )
        values[name] = np.insert(old, at, added, axis=0)
    return replace(run, columns=run.columns.replaced(values))
