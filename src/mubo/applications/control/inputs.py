"""Inputs of a simulation: loads whose size is set, and drivers that are left free and become efforts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mubo.elements import Element, loads_of
from mubo.errors import ModelError, nearest
from mubo.laws import Law, Polynomial
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Driver, Force, Initial, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names, planar_dof, size_holds

EFFORT = "effort"  # the core's formula of what acts along a coordinate of a joint


@dataclass(frozen=True)
class Input:
    """A force of the model whose size is set; `sign` −1 where its coordinate runs against that of its driver."""

    name: str
    option: str  # of the force: the one that holds its law
    rest: float  # its size before it is set
    sign: float = 1.0
    unit: float = 1.0  # of its size, in coherent units


@dataclass(frozen=True)
class ControlledModel:
    """A model with its inputs by name."""

    model: ModelDefinition
    inputs: Mapping[str, Input]

    def with_inputs(self, values: Mapping[str, float]) -> ModelDefinition:
        """The model with every input at its value."""
        forces = dict(self.model.forces)
        for name, one in self.inputs.items():
            law = Polynomial((one.sign * values[name],))
            forces[name] = replace(forces[name], options={**forces[name].options, one.option: law})
        return self.model.changed(forces=forces)


def possible_inputs(model: ModelDefinition) -> list[str]:
    """Names of what can be an input: loads whose size is a law, and drivers."""
    return [*(name for name, force in model.forces.items() if _law_option(model, force)), *model.drivers]


def controlled_model(model: ModelDefinition, names: Sequence[str], t: float) -> ControlledModel:
    """The model with its inputs; drivers among them become efforts, and start with their value and rate at t."""
    known = possible_inputs(model)
    inputs: dict[str, Input] = {}
    for name in names:
        if name in inputs:
            raise ModelError(f'the input "{name}" is named twice', names=[name])
        if name in model.drivers:
            model, inputs[name] = _driver_input(model, model.drivers[name], t)
            continue
        if name not in model.forces or not _law_option(model, model.forces[name]):
            what = "has no size to set" if name in model.forces else "is no load or driver"
            hint = nearest(name, known) if known else "The model has none; add a force such as a joint effort."
            raise ModelError(f'the input "{name}" {what}. {hint}', names=[name])
        inputs[name] = _force_input(model, model.forces[name], t)
    return ControlledModel(model, inputs)


def _law_option(model: ModelDefinition, force: Force) -> str:
    """The option that holds the size of a load, "" where it has none."""
    formula = loads_of(model.dimension)[force.kind].formula
    return formula.law if formula is not None and formula.law and not formula.smooths else ""


def _force_input(model: ModelDefinition, force: Force, t: float) -> Input:
    option = _law_option(model, force)
    law = force.options.get(option)
    rest = float(law(np.array([t]))[0, 0]) if isinstance(law, Law) else 0.0
    return Input(force.name, option, rest, unit=model.units.factor(size_holds(model, force)))


def _driver_input(model: ModelDefinition, driver: Driver, t: float) -> tuple[ModelDefinition, Input]:
    """The model with an effort along the coordinate that the driver had moved."""
    if driver.name in model.forces:
        raise ModelError(f'a driver and a force are both called "{driver.name}"', names=[driver.name])
    joint, coordinate, sign = _coordinate(model, driver)
    kind = _effort(model)
    drivers = {name: one for name, one in model.drivers.items() if name != driver.name}
    force = Force(driver.name, kind.name, (coordinate,), {kind.formula.law: Polynomial((0.0,))})
    initial = dict(model.initial_joints)
    names = coordinate_names(model, model.joints[joint])
    if len(names) == 1 and not driver.start:
        value, rate, _ = driver.motion(np.array([t]))[0]
        turn = model.units.angle_factor() if target_of(model, driver.of).holds == "angle" else 1.0
        initial[joint] = Initial(joint, (sign * value * turn,), (sign * rate * turn,))
    model = model.changed(drivers=drivers, forces={**model.forces, driver.name: force}, initial_joints=initial)
    return model, Input(driver.name, kind.formula.law, 0.0, sign, model.units.factor(size_holds(model, force)))


def _effort(model: ModelDefinition) -> Element:
    """The load along a coordinate of a joint, by its formula."""
    found = [e for e in loads_of(model.dimension).values() if e.key == "of" and e.formula.name == EFFORT]
    return next(element for element in found if element.formula.law and not element.formula.smooths)


def _coordinate(model: ModelDefinition, driver: Driver) -> tuple[str, str, float]:
    """The joint, its coordinate, and the sense of a driver against it; raises where no joint has it."""
    target = target_of(model, driver.of)
    if target.joint:
        names = coordinate_names(model, model.joints[target.joint])
        if len(names) == 1:
            return target.joint, target.joint, 1.0
        return target.joint, f"{target.joint}.{names[target.number]}", 1.0
    for name, sense in _pins(model, target.bodies[0] if target.picked == "phi" else ""):
        return name, name, sense
    raise ModelError(
        f"driver {driver.name} cannot be an input: {driver.of} is no coordinate of a joint",
        names=[driver.name],
        suggestion="Drive the joint instead, or add a force at the point and make that the input.",
    )


def _pins(model: ModelDefinition, body: str) -> Iterator[tuple[str, float]]:
    """Joints about which a body of the plane turns on the ground, and in which sense they count."""
    for name, joint in model.joints.items():
        dof = planar_dof(model, model.joints[name]) if model.dimension == 2 and body else None
        ends = [end.partition(".")[0] for end in joint.between]
        if dof is not None and dof.kind == "turn" and set(ends) == {GROUND, body}:
            yield name, 1.0 if ends[0] == GROUND else -1.0
