"""A curve Φ(x, λ) = 0 followed by its arc length, so that positions where λ turns back are passed like any other.

From a point u with unit tangent t the prediction u + h t is corrected square to t: Newton on Φ = 0 and
t·(u' − u − h t) = 0 (Keller 1977). Where λ turns back the component t_λ changes its sign: a limit position. Where two
curves cross the determinant of [Φ_u; t] changes its sign: a change point. A jump to a neighbouring curve changes that
sign too, and is told from a change point by the gap that stays however close one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mubo.motion.law import Array

LONGEST = 0.1  # radians, or parts of the mechanism's size
SHORTEST = 1e-10
STRAIGHT = 0.97  # cosine of the largest turn of the tangent in one step
STRAY = 0.1  # of the step: largest correction
CLOSE = 1e-6  # curves that come closer than this are taken to cross
MOST_STEPS = 50_000


@dataclass(frozen=True)
class Point:
    """A point of the curve in scaled unknowns, the last of which is λ; its tangent; the sign of det [Φ_u; t]."""

    u: Array
    t: Array
    sign: float


@dataclass(frozen=True)
class Passed:
    """What lies on the way: "step", "limit", "change" (two curves cross), "level" (λ at a value asked for),
    "knot" (many curves meet: not followed further), "stuck"."""

    kind: str
    point: Point
    level: int = 0


Equations = Callable[[Array], tuple[Array, Array]]  # u → Φ and Φ_u, one column more than rows
Levels = Callable[[float, float], list[tuple[int, float]]]  # levels between two values of λ: number and value


class Curve:
    """A curve given by its equations; `tolerance` is the largest |Φ| that counts as zero."""

    def __init__(self, equations: Equations, tolerance: float) -> None:
        self._equations, self._tolerance = equations, tolerance

    def start(self, u: Array) -> Point:
        """The point at u, looking along increasing λ."""
        _, slope = self._equations(u)
        t = np.linalg.svd(slope)[2][-1]
        t = t if t[-1] > 0 else -t
        return Point(u, t, float(np.linalg.slogdet(np.vstack([slope, t]))[0]))

    def back(self, point: Point) -> Point:
        """The same point looking the other way."""
        return Point(point.u, -point.t, -point.sign)

    def step(self, point: Point, h: float) -> Point | None:
        """The point a step h along the tangent, corrected; None if Newton does not settle close by."""
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
            if np.max(np.abs(change)) < 1e-12 * (1 + np.max(np.abs(u))):
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
        t = np.asarray(along / np.linalg.norm(along), float)
        return Point(u, t, float(np.linalg.slogdet(np.vstack([slope, t]))[0]))

    def follow(self, start: Point, levels: Levels, longest: Callable[[Array], float]) -> Iterator[Passed]:
        """What is passed on the way from a point, in order; ends where the curve cannot be followed further."""
        point, h = start, 0.1 * LONGEST
        for _ in range(MOST_STEPS):
            inside, after = self._taken(point, h, levels)
            if after is None:
                h /= 4
                if h < SHORTEST:
                    break
                continue
            for passed in inside:
                yield passed
                if passed.kind == "knot":
                    return
            yield Passed("step", after)
            point, h = after, min(1.5 * h, LONGEST * longest(after.u))
        yield Passed("knot" if self._is_knot(point, 1e-3) else "stuck", point)

    def _taken(self, point: Point, h: float, levels: Levels) -> tuple[list[Passed], Point | None]:
        """What one step passes and where it ends; no end where it strays or jumps to a neighbouring curve."""
        after = self.step(point, h)
        if after is None or not _near(point, after, h):
            return [], None
        try:
            inside = list(self._between(point, after, h, levels))
        except LostCurve:
            return [], None
        if after.sign != point.sign:
            crossing = self._change_point(point, h)
            if crossing is None:
                return [], None
            inside.append(Passed("change", crossing))
        knots = [p for p in inside if p.kind in ("limit", "change") and self._is_knot(p.point, 1e-5)]
        return ([Passed("knot", knots[0].point)] if knots else inside), after

    def _is_knot(self, point: Point, small: float) -> bool:
        """Whether Φ_u loses two ranks or more: then more than two curves meet, or whole families of positions."""
        values = np.linalg.svd(self._equations(point.u)[1], compute_uv=False)
        return bool(len(values) > 1 and values[-2] < small * values[0])

    def _change_point(self, point: Point, h: float) -> Point | None:
        """The point within the step where the sign changes, if the curve goes straight through it."""
        low, high = 0.0, h
        while high - low > 0.01 * CLOSE * min(h, 1.0):
            middle = 0.5 * (low + high)
            there = self.step(point, middle)
            if there is None:
                break
            low, high = (middle, high) if there.sign == point.sign else (low, middle)
        before, after = (self.step(point, low + side * CLOSE) for side in (-1, 1))
        if before is None or after is None or not float(before.t @ after.t) > 0.99:
            return None
        gap = float(np.linalg.norm(after.u - before.u))
        return Point((before.u + after.u) / 2, before.t, 0.0) if gap < 3 * CLOSE else None

    def _between(self, point: Point, after: Point, h: float, levels: Levels) -> Iterator[Passed]:
        """Limit positions and levels inside one step."""
        ends = [(0.0, point), (h, after)]
        if point.t[-1] * after.t[-1] < 0:
            limit = self._zero(point, 0.0, h, lambda p: float(p.t[-1]))
            ends.insert(1, limit)
        for (a, first), (b, second) in pairwise(ends):
            found = levels(float(first.u[-1]), float(second.u[-1]))
            for number, value in found if first.u[-1] < second.u[-1] else found[::-1]:
                yield Passed("level", self._zero(point, a, b, lambda p, v=value: float(p.u[-1]) - v)[1], number)  # type: ignore[misc]
            if len(ends) == 3 and first is point:
                yield Passed("limit", second)

    def _zero(self, point: Point, low: float, high: float, of: Callable[[Point], float]) -> tuple[float, Point]:
        """Where a quantity vanishes between two step lengths: regula falsi with halving (Illinois)."""
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

    def _sure(self, point: Point, h: float) -> Point:
        """The point at a step, or close beside it where curves cross just there and Newton finds no direction."""
        for aside in (0.0, 1e-8, -1e-8, 1e-7, -1e-7, CLOSE, -CLOSE):
            there = point if h + aside == 0 else self.step(point, h + aside)
            if there is not None:
                return there
        raise LostCurve


class LostCurve(Exception):
    """The curve could not be followed."""


def _near(point: Point, after: Point, h: float) -> bool:
    stray = float(np.linalg.norm(after.u - point.u - h * point.t))
    return bool(stray < STRAY * h and float(point.t @ after.t) > STRAIGHT)
