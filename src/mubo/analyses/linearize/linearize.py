"""Linearised motion of a mechanism about an equilibrium, a position or a steady motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.analyses.linearize.linearization import Linearization
from mubo.analyses.linearize.reference import ABOUT, reference
from mubo.analyses.statics.statics import without_drivers
from mubo.arrays import Array
from mubo.errors import ModelError, RedundancyError, nearest
from mubo.mechanism import mechanism_of
from mubo.mechanism.rows import join_words
from mubo.model import Builder, Initial, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names, holds_of
from mubo.numerics.vibration_modes import undamped_modes, vibration_modes
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, singular_only_here
from mubo.solvers.dynamics.consistent_initialisation import place_initial_bodies, with_initial_drivers
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.solvers.linear.input_output import column_sensitivities, load_effects
from mubo.solvers.linear.matrices import LinearMatrices
from mubo.solvers.linear.mode_animation import ModeAnimation
from mubo.solvers.linear.prerequisites import inertia_notes, without_coulomb
from mubo.studies.motion import LinearizeOptions


def linearize(
    model: ModelDefinition,
    time: float = 0.0,
    *,
    about: str = "equilibrium",
    equilibrium: int | None = None,
    free: Sequence[str] = (),
    dofs: Sequence[str] = (),
    tolerance: float = 0.0,
) -> Linearization:
    """Linearised motion `about` an "equilibrium" (the nearest to the start, as drawn or given by [initial], or one by
    the number that statics give it), the "position" at the start or a "steady" motion, with the drivers at their values
    of a `time`. Drivers of `free` are left undriven; in a steady motion their coordinates keep the rate they had.
    `dofs` are the coordinates to take first."""
    _require_reference(model, about, equilibrium)
    begins = bool(model.initial_joints or model.initial_bodies)
    start, estimated = _initial_position(model, time, tolerance) if free or begins else (None, [])
    notes, model = without_coulomb(_undriven_model(model, free, time, about), about)
    gravity_of(model)
    look = _analyse_free_start(model, time, tolerance)
    found = reference(look, look.assembly.q if start is None else start, about, equilibrium, dofs, begins)
    small = found.reduced
    extra = (*notes, *estimated, *found.notes, *look.notes)
    return _linearization(model, small, found.description, extra, lambda *asked: ModeAnimation(look, small).run(*asked))


def _linearization(
    model: ModelDefinition, small: LinearMatrices, about: str, notes: tuple[str, ...], mode_motion: Callable[..., Run]
) -> Linearization:
    """The linearised equations with their modes, loads and columns under their names."""
    near, parts, derivatives = small.reduced, (small.M, small.C, small.K), column_sensitivities(small)
    units = derivatives.units | {one.name: _unit_of(model, one.holds) for one in near.coordinates}
    return Linearization(
        model=model.name,
        about=about,
        time=near.problem.time,
        dofs=tuple(one.name for one in near.coordinates),
        values=near.values,
        rates=near.rates,
        **dict(zip("MCK", parts, strict=True)),
        modes=vibration_modes(*parts, near.sizes),
        undamped=undamped_modes(*parts, near.sizes),
        loads=load_effects(near),
        columns=derivatives.by_column,
        factors=derivatives.factors,
        effort_factors=derivatives.effort_factors,
        units=units | {"time": model.units.time, "angle": model.units.angle},
        mode_motion=mode_motion,
        notes=(*notes, *inertia_notes(near), *derivatives.notes),
    )


def _require_reference(model: ModelDefinition, about: str, equilibrium: int | None) -> None:
    if about not in ABOUT:
        raise ModelError(f'a linearisation is about {", ".join(ABOUT)}; found "{about}". {nearest(about, ABOUT)}')
    if equilibrium is not None and about != "equilibrium":
        raise ModelError(f"the number of an equilibrium is given, but the linearisation is about a {about}")


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


def _initial_position(model: ModelDefinition, time: float, tolerance: float) -> tuple[Array, list[str]]:
    """The position with all drivers that [initial] gives. Values that joints and drivers do not allow are estimates,
    as in kinematics, and noted."""
    start, notes = analyse_start(with_initial_drivers(place_initial_bodies(model), time), time, tolerance), []
    if not start.closed:
        start = analyse_start(model, time, tolerance)
        names = [*model.initial_joints, *model.initial_bodies]
        notes = [f"[initial] of {join_words(names)}: joints and drivers do not allow it exactly: taken as an estimate"]
    if not start.closed or start.reversed:
        raise undetermined_motion_error(start, time)
    return start.assembly.q, notes


def _unit_of(model: ModelDefinition, holds: str) -> str:
    return "rad" if holds == "angle" else model.units.length


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


def answer_linearize(definition: ModelDefinition, asked: LinearizeOptions) -> Linearization:
    """Answers the study `linearize`: drivers are put at the values asked for."""
    model = Builder.from_definition(definition)
    for name, value in (asked.at or {}).items():
        if name not in model.drivers:
            raise ModelError(f'there is no driver "{name}". {nearest(name, model.drivers)}', names=[name])
        model = model.replace(name, value)
    if asked.tolerance is not None and not asked.tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {asked.tolerance:g}")
    return linearize(
        model.build(),
        definition.start_time if asked.start is None else float(asked.start),
        about=asked.about,
        equilibrium=asked.equilibrium,
        free=asked.free,
        dofs=asked.dofs,
        tolerance=asked.tolerance or 0.0,
    )
