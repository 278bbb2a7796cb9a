"""Feasible range of a driver or length: the values at which the mechanism still closes, the other drivers fixed.

Its equation is freed: what is left is a curve, on which the value goes from one limit position to another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import NamedRow
from mubo.model import ModelDefinition, Units, target_of
from mubo.numerics.arc_length import CurvePoint, ImplicitCurve
from mubo.solvers.assembly.assemble import starts_around
from mubo.solvers.assembly.closest_position import OpenMechanism
from mubo.solvers.continuation.linear_algebra import format_amount

CLOSED = 1e-10  # largest gap on the curve, in sizes of the mechanism
MOST_STEPS = 600
MOST_UNKNOWNS = 120
FAR = 30.0  # sizes of the mechanism, or radians: a value that goes farther has no end


@dataclass(frozen=True)
class FeasibleRange:
    """The prescribed value and its feasible range, in radians or lengths; infinite where it has no end."""

    owner: str  # "driver motor", "joint rod"
    holds: str
    asked: float
    low: float
    high: float

    def describe(self, units: Units) -> str:
        """Text such as "driver ram asks for 900 mm and can reach 1038.28 to 1800 mm"."""
        # Six digits: a limit that is rounded to four may lie outside.
        asked, low, high = (
            format_amount(value, self.holds, units, digits=6) for value in (self.asked, self.low, self.high)
        )
        if not np.isfinite(self.high):
            reached = f"{low} and more"
        elif not np.isfinite(self.low):
            reached = f"{high} and less"
        else:
            reached = f"{low.split(' ')[0]} to {high}"
        return f"{self.owner} asks for {asked} and can reach {reached}"


def find_feasible_range(opening: OpenMechanism, equation: int, q: Array) -> FeasibleRange | None:
    """Feasible range of the value that one equation prescribes, from the feasible value nearest to it. None where it
    has no such value, where the rest does not close, or where the prescribed value is feasible."""
    row = _row_of(opening, equation)
    asked = _prescribed_value(row, opening.motion)
    if asked is None or int(np.sum(opening.part.columns)) > MOST_UNKNOWNS:
        return None
    freed = replace(opening, own=np.arange(len(opening.own)) == equation)
    around = chain([[q]], starts_around(opening.form, q))
    nearest = next((at for starts in around if (at := freed.closest(starts)) is not None), None)
    if nearest is None:
        return None
    phi = opening.form.system.phi(nearest, opening.motion)
    if not np.all(np.isfinite(opening.part.dense(opening.form, nearest, opening.motion, phi)[0])):
        return None  # the points of a distance meet: it has no direction there
    walk = _ValueCurve(freed, equation, row, asked, nearest)
    values = [walk.value, *walk.values(walk.start), *walk.values(walk.curve.back(walk.start))]
    holds, factor = _value_kind(opening.form.model, row, opening.form.mechanism.motion_factors)
    far = FAR * walk.unit
    low = min(values) if walk.value - min(values) < far else -np.inf
    high = max(values) if max(values) - walk.value < far else np.inf
    if not low < high or low <= asked <= high:
        return None
    low, high = sorted((low / factor, high / factor))  # a left-handed screw slides against its turn
    return FeasibleRange(row.owner.owner, holds, asked / factor, low, high)


def _row_of(opening: OpenMechanism, equation: int) -> NamedRow:
    owners = [row for row in opening.form.mechanism.rows for _ in row.words]
    return owners[equation]


def _prescribed_value(row: NamedRow, motion: Array) -> float | None:
    """Value that a driver, or an option such as a length, prescribes; it enters its equation with a minus."""
    if row.driver >= 0:
        return float(motion[3 * row.driver])
    constant = row.values.get(row.words[0], ())
    return constant[0] if len(constant) == 1 else None


def _value_kind(model: ModelDefinition, row: NamedRow, factors: Array) -> tuple[str, float]:
    """Kind of the value, and the change of the equation per unit of it: a screw is driven by its slide."""
    if row.driver < 0:
        return "length", 1.0
    holds = target_of(model, list(model.drivers.values())[row.driver].of).holds
    factor = float(factors[row.driver])
    return holds, factor / model.units.angle_factor() if holds == "angle" else factor


class _ValueCurve:
    """Solution curve in scaled unknowns, the last of which is the value."""

    def __init__(self, opening: OpenMechanism, equation: int, row: NamedRow, asked: float, q: Array) -> None:
        self.opening, self.equation, self.row, self.asked, self.q = opening, equation, row, asked, q
        form, self.columns = opening.form, opening.part.columns
        self.unit = 1.0 / float(opening.part.rows[equation])  # of the value: a size of the mechanism, or a radian
        self.value = asked + float(form.system.phi(q, opening.motion)[equation])
        self.curve = ImplicitCurve(self._equations, CLOSED)
        self.start = self.curve.start(np.append(q[self.columns] * form.weight[self.columns], self.value / self.unit))

    def _equations(self, u: Array) -> tuple[Array, Array]:
        o, q, motion = self.opening, self.q.copy(), self.opening.motion
        q[self.columns] = u[:-1] / o.form.weight[self.columns]
        beyond = u[-1] * self.unit - self.asked
        if self.row.driver >= 0:
            motion, beyond = motion.copy(), 0.0
            motion[3 * self.row.driver] = u[-1] * self.unit
        phi = o.form.system.phi(q, motion)
        phi[self.equation] -= beyond
        J, scaled = o.part.dense(o.form, q, motion, phi)
        along = np.where(np.flatnonzero(o.part.rows) == self.equation, -1.0, 0.0)
        return scaled, np.column_stack([J, along])

    def values(self, start: CurvePoint) -> Iterator[float]:
        """Values along the curve, until it is closed, a value has no end or the points of a distance coincide."""
        events = self.curve.follow(start, lambda a, b: [], lambda u: 1.0, self._apart)
        try:
            for count, passed in enumerate(events):
                value = float(passed.point.u[-1] * self.unit)
                yield value
                if count >= MOST_STEPS or abs(value - self.value) >= FAR * self.unit:
                    return
        except np.linalg.LinAlgError:
            return

    def _apart(self, u: Array, v: Array) -> Array:
        """Difference of two points; angles of the plane up to whole revolutions."""
        apart = u - v
        if self.opening.form.model.dimension == 2:
            angles = np.append(np.flatnonzero(self.columns) % 3 == 2, False)
            apart[angles] = np.remainder(apart[angles] + np.pi, 2 * np.pi) - np.pi
        return apart
