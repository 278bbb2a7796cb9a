"""Linearise: small motions of a mechanism about an equilibrium, a position or a steady motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.analyses.linearize.linearization import Linearization
from mubo.analyses.linearize.reference import ABOUT, reference
from mubo.analyses.statics.statics import released
from mubo.arrays import Array
from mubo.errors import ModelError, RedundancyError, nearest
from mubo.mechanism import mechanism_of
from mubo.mechanism.wording import join_words
from mubo.model import Builder, Initial, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names, holds_of
from mubo.numerics.vibration_modes import undamped_modes, vibration_modes
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, singular_only_here
from mubo.solvers.dynamics.consistent_initialisation import as_said, with_held
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.solvers.linear.friction import without_coulomb
from mubo.solvers.linear.input_output import column_slopes, load_effects
from mubo.solvers.linear.massless_motion import inertia_notes
from mubo.solvers.linear.matrices import Reduced
from mubo.solvers.linear.mode_animation import Shown
from mubo.studies.motion import LinearizeOptions


def linearize(
    model: ModelDefinition,
    time: float = 0.0,
    *,
    about: str = "equilibrium",
    equilibrium: int | None = None,
    release: Sequence[str] = (),
    dofs: Sequence[str] = (),
    tolerance: float = 0.0,
) -> Linearization:
    """Small motions `about` an "equilibrium" (the nearest to the start, as drawn or where [initial] says, or one by the
    number that statics give it), the "position" at the start or a "steady" motion, with the drivers where they are at a
    `time`; those of `release` let go there, in a steady motion at the rate they had. `dofs` are the coordinates to
    take first."""
    _require_sense(model, about, equilibrium)
    begins = bool(model.initial_joints or model.initial_bodies)
    start, estimated = _initial_position(model, time, tolerance) if release or begins else (None, [])
    notes, model = without_coulomb(_let_go(model, release, time, about), about)
    gravity_of(model)
    look = _looked(model, time, tolerance)
    found = reference(look, look.assembly.q if start is None else start, about, equilibrium, dofs, begins)
    small = found.reduced
    extra = (*notes, *estimated, *found.notes, *look.notes)
    return _linearization(model, small, found.words, extra, lambda *asked: Shown(look, small).run(*asked))


def _linearization(
    model: ModelDefinition, small: Reduced, words: str, notes: tuple[str, ...], shown: Callable[..., Run]
) -> Linearization:
    """The equations of small motions with their modes, loads and columns under their names."""
    near, parts, slopes = small.near, (small.M, small.C, small.K), column_slopes(small)
    units = slopes.units | {one.name: _unit_of(model, one.holds) for one in near.coordinates}
    return Linearization(
        model=model.name,
        about=words,
        time=near.rest.time,
        dofs=tuple(one.name for one in near.coordinates),
        values=near.values,
        rates=near.rates,
        **dict(zip("MCK", parts, strict=True)),
        modes=vibration_modes(*parts, near.sizes),
        undamped=undamped_modes(*parts, near.sizes),
        loads=load_effects(near),
        columns=slopes.of,
        angle_factors=slopes.factors,
        units=units | {"time": model.units.time, "angle": model.units.angle},
        shown=shown,
        notes=(*notes, *inertia_notes(near), *slopes.notes),
    )


def _require_sense(model: ModelDefinition, about: str, equilibrium: int | None) -> None:
    if about not in ABOUT:
        raise ModelError(f'small motions are about {", ".join(ABOUT)}; found "{about}". {nearest(about, ABOUT)}')
    if equilibrium is not None and about != "equilibrium":
        raise ModelError(f"the number of an equilibrium is for small motions about one, not about a {about}")


def _looked(model: ModelDefinition, time: float, tolerance: float) -> StartAnalysis:
    """The first look at a mechanism with degrees of freedom."""
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
    """The position before drivers let go, where [initial] puts the mechanism. What joints and drivers do not allow of
    it is an estimate, as in kinematics, and reported."""
    held, notes = analyse_start(with_held(as_said(model), time), time, tolerance), []
    if not held.closed:
        held = analyse_start(model, time, tolerance)
        names = [*model.initial_joints, *model.initial_bodies]
        notes = [f"[initial] of {join_words(names)}: joints and drivers do not allow it exactly: taken as an estimate"]
    if not held.closed or held.reversed:
        raise undetermined_motion_error(held, time)
    return held.assembly.q, notes


def _unit_of(model: ModelDefinition, holds: str) -> str:
    return "rad" if holds == "angle" else model.units.length


def _let_go(model: ModelDefinition, release: Sequence[str], time: float, about: str) -> ModelDefinition:
    """The model without some drivers; in a steady motion what they drove keeps its rate."""
    free = released(model, release)
    if about != "steady" or not release:
        return free
    motion = mechanism_of(model).motion(np.array([time]))[0]
    rates: dict[str, Array] = {}
    for k, (name, driver) in enumerate(model.drivers.items()):
        if name not in release or not motion[3 * k + 1]:
            continue
        target = target_of(model, driver.of)
        joint = target.joint or _joint_of(model, driver.of)
        if not joint:
            raise ModelError(
                f"driver {name} drives no joint, so that a steady motion cannot keep its rate when it lets go",
                names=[name],
                suggestion="Drive the joint itself, or give [initial] of a joint with v.",
            )
        wide = len(holds_of(model, model.joints[joint], True))
        rates.setdefault(joint, np.zeros(wide))[target.number] = motion[3 * k + 1]
    given = {joint: Initial(joint, (), tuple(map(float, v))) for joint, v in rates.items()}
    return free.changed(initial_joints={**free.initial_joints, **given})


def _joint_of(model: ModelDefinition, of: object) -> str:
    """The joint that a driver names, where its target does not say."""
    name = str(of).partition(".")[0]
    return name if name in model.joints and coordinate_names(model, model.joints[name]) else ""


def answer_linearize(definition: ModelDefinition, asked: LinearizeOptions) -> Linearization:
    """Answers the study `linearize`: drivers are put at the values asked for."""
    model = Builder.of(definition)
    for name, value in (asked.at or {}).items():
        if name not in model.drivers:
            raise ModelError(f'there is no driver "{name}". {nearest(name, model.drivers)}', names=[name])
        model = model.replace(name, value)
    if asked.tolerance is not None and not asked.tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {asked.tolerance:g}")
    return linearize(
        model.build(),
        float(asked.start or 0.0),
        about=asked.about,
        equilibrium=asked.equilibrium,
        release=asked.free,
        dofs=asked.dofs,
        tolerance=asked.tolerance or 0.0,
    )
