"""Absolute coordinates: every moving body has (x, y, φ), in space a position and a unit quaternion, as unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mubo import _core
from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.mechanism import Mechanism, decade
from mubo.mechanism.rows import WIDTH, Equation, Values, pack
from mubo.model import ModelDefinition

if TYPE_CHECKING:
    from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads


@dataclass(frozen=True)
class EquationScales:
    """Kind and scale of every equation: whether it is one of angles, and the factor that makes its Φ dimensionless.

    Lengths are counted in sizes of the mechanism, angles in radians, so that what is decided depends neither on the
    units nor on the position and orientation of the mechanism.
    """

    turning: Booleans
    weight: Array
    radians: Array  # Φ per radian of an equation of angles: the pitch radius for gears


@dataclass(frozen=True)
class Absolute:
    """A mechanism in absolute coordinates: the core's system, and the meaning of its numbers."""

    mechanism: Mechanism
    system: _core.System
    estimate: Array  # of the unknowns
    weight: Array  # per unknown: makes lengths comparable with angles
    prescribed: bool = True  # whether its motion is: then friction has the exact sign of its rate

    @property
    def model(self) -> ModelDefinition:
        return self.mechanism.model

    @property
    def free(self) -> tuple[str, ...]:
        return self.mechanism.free

    @property
    def fixed(self) -> tuple[str, ...]:
        return self.mechanism.fixed

    @property
    def equations(self) -> tuple[Equation, ...]:
        return self.mechanism.equations

    @property
    def values(self) -> Mapping[str, Values]:
        return self.mechanism.values

    @cached_property
    def scale(self) -> float:
        """Decade of the size: tolerances on lengths are multiples of it. Far from the origin digits are lost."""
        return self.scale_at(self.estimate)

    def scale_at(self, q: Array) -> float:
        """Decade of the size where the bodies are at q: estimates may be far from where a mechanism closes."""
        dimension, fixed = self.mechanism.dimension, [self.mechanism.poses[name] for name in self.fixed]
        places = np.vstack([q.reshape(-1, self.width)[:, :dimension], *(pose[:dimension] for pose in fixed)])
        return decade(max(self.mechanism.size, 1e-4 * float(np.max(np.abs(places)))))

    @cached_property
    def equation_scales(self) -> EquationScales:
        """Scales from the partial derivatives at the estimates: an equation of angles has none by a position."""
        entries = self.system.jacobian_entries(self.estimate, np.zeros(3 * len(self.model.drivers)))
        row, column, value = entries[:, 0].astype(int), entries[:, 1].astype(int), entries[:, 2]
        places = (column % self.width < self.model.dimension) & (value != 0)
        turning = np.bincount(row[places], minlength=len(self.equations)) == 0
        radians = np.ones(len(self.equations))
        if self.model.dimension == 2:
            turns = turning[row]
            largest = np.zeros(len(radians))
            np.maximum.at(largest, row[turns], np.abs(value[turns]))
            radians[largest > 0] = largest[largest > 0]
        return EquationScales(turning, np.where(turning, 1 / radians, self.weight[0]), radians)

    @property
    def width(self) -> int:
        """Unknowns of a body: x, y, φ; in space position and quaternion."""
        return WIDTH[self.mechanism.dimension]

    @property
    def turning(self) -> int:
        """Number of unknowns of a body, the last ones, that describe its orientation."""
        return self.width - self.mechanism.dimension

    @property
    def of_bodies(self) -> int:
        """Number of equations of bodies: unit quaternions. A body in space has six degrees of freedom, not seven."""
        return sum(equation.kind == "body" for equation in self.equations)

    @cached_property
    def loads(self) -> AbsoluteLoads:
        """The loads of the mechanism."""
        from mubo.mechanism.formulations.absolute_loads import absolute_loads

        return absolute_loads(self.mechanism, self.prescribed)

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver: see Mechanism.motion."""
        return self.mechanism.motion(t)


TURN_WEIGHT = {2: 1.0, 3: 2.0}  # a turn moves a quaternion by half its angle


def absolute(mechanism: Mechanism, prescribed: bool = True) -> Absolute:
    """The mechanism in absolute coordinates, for a motion that is prescribed or one that results from forces."""
    dimension, count = mechanism.dimension, len(mechanism.free)
    standing = {name: mechanism.poses[name] for name in mechanism.fixed}
    weights = [1 / mechanism.size] * dimension + [TURN_WEIGHT[dimension]] * (WIDTH[dimension] - dimension)
    return Absolute(
        mechanism=mechanism,
        system=pack(mechanism.rows, dimension, mechanism.free, standing),
        estimate=np.concatenate([mechanism.poses[name] for name in mechanism.free]),
        weight=np.tile(weights, count),
        prescribed=prescribed,
    )
