"""Curved slots as the core has them: x(s) and y(s) as quintic pieces, with the reach of the curve.

The reach is the largest distance up to which every point has one nearest place on the curve: the infimum over pairs of
places p, q of |q − p|² / (2 dist(q − p, tangent at p)) (Federer, Curvature Measures, 1959, theorem 4.18).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ModelError
from mubo.laws.law import Law, breaks_of, jumps_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.profiles import ProfileArrays, quintics
from mubo.model import Joint

FEWEST, MOST = 64, 4096  # pieces
CLOSE = 1e-11  # relative to the largest second derivative: error of the pieces between their ends
SAMPLES = 600  # points from which reach and crossings are computed
SAFE = 0.9  # fraction of the reach at these points
NARROW = 1e-4  # relative to the size of a curve: a smaller reach is a corner, or a point that is touched twice
SLOW = 1e-6  # relative to the largest speed: below it the direction of a curve is undefined
Evaluate = Callable[[Array, Array], Array]  # (s, middles of the pieces) → c, c′, c″: (places, 2, 3)


@dataclass(frozen=True)
class CurvePieces:
    """A curve in the axes of its body: starts of the pieces, and six coefficients of x and of y for each.

    An open curve has a straight piece before its first knot and one after its last: `ends` are where it ends itself.
    """

    knots: Array
    coefficients: Array  # (2, pieces, 6)
    period: float  # 0 for an open curve
    ends: tuple[float, float]
    reach: float

    @property
    def arrays(self) -> ProfileArrays:
        """Arrays of the core."""
        return self.period, self.knots.tolist(), self.coefficients.ravel().tolist()

    def places(self, count: int) -> Array:
        """Places from end to end, evenly in the parameter: (count, 2)."""
        s = np.linspace(*self.ends, count)
        piece = np.clip(np.searchsorted(self.knots, s, side="right") - 1, 0, len(self.knots) - 1)
        x = (s - self.knots[piece])[:, None]
        return np.asarray(np.sum(self.coefficients[:, piece] * x ** np.arange(6), axis=2).T)


def curve_of(joint: Joint) -> CurvePieces:
    """The curve of a slot, or a refusal that names its joint."""
    options = joint.options
    closed = options.get("ends") == "closed"
    try:
        if "points" in options:
            evaluate, knots = _through(np.array(options["points"], float), closed)
        else:
            evaluate, knots = _by_formula(options)
        return _pieces(evaluate, knots, closed)
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None


def _by_formula(options: Any) -> tuple[Evaluate, Array]:
    start, end = (float(number) for number in options["range"])
    if not end > start:
        raise ModelError(f"its range must go upwards; found {start:g} to {end:g}")
    laws: list[Law] = [options[name] for name in ("x", "y") if name in options]
    breaks = [0.0]
    for law in laws:
        for jump in jumps_of(law, start, end):
            if jump.order < 2 and jump.gross:
                raise ModelError(f"its curve has a corner at {jump.t:.6g}: a pin cannot go around it")
        breaks += [*breaks_of(law, start, end)]

    def evaluate(s: Array, middles: Array) -> Array:
        lines = [law.at(s, middles) for law in laws]
        if len(lines) == 1:
            lines.insert(0, np.column_stack([s, np.ones_like(s), np.zeros_like(s)]))
        return np.stack(lines, axis=1)

    inside = [s for s in breaks if start < s < end]
    return evaluate, distinct(np.array([start, *inside, end]))


def _through(points: Array, closed: bool) -> tuple[Evaluate, Array]:
    """A cubic spline through points over the length of their chords."""
    from scipy.interpolate import CubicSpline

    if closed and not np.array_equal(points[0], points[-1]):
        points = np.vstack([points, points[:1]])
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if not np.min(chords) > 0:
        raise ModelError("two of its points that follow each other are the same place")
    s = np.append(0.0, np.cumsum(chords))
    spline = CubicSpline(s, points, bc_type="periodic" if closed else "not-a-knot")

    def evaluate(at: Array, middles: Array) -> Array:
        return np.stack([spline(at, order) for order in range(3)], axis=2)

    return evaluate, s


def _pieces(evaluate: Evaluate, given: Array, closed: bool) -> CurvePieces:
    """Pieces between the knots that are given, divided until they follow the curve between their ends."""
    parts = max(FEWEST // (len(given) - 1), 1)
    while True:
        shares = np.linspace(0, 1, parts + 1)[:-1]
        knots = np.append((given[:-1, None] + np.diff(given)[:, None] * shares).ravel(), given[-1])
        middles = (knots[:-1] + knots[1:]) / 2
        left, right, between = evaluate(knots[:-1], middles), evaluate(knots[1:], middles), evaluate(middles, middles)
        if not np.isfinite([left, right, between]).all():
            raise ModelError("its curve is not a finite number everywhere in its range")
        h = np.diff(knots)
        made = np.stack([quintics(h, left[:, axis], right[:, axis]) for axis in range(2)])
        bend = np.sum(made[:, :, 2:] * (h[:, None] / 2) ** np.arange(4) * np.array([2.0, 6.0, 12.0, 20.0]), axis=2)
        off, largest = np.max(np.abs(bend.T - between[:, :, 2])), np.max(np.abs(between[:, :, 2]))
        if off <= CLOSE * largest + 1e-300 or len(knots) * 2 > MOST:
            break
        parts *= 2
    speed = np.linalg.norm(np.concatenate([left, right, between])[:, :, 1], axis=1)
    if np.min(speed) < SLOW * np.max(speed):
        raise ModelError("its curve has zero speed somewhere, so its direction is undefined: use another parameter")
    return _joined(knots, made, left, right, closed)


def _joined(knots: Array, made: Array, left: Array, right: Array, closed: bool) -> CurvePieces:
    """The pieces with straight ones before and after, or the end of the curve on its beginning."""
    start, end = left[0], right[-1]
    size = float(np.max(np.ptp(left[:, :, 0], axis=0)))
    if closed:
        turned = start[:, 1] / np.linalg.norm(start[:, 1]) - end[:, 1] / np.linalg.norm(end[:, 1])
        if np.max(np.abs(start[:, 0] - end[:, 0])) > 1e-9 * size or np.max(np.abs(turned)) > 1e-6:
            raise ModelError("its curve is declared as closed, but its end does not continue into its start")
    reach = _reach(knots, made, closed)
    ends = float(knots[0]), float(knots[-1])
    if closed:
        # the core counts from 0; the last piece ends where the first begins
        return CurvePieces(knots[:-1] - knots[0], made, ends[1] - ends[0], (0.0, ends[1] - ends[0]), reach)
    long = ends[1] - ends[0]
    before, after = np.zeros((2, 2, 1, 6))
    before[:, 0, 0], before[:, 0, 1] = start[:, 0] - long * start[:, 1], start[:, 1]
    after[:, 0, 0], after[:, 0, 1] = end[:, 0], end[:, 1]
    pieces = np.concatenate([before, made, after], axis=1)
    return CurvePieces(np.append(ends[0] - long, knots), pieces, 0.0, ends, reach)


def _reach(knots: Array, made: Array, closed: bool) -> float:
    """Distance within which every point has one nearest place; a curve that crosses itself is refused."""
    s = np.linspace(knots[0], knots[-1], SAMPLES + 1)[: SAMPLES if closed else None]
    piece = np.clip(np.searchsorted(knots, s, side="right") - 1, 0, len(knots) - 2)
    x, powers = (s - knots[piece])[:, None], np.arange(6)
    at = np.sum(made[:, piece] * x**powers, axis=2).T
    along = np.sum(made[:, piece, 1:] * powers[1:] * x ** powers[:-1], axis=2).T
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    _require_apart(at, closed)
    gap = at[None] - at[:, None]
    square = np.sum(gap**2, axis=2)
    across = np.abs(along[:, None, 0] * gap[:, :, 1] - along[:, None, 1] * gap[:, :, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.nanmin(np.where(square > 0, square / (2 * across), np.nan))
    size = float(np.sqrt(np.max(square)))
    if least < NARROW * size:
        raise ModelError("its curve touches itself, or bends too sharply for a pin to follow it")
    return SAFE * float(min(least, 1e12 * size))


def _require_apart(at: Array, closed: bool) -> None:
    """Refuse a curve whose chords cross each other; an open one is extended by a chord at each end."""
    if not closed:
        at = np.vstack([2 * at[0] - at[1], at, 2 * at[-1] - at[-2]])
    first, second = (at, np.roll(at, -1, axis=0)) if closed else (at[:-1], at[1:])
    chord, count = second - first, len(first)

    def side(of: Array) -> Array:
        """Side of every chord (rows) on which points (columns) lie."""
        gap = of[None] - first[:, None]
        return np.asarray(chord[:, None, 0] * gap[:, :, 1] - chord[:, None, 1] * gap[:, :, 0])

    split = side(first) * side(second) < 0
    crossing = split & split.T
    near = np.abs(np.arange(count)[:, None] - np.arange(count))
    crossing &= (np.minimum(near, count - near) if closed else near) > 1
    if crossing.any():
        x, y = first[np.argwhere(crossing)[0][0]]
        raise ModelError(
            f"its curve crosses itself near ({x:.4g}, {y:.4g}), where a pin could follow either branch: divide it into "
            "slots that do not cross themselves"
        )
