"""Named loads in absolute coordinates: between numbered bodies, along turns, slides and distances of them."""

from __future__ import annotations

import math

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array, Integers
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.joint_frames import joint_motion
from mubo.mechanism.loads import KINDS, SMOOTHING, NamedLoad
from mubo.mechanism.mechanism import Mechanism
from mubo.model.coordinates import axis_of, coordinate_names, reported_dofs

NUMBERS = {dimension: {name: k for k, (name, *_) in enumerate(kinds)} for dimension, kinds in KINDS.items()}
SETS = {2: _core.PlaneLoads, 3: _core.SpaceLoads}


@dataclass(frozen=True)
class AbsoluteLoads:
    """The core's loads of a mechanism, in the order of its forces, and the angles it needs with a motion."""

    loads: tuple[NamedLoad, ...]
    core: _core.PlaneLoads | _core.SpaceLoads
    fixed: Array  # poses of the fixed bodies
    near: tuple[str, ...]  # the column of the angle that a load in space acts along; empty for others
    bodies: Integers  # loads × 2: the numbers of the bodies, the same twice where it acts on one

    @property
    def with_law(self) -> tuple[NamedLoad, ...]:
        """Loads whose formula has a law, in the order of the laws' values."""
        return tuple(load for load in self.loads if load.has_law)


@dataclass(frozen=True)
class LoadAction:
    """Action of a load: its kind, its bodies, its numbers, and the column of its coordinate."""

    along: Along
    bodies: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    column: str = ""


def absolute_loads(
    mechanism: Mechanism, prescribed: bool = True, only: tuple[NamedLoad, ...] | None = None
) -> AbsoluteLoads:
    """The loads of a mechanism, or `only` some, for bodies numbered as in absolute coordinates: moving ones, then fixed
    ones.

    Where the motion is `prescribed`, friction has the exact sign of its rate, whatever smooths it elsewhere."""
    loads = mechanism.loads if only is None else only
    number = {name: k for k, name in enumerate((*mechanism.free, *mechanism.fixed))}
    places = [_place(mechanism, load) for load in loads]
    laws = np.cumsum([load.has_law for load in loads]) - 1
    bodies = [[number[place.bodies[0]], number[place.bodies[-1]]] for place in places]
    numbers = [
        x for load, place in zip(loads, places, strict=True) for x in (*place.numbers, *_own_numbers(load, prescribed))
    ]
    kinds = NUMBERS[mechanism.dimension]
    core = SETS[mechanism.dimension](
        np.array([kinds[load.formula] for load in loads], np.int32),
        np.array([place.along for place in places], np.int32),
        np.array(bodies, np.int32).reshape(-1, 2),
        np.where([load.has_law for load in loads], laws, -1).astype(np.int32),
        np.array(numbers, float),
    )
    fixed = np.array([mechanism.poses[name] for name in mechanism.fixed]).reshape(-1, len(mechanism.ambient.pose))
    of = np.array(bodies, np.int32).reshape(-1, 2)
    return AbsoluteLoads(loads, core, fixed, tuple(place.column for place in places), of)


def _own_numbers(load: NamedLoad, prescribed: bool) -> list[float]:
    """Numbers of the formula of a load, in the axes of the bodies."""
    return [
        0.0 if prescribed and carried == SMOOTHING else value for carried, _, values in load.numbers for value in values
    ]


def action_along_joint(mechanism: Mechanism, who: str, name: str, number: int) -> LoadAction:
    """Action along a coordinate of a joint, between its bodies. `who` names the element in messages."""
    if mechanism.dimension == 2:
        return _in_plane(mechanism, name, number)
    return action_in_space(mechanism, who, name, number)


def _place(mechanism: Mechanism, load: NamedLoad) -> LoadAction:
    if load.coordinate is not None:
        return action_along_joint(mechanism, f"force {load.name}", *load.coordinate)
    bodies = tuple(body for body, _ in load.ends)
    points = tuple(x for _, at in load.ends for x in at) if load.along is Along.distance else ()
    return LoadAction(load.along, bodies, points)


def _in_plane(mechanism: Mechanism, name: str, number: int) -> LoadAction:
    """Action along the angle of a planar joint, or along its axis."""
    model = mechanism.model
    joint = model.joints[name]
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    if reported_dofs(model, joint)[number].kind == "turn":
        return LoadAction(Along.turn, (first, second))
    axis = np.array(axis_of(model, joint)) / math.hypot(*axis_of(model, joint))
    return LoadAction(Along.slide, (first, second), (*at, *axis.tolist(), *on))


def action_in_space(mechanism: Mechanism, who: str, name: str, number: int) -> LoadAction:
    """Action along a slide or about a rotation of a spatial joint; a screw is turned. `who` names the element in
    messages."""
    model = mechanism.model
    joint = model.joints[name]
    names = coordinate_names(model, joint)
    arm, own = divmod(number, len(names) // len(joint.arms))
    stack = joint_motion(model, joint.arms[arm])
    dofs = [k for k, dof in enumerate(stack.dofs) for _ in dof.q]
    if any(dof.kind == "ball" for dof in stack.dofs[: dofs[own] + 1]):
        raise ModelError(
            f'{model.where}{who}: joint "{name}" turns about a ball, whose coordinates take no load',
            names=[who.partition(" ")[2], name],
            suggestion="Use a torque_between its bodies, a spring between points, or joints of one coordinate each.",
        )
    dof = stack.dofs[dofs[own]]
    if dof.kind == "slide":
        along = stack.F[:, "xyz".index(dof.axis)]
        return LoadAction(Along.slide, (stack.first, stack.second), (*stack.at, *along, *stack.on))
    swapped, base, toward, end = stack.measured_by(dofs[own])
    bodies = (stack.second, stack.first) if swapped else (stack.first, stack.second)
    return LoadAction(Along.turn, bodies, (*base, *toward, *end), f"{name}.{names[number]}")
