"""Pins with room in their holes: a model whose pins may stand off their centres.

The model used: the centre of the pin stands off that of its hole by a vector of the size of the radial clearance, as a
pin does that lies against its hole, in a direction that is fixed in the first body of the joint along the whole motion.
It is the one that counts most (worst case), or any, each as likely (Monte Carlo). Impacts, and a direction that follows
the load along the motion, are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.definition import TABLES
from mubo.model.dependence import at_parameters
from mubo.model.read_parameters import with_parameters
from mubo.model.tolerances import Tolerance


@dataclass(frozen=True)
class ToleranceSource:
    """One source of variation: a tolerance, and the parameters that it moves: one, or the offsets of a pin."""

    tolerance: Tolerance
    parameters: tuple[str, ...]

    @property
    def name(self) -> str:
        """As tables have it: "a", "clearance of B"."""
        return f"clearance of {self.tolerance.name}" if self.tolerance.clearance else self.tolerance.name


def with_sources(model: ModelDefinition, tolerances: list[Tolerance]) -> tuple[ModelDefinition, list[ToleranceSource]]:
    """The model with parameters for the offsets of its pins, all zero, and what moves which parameters."""
    sources = []
    for tolerance in tolerances:
        names: tuple[str, ...] = (tolerance.name,)
        if tolerance.clearance:
            model, names = _loosened(model, tolerance)
        sources.append(ToleranceSource(tolerance, names))
    return model, sources


def _loosened(model: ModelDefinition, tolerance: Tolerance) -> tuple[ModelDefinition, tuple[str, ...]]:
    """The model whose joint has its pin at a point of its own, off the first body's point by new parameters."""
    joint = model.joints[tolerance.name]
    if not any(row.kind == "coincide" for row in model.kinds[joint.kind].rows) or len(joint.between) != 2:
        raise ModelError(
            f"joint {joint.name}: a clearance is that of a pin or ball between two bodies",
            names=[joint.name],
            suggestion="Give the joint that holds two points together.",
        )
    letters = "xyz"[: model.dimension]
    names = tuple(_free(model, f"{joint.name}_{letter}") for letter in letters)
    units = with_parameters(model.units, dict.fromkeys(names, 0.0))
    model = model.changed(**at_parameters(model, units, TABLES))
    joint = model.joints[joint.name]  # with its numbers as they follow the new parameters
    body, point = joint.between[0].split(".")
    held = model.bodies[body]
    offsets = units.parameters.named(names)
    pin = f"{point}_pin_of_{joint.name}"
    at = tuple(place + offsets[name] for place, name in zip(held.points[point], names, strict=True))
    bodies = {**model.bodies, body: replace(held, points={**held.points, pin: at})}
    joints = {**model.joints, joint.name: replace(joint, between=(f"{body}.{pin}", joint.between[1]))}
    return model.changed(bodies=bodies, joints=joints), names


def _free(model: ModelDefinition, name: str) -> str:
    """A name that no parameter, column or driver has."""
    while name in model.parameters or name in model.drivers or name in model.measures:
        name += "_"
    return name
