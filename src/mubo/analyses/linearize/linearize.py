"""Linearised motion of a mechanism about an equilibrium, a position or a steady motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.analyses.linearize.linearization import Linearization
from mubo.analyses.linearize.reference import ABOUT, acceleration_notes, describe_position, reference
from mubo.analyses.linearize.start import Asked, LinearStart, TreeStart, linear_start, tree_start
from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import Builder, Initial, ModelDefinition
from mubo.model.contacts import refuse_contacts
from mubo.model.coordinates import coordinate_names
from mubo.model.initial import initial_of_joint
from mubo.note import Note
from mubo.results import Run
from mubo.solvers.linear.input_output import input_output, measure_notes
from mubo.solvers.linear.matrices import LinearMatrices
from mubo.solvers.linear.mode_animation import ModeAnimation
from mubo.solvers.linear.prerequisites import inertia_notes
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates
from mubo.studies.motion import LinearizeOptions


@dataclass(frozen=True, eq=False)
class _ReferenceQuestion:
    """A linearisation that is asked of a model."""

    model: ModelDefinition
    asked: Asked
    equilibrium: int | None
    joints: Mapping[str, Initial]

    def answer(self) -> tuple[LinearStart, LinearMatrices, str, tuple[Note, ...]]:
        """The linearised equations with their start, a description of their reference, and notes."""
        model, asked = self.model, self.asked
        if self.joints:
            model = model.changed(initial_joints={**model.initial_joints, **self.joints})
        start = linear_start(model, asked)
        freed = [_coordinate(model, name) for name in asked.free]
        found = reference(start.look, start.q, asked.about, self.equilibrium, asked.dofs, start.initial, freed)
        return start, found.reduced, found.description, (*start.notes, *found.notes, *start.look.notes)


def _coordinate(model: ModelDefinition, driver: str) -> str:
    """The column that a driver moves; "" of a length between two points."""
    of = model.drivers[driver].of if driver in model.drivers else ""
    if not isinstance(of, str) or of not in model.joints:
        return of if isinstance(of, str) else ""
    return f"{of}.{coordinate_names(model, model.joints[of])[0]}"


def linearize(
    model: ModelDefinition,
    time: float = 0.0,
    *,
    about: str = "equilibrium",
    equilibrium: int | None = None,
    free: Sequence[str] = (),
    dofs: Sequence[str] = (),
    tolerance: float = 0.0,
    joints: Mapping[str, Initial] | None = None,
) -> Linearization:
    """Linearised motion `about` an "equilibrium" (the nearest to the start, as drawn or given by [initial], or one by
    the number that statics give it), the "position" at the start or a "steady" motion, with the drivers at their values
    of a `time`. Drivers of `free` are left undriven; in a steady motion their coordinates keep the rate they had.
    `dofs` are the coordinates to take first. `joints` start elsewhere than [initial] says."""
    _require_reference(model, about, equilibrium)
    question = _ReferenceQuestion(
        model, Asked(time, about, tuple(free), tuple(dofs), tolerance), equilibrium, joints or {}
    )
    tree = tree_start(model, question.asked)
    if tree is not None:
        return _of_tree(tree, question)
    start, small, description, notes = question.answer()
    return Linearization(
        **_named(small.reduced, small.reduced.values, (small.M, small.C, small.K)),
        about=description,
        find_input_output=lambda: input_output(small),
        mode_motion=lambda *asked: ModeAnimation(start.look, small).run(*asked),
        find_notes=lambda: (*notes, *inertia_notes(small.M, small.reduced.sizes), *measure_notes(small.reduced)),
    )


def _named(near: ReducedCoordinates, values: Array, matrices: Sequence[Array]) -> dict[str, Any]:
    """Degrees of freedom, matrices and units of a linearisation."""
    model = near.problem.form.model
    effort = near.effort
    return {
        "model": model.name,
        "time": near.problem.time,
        "dofs": near.names,
        "values": values,
        "rates": near.rates,
        **{name: matrix / effort for name, matrix in zip("MCK", matrices, strict=True)},
        "sizes": near.sizes,
        "dof_units": near.units,
        "declared": near.declared,
        "radian": model.units.angle_factor(),
        "effort": effort,
    }


def _of_tree(tree: TreeStart, question: _ReferenceQuestion) -> Linearization:
    """Linearised motion of a tree at rest, some of its joints at other positions, by exact derivatives."""
    near, model = tree.near, tree.look.form.model
    moved = {
        f"{name}.{word}": x
        for name, one in question.joints.items()
        for word, x in zip(coordinate_names(model, model.joints[name]), one.q, strict=True)
    }
    values = np.array([moved.get(name, value) for name, value in zip(near.names, near.values.tolist(), strict=True)])
    change, *matrices, rate = tree.equations.matrices(values, near.problem.time, near.sizes, True)

    def motion(*asked: Any) -> Run:
        start, small, *_ = question.answer()
        return ModeAnimation(start.look, small).run(*asked)

    return Linearization(
        **_named(near, values, matrices),
        about=describe_position(tree.initial or bool(moved)),
        find_input_output=lambda: input_output(question.answer()[1]),
        mode_motion=motion,
        find_notes=lambda: (
            *tree.notes,
            *acceleration_notes(near, change, rate),
            *tree.look.notes,
            *inertia_notes(matrices[0], near.sizes),
            *measure_notes(near),
        ),
    )


def _require_reference(model: ModelDefinition, about: str, equilibrium: int | None) -> None:
    if about not in ABOUT:
        raise ModelError(f'a linearisation is about {", ".join(ABOUT)}; found "{about}". {nearest(about, ABOUT)}')
    if equilibrium is not None and about != "equilibrium":
        raise ModelError(f"the number of an equilibrium is given, but the linearisation is about a {about}")


def answer_linearize(definition: ModelDefinition, asked: LinearizeOptions) -> Linearization:
    """Answers the study `linearize`: drivers and joints are put at the values asked for."""
    refuse_contacts(definition, "linearize")
    model, joints = _placed(definition, asked.at or {})
    if asked.tolerance is not None and not asked.tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {asked.tolerance:g}")
    return linearize(
        model,
        definition.start_time if asked.start is None else float(asked.start),
        about=asked.about,
        equilibrium=asked.equilibrium,
        free=asked.free,
        dofs=asked.dofs,
        tolerance=asked.tolerance or 0.0,
        joints=joints,
    )


def _placed(
    definition: ModelDefinition, at: Mapping[str, float | str]
) -> tuple[ModelDefinition, Mapping[str, Initial]]:
    """The model with drivers at their values, and the initial values of joints."""
    drivers = [name for name in at if name in definition.drivers]
    joints = {}
    for name in at:
        if name not in definition.drivers and name not in definition.joints:
            known = [*definition.drivers, *definition.joints]
            raise ModelError(f'there is no driver and no joint "{name}". {nearest(name, known)}', names=[name])
        if name not in definition.drivers:
            joints[name] = initial_of_joint(definition, name, at[name], ())
    if not drivers:
        return definition, joints
    model = Builder.from_definition(definition)
    for name in drivers:
        model = model.replace(name, at[name])
    return model.build(), joints
