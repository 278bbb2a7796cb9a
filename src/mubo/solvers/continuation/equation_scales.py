"""Equations made comparable whatever the units, and sizes of gaps and rates in words.

An equation holds a length or an angle. Lengths are counted in sizes of the mechanism, angles in radians; what is
smallest then is smallest in millimetres and in metres, and however the drawing is turned or shifted.
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
    """Of every equation: whether it holds an angle, and the factor that makes its Φ a number without unit."""

    turning: Flags
    weight: Array
    radians: Array  # of an equation of angles: Φ per radian, the pitch radius in one of gears

    @staticmethod
    def of(form: Absolute) -> EquationScales:
        """By the partial derivatives at the estimates: an equation of angles has none to a position."""
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
    """How far an element stays open, or its ends move apart: a length and an angle (in radians), or their rates."""

    length: float
    angle: float
    order: int = 0  # 1 and 2 for velocity and acceleration

    def words(self, units: Units) -> str:
        """ "0.3 m", "0.3 m and 12 deg"; the smaller part is left out where it is nothing beside the other."""
        parts = [("length", self.length), ("angle", self.angle)]
        told = [
            format_amount(value, holds, units, self.order)
            for holds, value in parts
            if value > 1e-9 * max(self.size, 1.0)
        ]
        return " and ".join(told) or format_amount(self.size, "length", units, self.order)

    @property
    def size(self) -> float:
        """The length, or the angle where there is no length."""
        return self.length or self.angle


def closure_gap(form: Absolute, scales: EquationScales, phi: Array, owner: str, order: int = 0) -> ClosureGap:
    """The gap of one element: the distance between its points, and the largest of its angles."""
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
    """ "0.3 m", "12 deg", "0.1 rad/s"; a length has no unit where the model declares none."""
    unit = units.of(holds, order) or ("rad" + ("", "/s", "/s^2")[order] if holds == "angle" else "")
    shown = value / units.angle_factor() if holds == "angle" else value
    return f"{shown + 0.0:.6g} {unit}".rstrip()


def equations_owned_by(equations: Iterable[Equation], owners: Iterable[str]) -> Flags:
    """Which equations belong to the named elements."""
    wanted = set(owners)
    return np.array([equation.owner in wanted for equation in equations], bool)
