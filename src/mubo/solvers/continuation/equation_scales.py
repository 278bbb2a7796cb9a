"""Scales that make equations of lengths and angles comparable, and gaps with their units.

An equation is one of lengths or of angles. Lengths are counted in sizes of the mechanism, angles in radians, so that
the result depends neither on the units nor on the position and orientation of the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.rows import Equation
from mubo.model import Units

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class EquationScales:
    """Kind and scale of every equation: whether it is one of angles, and the factor that makes its Φ dimensionless."""

    turning: Flags
    weight: Array
    radians: Array  # Φ per radian of an equation of angles: the pitch radius for gears

    @staticmethod
    def of_form(form: Absolute) -> EquationScales:
        """Derive the scales from the partial derivatives at the estimates: an equation of angles has none by a
        position."""
        entries = form.system.jacobian_entries(form.estimate, np.zeros(3 * len(form.model.drivers)))
        row, column, value = entries[:, 0].astype(int), entries[:, 1].astype(int), entries[:, 2]
        places = (column % form.width < form.model.dimension) & (value != 0)
        turning = np.bincount(row[places], minlength=len(form.equations)) == 0
        radians = np.ones(len(form.equations))
        if form.model.dimension == 2:
            turns = turning[row]
            largest = np.zeros(len(radians))
            np.maximum.at(largest, row[turns], np.abs(value[turns]))
            radians[largest > 0] = largest[largest > 0]
        return EquationScales(turning, np.where(turning, 1 / radians, form.weight[0]), radians)


@dataclass(frozen=True)
class ClosureGap:
    """Gap of an element that does not close: a length and an angle (in radians), or their rates."""

    length: float
    angle: float
    order: int = 0  # 1 and 2 for velocity and acceleration

    def describe(self, units: Units) -> str:
        """Text such as "0.3 m and 12 deg"; a part that is negligible beside the other is left out."""
        parts = [("length", self.length), ("angle", self.angle)]
        texts = [
            format_amount(value, holds, units, self.order)
            for holds, value in parts
            if value > 1e-9 * max(self.size, 1.0)
        ]
        return " and ".join(texts) or format_amount(self.size, "length", units, self.order)

    @property
    def size(self) -> float:
        """The length of the gap, or its angle where there is no length."""
        return self.length or self.angle


def closure_gap(form: Absolute, scales: EquationScales, phi: Array, owner: str, order: int = 0) -> ClosureGap:
    """Gap of one element: the distance between its points, and the largest of its angles."""
    length, angle, first = 0.0, 0.0, 0
    for row in form.mechanism.rows:
        last = first + len(row.words)
        if row.owner.owner == owner:
            turning = scales.turning[first:last]
            angles = np.abs(phi[first:last] / scales.radians[first:last])
            angle = max(angle, float(np.max(angles[turning], initial=0.0)))
            length = max(length, float(np.linalg.norm(phi[first:last][~turning])))
        first = last
    return ClosureGap(length, angle, order)


def format_amount(value: float, holds: str, units: Units, order: int = 0) -> str:
    """Text such as "0.3 m", "12 deg", "0.1 rad/s"; a length has no unit where the model declares none."""
    unit = units.unit_of(holds, order) or ("rad" + ("", "/s", "/s^2")[order] if holds == "angle" else "")
    shown = value / units.angle_factor() if holds == "angle" else value
    return f"{shown + 0.0:.6g} {unit}".rstrip()


def equations_owned_by(equations: Iterable[Equation], owners: Iterable[str]) -> Flags:
    """Flags of the equations that belong to the named elements."""
    wanted = set(owners)
    return np.array([equation.owner in wanted for equation in equations], bool)
