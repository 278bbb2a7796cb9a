"""Arc-length continuation of a curve Φ(x, λ) = 0, which passes turning points of λ like any other point.

From a point u with unit tangent t the prediction u + h t is corrected square to t: Newton on Φ = 0 and
t·(u' − u − h t) = 0 (Keller 1977). Where λ turns back the component t_λ changes its sign: a limit position. Where two
curves cross the determinant of [Φ_u; t] changes its sign: a change point. A jump to a neighbouring curve changes that
sign too, and differs from a change point by the gap that remains at any resolution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.numerics.singularity import CHANGE_POINT

LONGEST = 0.1  # radians, or parts of the mechanism's size
SHORTEST = 1e-10
STRAIGHT = 0.97  # cosine of the largest turn of the tangent in one step
STRAY = 0.1  # of the step: largest correction
CLOSE = 1e-6  # curves that come closer than this are taken to cross
MOST_STEPS = 20_000


@dataclass(frozen=True)
class CurvePoint:
    """A point of the curve in scaled unknowns, the last of which is λ, and its tangent.

    Also the sign of det [Φ_u; t], and the two smallest singular values of Φ_u as parts of the largest one.
    """

    u: Array
    t: Array
    sign: float
    smallest: float
    second: float


@dataclass(frozen=True)
class CurveEvent:
    """An event on the curve: "step", "limit", "change" (two curves cross), "level" (λ at a given value), "closed" (back
    at the start), "knot" (many curves meet: not followed further), "stuck"."""

    kind: str
    point: CurvePoint
    level: int = 0


Apart = Callable[[Array, Array], Array]  # the difference of two points, angles up to whole turns
Equations = Callable[[Array], tuple[Array, Array]]  # u → Φ and Φ_u, one column more than rows
Levels = Callable[[float, float], list[tuple[int, float]]]  # levels between two values of λ: number and value


class ImplicitCurve:
    """A curve given by its equations; `tolerance` is the largest |Φ| that counts as zero."""

    def __init__(self, equations: Equations, tolerance: float) -> None:
        self._equations, self._tolerance = equations, tolerance

    def start(self, u: Array) -> CurvePoint:
        """The point at u with the tangent of increasing λ."""
        _, slope = self._equations(u)
        t = np.linalg.svd(slope)[2][-1]
        t = t if t[-1] > 0 else -t
        return _point(u, t, slope)

    def back(self, point: CurvePoint) -> CurvePoint:
        """The point with the opposite tangent."""
        return replace(point, t=-point.t, sign=-point.sign)

    def step(self, point: CurvePoint, h: float) -> CurvePoint | None:
        """The point a step h along the tangent, corrected; None if Newton's method does not converge nearby."""
        guess = point.u + h * point.t
        u, right = guess.copy(), np.zeros(len(guess))
        for _ in range(8):
            phi, slope = self._equations(u)
            square = np.vstack([slope, point.t])
            right[:-1] = -phi
            try:
                change = np.linalg.solve(square, right)
            except np.linalg.LinAlgError:
                return None
            u = u + change
            if not np.all(np.isfinite(u)) or np.linalg.norm(u - guess) > abs(h) + CLOSE:
                return None
            if np.max(np.abs(change)) < 1e-8:  # what is left is its square
                break
        phi, slope = self._equations(u)
        if np.max(np.abs(phi)) > self._tolerance:
            return None
        square = np.vstack([slope, point.t])
        right[:-1], right[-1] = 0.0, 1.0
        try:
            along = np.linalg.solve(square, right)
        except np.linalg.LinAlgError:
            return None
        return _point(u, np.asarray(along / np.linalg.norm(along), float), slope)

    def follow(
        self, start: CurvePoint, levels: Levels, longest: Callable[[Array], float], apart: Apart
    ) -> Iterator[CurveEvent]:
        """Events on the curve from a point on, in order, until it is closed or cannot be followed further."""
        point, h = start, 0.1 * LONGEST
        last: tuple[CurvePoint, float] | None = None
        for _ in range(MOST_STEPS):
            inside, after = self._taken(point, h, levels)
            if after is None:
                h /= 4
                if h < SHORTEST:
                    break
                continue
            touched = self._touched(last, point, after, h)
            back = point is not start and self._is_back(start, point, after, h, apart)
            if back:  # what lies beyond the start was passed at first
                inside = [p for p in inside if float(start.t @ apart(p.point.u, start.u)) < -0.1 * CLOSE]
            for passed in (*touched, *inside):
                yield passed
                if passed.kind == "knot":
                    return
            if back:
                yield CurveEvent("closed", start)
                return
            yield CurveEvent("step", after)
            last, point, h = (point, h), after, min(1.5 * h, LONGEST * longest(after.u))
        yield CurveEvent("knot" if point.second < 1e-3 else "stuck", point)

    def _taken(self, point: CurvePoint, h: float, levels: Levels) -> tuple[list[CurveEvent], CurvePoint | None]:
        """Events and end of one step; no end where it leaves the curve for a neighbouring one."""
        after = self.step(point, h)
        if after is None or not _stays_near(point, after, h):
            return [], None
        try:
            inside = list(self._between(point, after, h, levels))
        except CurveLost:
            return [], None
        if after.sign != point.sign:
            crossing = self._change_point(point, h)
            if crossing is None:
                return [], None
            inside.append(CurveEvent("change", crossing))
        knots = [p for p in inside if p.kind == "limit" and p.point.second < CHANGE_POINT]
        return ([CurveEvent("knot", knots[0].point)] if knots else inside), after

    def _is_back(self, start: CurvePoint, point: CurvePoint, after: CurvePoint, h: float, apart: Apart) -> bool:
        """Whether a step passes the start: the plane square to its tangent, in the start itself."""
        before, beyond = (float(start.t @ apart(p.u, start.u)) for p in (point, after))
        if not before < 0 <= beyond or np.linalg.norm(apart(point.u, start.u)) > 2 * h:
            return False
        try:
            there = self._zero(point, 0.0, h, lambda p: float(start.t @ apart(p.u, start.u)))[1]
        except CurveLost:
            return False
        return bool(np.linalg.norm(apart(there.u, start.u)) < 10 * CLOSE)

    def _touched(
        self, last: tuple[CurvePoint, float] | None, point: CurvePoint, after: CurvePoint, h: float
    ) -> list[CurveEvent]:
        """A change point at which an even number of signs change, which the determinant does not show.

        There the smallest singular value is zero, with the shape of a V: it is searched by golden section.
        """
        if last is None or not last[0].smallest > point.smallest <= after.smallest:
            return []
        steepest = max(last[0].smallest, after.smallest) - point.smallest
        if last[0].sign != point.sign or point.sign != after.sign or point.smallest > 2 * steepest:
            return []
        low, high = -last[1], h
        best = point
        while high - low > CLOSE:
            left, right = (self.step(point, end + part * (high - low)) for end, part in ((low, 0.382), (low, 0.618)))
            if left is None or right is None:
                break
            best = left if left.smallest < right.smallest else right
            low, high = (low, low + 0.618 * (high - low)) if best is left else (low + 0.382 * (high - low), high)
        return [CurveEvent("change", best)] if best.smallest < CHANGE_POINT and abs(best.t[-1]) > CHANGE_POINT else []

    def _change_point(self, point: CurvePoint, h: float) -> CurvePoint | None:
        """The point within the step at which the sign changes, if the curve goes straight through it."""
        low, high = 0.0, h
        while high - low > 0.01 * CLOSE:
            middle = 0.5 * (low + high)
            there = self.step(point, middle) or self.step(point, middle + 0.1 * (high - low))
            if there is None:
                return None
            low, high = (middle, high) if there.sign == point.sign else (low, middle)
        before, after = self.step(point, low - CLOSE), self.step(point, high + CLOSE)
        if before is None or after is None or before.sign == after.sign or not float(before.t @ after.t) > 0.99:
            return None
        gap = float(np.linalg.norm(after.u - before.u))
        return replace(before, u=(before.u + after.u) / 2) if gap < 3 * CLOSE else None

    def _between(self, point: CurvePoint, after: CurvePoint, h: float, levels: Levels) -> Iterator[CurveEvent]:
        """Limit positions and levels inside one step."""
        ends = [(0.0, point), (h, after)]
        if point.t[-1] * after.t[-1] < 0:
            limit = self._zero(point, 0.0, h, lambda p: float(p.t[-1]))
            ends.insert(1, limit)
        for (a, first), (b, second) in pairwise(ends):
            found = levels(float(first.u[-1]), float(second.u[-1]))
            for number, value in found if first.u[-1] < second.u[-1] else found[::-1]:
                yield CurveEvent("level", self._zero(point, a, b, lambda p, v=value: float(p.u[-1]) - v)[1], number)  # type: ignore[misc]
            if len(ends) == 3 and first is point:
                yield CurveEvent("limit", second)

    def _zero(
        self, point: CurvePoint, low: float, high: float, of: Callable[[CurvePoint], float]
    ) -> tuple[float, CurvePoint]:
        """Step length at which a quantity vanishes: regula falsi with halving (Illinois)."""
        at_low, at_high = self._sure(point, low), self._sure(point, high)
        a, b = of(at_low), of(at_high)
        middle, there = low, at_low
        for _ in range(60):
            middle = (low * b - high * a) / (b - a)
            there = self._sure(point, middle)
            value = of(there)
            if abs(value) < 1e-14 or abs(high - low) < 1e-14:
                break
            if value * b < 0:
                low, a = high, b
            else:
                a /= 2
            high, b = middle, value
        return middle, there

    def _sure(self, point: CurvePoint, h: float) -> CurvePoint:
        """The point at a step, or close beside it where curves cross there and Newton's method finds no direction."""
        for aside in (0.0, 1e-8, -1e-8, 1e-7, -1e-7, CLOSE, -CLOSE):
            there = point if h + aside == 0 else self.step(point, h + aside)
            if there is not None:
                return there
        raise CurveLost


class CurveLost(Exception):
    """The curve could not be followed."""


def _point(u: Array, t: Array, slope: Array) -> CurvePoint:
    values = np.linalg.svd(slope, compute_uv=False)
    values = np.append(1.0, values / values[0])  # a single equation has no second value
    return CurvePoint(u, t, float(np.linalg.slogdet(np.vstack([slope, t]))[0]), float(values[-1]), float(values[-2]))


def _stays_near(point: CurvePoint, after: CurvePoint, h: float) -> bool:
    stray = float(np.linalg.norm(after.u - point.u - h * point.t))
    return bool(stray < STRAY * h and float(point.t @ after.t) > STRAIGHT)
