"""The start of a linearisation: a mechanism with free motions, and the position from which its reference is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mubo.analyses.linearize.reference import reduced_coordinates
from mubo.analyses.statics.equilibria import static_problem
from mubo.analyses.statics.statics import without_drivers
from mubo.arrays import Array
from mubo.errors import ModelError, RedundancyError
from mubo.mechanism import mechanism_of
from mubo.model import Initial, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names, holds_of
from mubo.note import Note
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, singular_only_here
from mubo.solvers.dynamics.consistent_initialisation import place_initial_bodies, with_initial_drivers
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.solvers.linear.joint_matrices import JointEquations, joint_equations
from mubo.solvers.linear.prerequisites import without_coulomb
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates


class Asked(NamedTuple):
    """Options that decide on the start."""

    time: float
    about: str
    free: tuple[str, ...]
    dofs: tuple[str, ...]
    tolerance: float


@dataclass(frozen=True, eq=False)
class LinearStart:
    """A mechanism with free motions, and the position from which its reference is found."""

    look: StartAnalysis
    q: Array
    initial: bool  # whether [initial] says where it is
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class TreeStart(LinearStart):
    """A tree at rest: all of its linearisation that does not depend on the positions of its joints."""

    equations: JointEquations
    near: ReducedCoordinates  # where the model says


def linear_start(model: ModelDefinition, asked: Asked) -> LinearStart:
    """The start of a model; raises where nothing can move or the start is singular."""
    initial = bool(model.initial_joints or model.initial_bodies)
    q, estimated = _initial_position(model, asked.time, asked.tolerance) if asked.free or initial else (None, [])
    notes, free = without_coulomb(_undriven_model(model, asked.free, asked.time, asked.about), asked.about)
    gravity_of(free)
    look = _analyse_free_start(free, asked.time, asked.tolerance)
    return LinearStart(look, look.assembly.q if q is None else q, initial, (*notes, *estimated))


def tree_start(model: ModelDefinition, asked: Asked) -> TreeStart | None:
    """The start of a tree at rest, kept with its model; none where loops close, joints are driven or rotations have no
    coordinate."""
    if asked.about != "position" or any(name not in asked.free for name in model.drivers):
        return None
    kept: dict[Asked, TreeStart | None] = model.derived_values.setdefault("linear starts", {})
    if asked not in kept:
        kept[asked] = None if mechanism_of(model).tree.cut else _analyse_tree(model, asked)
    return kept[asked]


def _analyse_tree(model: ModelDefinition, asked: Asked) -> TreeStart | None:
    start = linear_start(model, asked)
    near = reduced_coordinates(static_problem(start.look, None), start.q, asked.dofs)
    equations = joint_equations(start.look.form.model, near.names)
    if equations is None:
        return None
    return TreeStart(start.look, start.q, start.initial, start.notes, equations, near)


def _analyse_free_start(model: ModelDefinition, time: float, tolerance: float) -> StartAnalysis:
    """The start of a mechanism; raises where it has no undriven degree of freedom or is singular."""
    look = analyse_start(model, time, tolerance)
    if look.closed and not look.reversed and not look.diagnosis.undriven_dofs:
        raise RedundancyError(
            "joints and drivers leave no degree of freedom: nothing can vibrate",
            names=list(model.drivers),
            suggestion="Leave a driver undriven: --free NAME." if model.drivers else "Free a joint.",
        )
    if not look.closed or look.reversed or singular_only_here(look):
        raise undetermined_motion_error(look, time)
    return look


def _initial_position(model: ModelDefinition, time: float, tolerance: float) -> tuple[Array, list[Note]]:
    """The position with all drivers that [initial] gives. Values that joints and drivers do not allow are estimates,
    as in kinematics, and noted."""
    start, notes = analyse_start(with_initial_drivers(place_initial_bodies(model), time), time, tolerance), list[Note]()
    if not start.closed:
        start = analyse_start(model, time, tolerance)
        notes = [Note("linear.initial_is_estimate", names=[*model.initial_joints, *model.initial_bodies])]
    if not start.closed or start.reversed:
        raise undetermined_motion_error(start, time)
    return start.assembly.q, notes


def _undriven_model(model: ModelDefinition, names: Sequence[str], time: float, about: str) -> ModelDefinition:
    """The model without some drivers; in a steady motion the coordinates that they drove keep their rates."""
    free = without_drivers(model, names)
    if about != "steady" or not names:
        return free
    motion = mechanism_of(model).motion(np.array([time]))[0]
    rates: dict[str, Array] = {}
    for k, (name, driver) in enumerate(model.drivers.items()):
        if name not in names or not motion[3 * k + 1]:
            continue
        target = target_of(model, driver.of)
        joint = target.joint or _joint_of(model, driver.of)
        if not joint:
            raise ModelError(
                f"driver {name} drives no joint, so that a steady motion cannot keep its rate without it",
                names=[name],
                suggestion="Drive the joint itself, or give [initial] of a joint with v.",
            )
        wide = len(holds_of(model, model.joints[joint], True))
        rates.setdefault(joint, np.zeros(wide))[target.number] = motion[3 * k + 1]
    given = {joint: Initial(joint, (), tuple(map(float, v))) for joint, v in rates.items()}
    return free.changed(initial_joints={**free.initial_joints, **given})


def _joint_of(model: ModelDefinition, of: object) -> str:
    """The joint that a driver names, where its target has none."""
    name = str(of).partition(".")[0]
    return name if name in model.joints and coordinate_names(model, model.joints[name]) else ""
