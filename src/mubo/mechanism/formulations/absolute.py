"""Absolute coordinates: every moving body has (x, y, φ), in space a position and a unit quaternion, as unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from mubo import _core
from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property, found_once
from mubo.mechanism.lengths import decade
from mubo.mechanism.mechanism import Mechanism
from mubo.mechanism.rows import Equation, Layout, Values, lay_out_rows, pack_numbers
from mubo.model import ModelDefinition

if TYPE_CHECKING:
    from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads
    from mubo.mechanism.formulations.reflected_inertia import ReflectedInertia


@dataclass(frozen=True)
class EquationScales:
    """Kind and scale of every equation: whether it is one of angles, and the factor that makes its Φ dimensionless.

    Lengths are counted in sizes of the mechanism, angles in radians, so that what is decided depends neither on the
    units nor on the position and orientation of the mechanism.
    """

    turning: Booleans
    weight: Array
    radians: Array  # Φ per radian of an equation of angles: the pitch radius for gears
    even: bool  # whether all angles in an equation of angles have factors of one size: whole turns of bodies are none


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

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of every body that has unknowns."""
        return {name: k for k, name in enumerate(self.free)}

    @property
    def equations(self) -> tuple[Equation, ...]:
        return self.mechanism.equations

    @property
    def driver_equations(self) -> list[int]:
        """The numbers of the equations of drivers, the same in every variant."""
        every, kept = self.equations, self.model.structure
        find = lambda: [k for k, equation in enumerate(every) if equation.kind == "driver"]  # noqa: E731
        return found_once(kept, self.mechanism.key("equations of drivers"), find)

    @property
    def values(self) -> Mapping[str, Values]:
        return self.mechanism.values

    @cached_property
    def scale(self) -> float:
        """Decade of the size: tolerances on lengths are multiples of it. Far from the origin digits are lost."""
        return self.scale_at(self.estimate)

    def scale_at(self, q: Array) -> float:
        """Decade of the size where the bodies are at q: estimates may be far from where a mechanism closes."""
        farthest = np.abs(q.reshape(-1, self.width)[:, : self.mechanism.dimension]).max()
        return decade(max(self.mechanism.size, 1e-4 * float(max(farthest, self._farthest_fixed))))

    @cached_property
    def _farthest_fixed(self) -> float:
        """The largest coordinate of the fixed bodies."""
        fixed = [self.mechanism.poses[name][: self.mechanism.dimension] for name in self.fixed]
        return float(np.max(np.abs(fixed)))

    @cached_property
    def estimate_entries(self) -> Array:
        """Equation, unknown and partial derivative of every entry of J at the estimates."""
        return self.system.jacobian_entries(self.estimate, np.zeros(3 * len(self.model.drivers)))

    @cached_property
    def equation_scales(self) -> EquationScales:
        """Scales from the partial derivatives at the estimates: an equation of angles has none by a position."""
        still = np.zeros(3 * len(self.model.drivers))
        of_angles, radians, even = self.system.equation_kinds(self.estimate, still)
        turning = of_angles > 0
        return EquationScales(turning, np.where(turning, 1 / radians, self.weight[0]), radians, even)

    @property
    def width(self) -> int:
        """Unknowns of a body: x, y, φ; in space position and quaternion."""
        return len(self.mechanism.ambient.pose)

    @property
    def turning(self) -> int:
        """Number of unknowns of a body, the last ones, that describe its orientation."""
        return self.width - self.mechanism.dimension

    @property
    def of_bodies(self) -> int:
        """Number of equations of bodies: unit quaternions. A body in space has six degrees of freedom, not seven."""
        return self.mechanism.equation_kinds["body"]

    @cached_property
    def loads(self) -> AbsoluteLoads:
        """The loads of the mechanism."""
        from mubo.mechanism.formulations.absolute_loads import absolute_loads

        return absolute_loads(self.mechanism, self.prescribed)

    @cached_property
    def reflected(self) -> ReflectedInertia | None:
        """Reflected inertias of drives; None where there are none."""
        from mubo.mechanism.formulations.reflected_inertia import reflected_inertias

        return reflected_inertias(self.mechanism)

    def unbalanced_wrenches(self, masses: Array, gravity: Array, states: Array, loads: Array) -> Array:
        """Q − M a of every moving body about its origin, states × displacements: loads, weight and inertia, with the
        reflected inertia of drives."""
        out = np.asarray(self.system.unbalanced_wrenches(masses, gravity, states, loads))
        if self.reflected is None:
            return out
        return out + self.reflected.wrenches(states, out.shape[1] // max(len(self.free), 1))

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver: see Mechanism.motion."""
        return self.mechanism.motion(t)


TURN_WEIGHT = {2: 1.0, 3: 2.0}  # a turn moves a quaternion by half its angle


def absolute(mechanism: Mechanism, prescribed: bool = True) -> Absolute:
    """The mechanism in absolute coordinates, for a motion that is prescribed or one that results from forces."""
    dimension, count = mechanism.dimension, len(mechanism.free)
    standing = {name: mechanism.poses[name] for name in mechanism.fixed}
    weight = np.full((count, len(mechanism.ambient.pose)), TURN_WEIGHT[dimension])
    weight[:, :dimension] = 1 / mechanism.size
    return Absolute(
        mechanism=mechanism,
        system=pack_numbers(mechanism.rows, dimension, _layout(mechanism), count, standing),
        estimate=np.concatenate([mechanism.poses[name] for name in mechanism.free]),
        weight=weight.reshape(-1),
        prescribed=prescribed,
    )


def _layout(mechanism: Mechanism) -> Layout:
    """Kinds and bodies of the rows as the core numbers them, the same in every variant."""
    numbered, kept = (mechanism.dimension, mechanism.free, mechanism.fixed), mechanism.model.structure
    return found_once(kept, mechanism.key("layout"), lambda: lay_out_rows(mechanism.rows, *numbered))
