"""The compiled model: the core's arrays, and what their numbers mean."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.estimates import estimates
from mubo.mechanism.rows import Equation, Packer
from mubo.mechanism.rows_in_space import SpatialPacker
from mubo.mechanism.stack import stack_of
from mubo.model import GROUND, Driver, Model, check, target_of


@dataclass(frozen=True)
class Compiled:
    """A model ready to solve. Between here and the result there are only integers and floats."""

    model: Model
    system: _core.System
    free: tuple[str, ...]  # bodies that own unknowns, in the order of the unknowns
    fixed: tuple[str, ...]
    estimate: Array  # of the unknowns
    equations: tuple[Equation, ...]  # what each equation belongs to
    motion_factors: Array  # radians per model unit for drivers of angles, else 1
    weight: Array  # per unknown: makes lengths comparable with angles
    notes: tuple[str, ...]  # what was taken from the estimates
    values: dict[str, dict[str, list[float]]]  # points and options of every joint as packed
    scale: float  # the decade of the mechanism's size: tolerances on lengths are multiples of it

    @property
    def width(self) -> int:
        """Unknowns of a body: x, y, φ; in space position and quaternion."""
        return 7 if self.model.dimension == 3 else 3

    @property
    def turning(self) -> int:
        """How many of them, the last ones, hold its turn."""
        return 4 if self.model.dimension == 3 else 1

    @property
    def of_bodies(self) -> int:
        """Equations that belong to bodies: unit quaternions. A body in space has six freedoms, not seven."""
        return sum(equation.kind == "body" for equation in self.equations)

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver at the times t: one line per time, three columns per driver."""
        t = np.asarray(t, float)
        out = np.zeros((len(t), 3 * len(self.model.drivers)))
        for k, driver in enumerate(self.model.drivers.values()):
            _require_domain(driver, t)
            out[:, 3 * k : 3 * k + 3] = driver.motion(t) * self.motion_factors[k]
        _require_finite(self.model, t, out)
        return out


def compile_model(model: Model) -> Compiled:
    """Packs every element into the core's arrays, or refuses the model with all its problems."""
    problems = check(model)
    if problems:
        prefix = f"{model.source}: " if model.source else ""
        raise ModelError(
            prefix + "\n".join(str(p) for p in problems),
            names=[p.where[1] for p in problems if len(p.where) > 1],
        )
    anchored = {j.between[0] for j in model.joints.values() if model.kinds[j.kind].anchors} | {GROUND}
    free = tuple(name for name in model.bodies if name not in anchored)
    fixed = tuple(name for name in model.bodies if name in anchored)
    if not free:
        raise ModelError("every body is grounded: nothing can move")
    poses = _estimates(model)
    packer = _packer(model, free, {name: k for k, name in enumerate((*free, *fixed))}, poses)
    for joint in model.joints.values():
        try:
            packer.add_joint(joint)
        except ModelError as error:
            prefix = f"{model.source}: " if model.source else ""
            raise ModelError(f"{prefix}{error}", names=error.names) from None
    for column, driver in enumerate(model.drivers.values()):
        packer.add_driver(driver, column)
    size = max(_lengths(model), default=0.0) or 1.0  # a typical length of the mechanism
    return Compiled(
        model=model,
        system=packer.system(len(free), np.array([poses[name] for name in fixed])),
        free=free,
        fixed=fixed,
        estimate=np.concatenate([poses[name] for name in free]),
        equations=tuple(packer.equations),
        motion_factors=np.array([_motion_factor(model, driver) for driver in model.drivers.values()]),
        weight=np.tile(_weights(model, size), len(free)),
        notes=tuple(packer.notes),
        values=packer.values,
        scale=decade(max(size, 1e-4 * max(abs(x) for pose in poses.values() for x in pose[: model.dimension]))),
    )


def _estimates(model: Model) -> dict[str, Array]:
    if model.dimension == 3:
        try:
            return estimates(model)
        except ModelError as error:
            prefix = f"{model.source}: " if model.source else ""
            raise ModelError(f"{prefix}{error}", names=error.names) from None
    return {name: np.array([*body.position, body.angle]) for name, body in model.bodies.items()}


def _packer(model: Model, free: tuple[str, ...], number: dict[str, int], poses: dict[str, Array]) -> Packer:
    if model.dimension == 2:
        return Packer(model, number, poses)
    packer = SpatialPacker(model, number, poses)
    packer.add_bodies(free)
    return packer


def _motion_factor(model: Model, driver: Driver) -> float:
    """What a driver's row holds per unit of its motion law: a screw is driven by its slide."""
    target = target_of(model, driver.of)
    factor = model.units.angle_factor() if target.holds == "angle" else 1.0
    return (
        factor * stack_of(model, model.joints[target.joint]).advance if target.element.name == "joint_screw" else factor
    )


def _weights(model: Model, size: float) -> list[float]:
    """Lengths by the size of the mechanism; a turn moves a quaternion by half its angle."""
    return [1 / size] * 3 + [2.0] * 4 if model.dimension == 3 else [1 / size, 1 / size, 1.0]


def decade(size: float) -> float:
    """The power of ten at or below a size: 1 for 4, 0.01 for 0.05."""
    return float(10.0 ** math.floor(math.log10(size)))


def _lengths(model: Model) -> Iterator[float]:
    """Distances between points of the same body."""
    for body in model.bodies.values():
        points = list(body.points.values())
        for k, point in enumerate(points):
            yield from (math.dist(point, other) for other in points[:k])


def _require_domain(driver: Driver, t: Array) -> None:
    """A table answers only between its first and last sample."""
    first, last = driver.motion.domain
    slack = 1e-9 * (last - first) if math.isfinite(last - first) else 0.0
    outside = (t < first - slack) | (t > last + slack)
    if np.any(outside):
        at = float(t[np.argmax(outside)])
        raise ModelError(
            f"driver {driver.name}: its data covers t = {first:g} to {last:g}; t = {at:g} is asked for",
            names=[driver.name],
            numbers={"t": at},
            suggestion="Shorten the analysis, or give data for the whole of it.",
        )


def _require_finite(model: Model, t: Array, motion: Array) -> None:
    bad = ~np.isfinite(motion)
    if np.any(bad):
        line, column = np.argwhere(bad)[0]
        name = list(model.drivers)[column // 3]
        what = ("value", "velocity", "acceleration")[column % 3]
        raise ModelError(
            f"driver {name}: its {what} at t = {t[line]:g} is {motion[line, column]}",
            names=[name],
            numbers={"t": float(t[line])},
            suggestion="Look at the motion law at that time.",
        )
