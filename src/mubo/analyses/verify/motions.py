"""Checks of a prescribed motion: other formulations, there and back, half the step, differences of positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mubo.analyses.inverse import inverse
from mubo.analyses.kinematics import kinematics
from mubo.analyses.simulate import simulate
from mubo.analyses.statics.quasi_static import quasi_static
from mubo.analyses.verify.max_difference import MOTION, apart
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.errors import ModelError, MuboError
from mubo.model import GROUND, ModelDefinition
from mubo.results import Run
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.kinematics.reversibility import BACK

SAME = 1e-8  # of the size, a radian, the largest rate or acceleration: what two solutions of one motion may differ by
BY_JOINTS = 1e-7  # the same where one of them is integrated
UNIT_INERTIA = {2: (1.0,), 3: (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)}
TIGHT = 1e-11  # tolerance of that integration
FEW = 30  # bodies: of more, rounding adds up from link to link, and both are by so much larger


def reversibility(subject: Subject) -> Iterator[Check]:
    """Whether the motion comes back to its start: else it has changed its branch somewhere."""
    settings: Settings = subject.run.record.settings
    allowed = settings.same(BACK)
    found = subject.run.summary["there_and_back"]
    yield Check("reversibility", "the first row with where the motion ends that is run backwards", found, allowed)


def second_formulation(subject: Subject) -> Iterator[Check]:
    """Vector loops against absolute coordinates."""
    run, name = subject.run, "second formulation"
    other = "absolute" if run.record.formulation == "loops" else "loops"
    words = {"loops": "by vector loops", "absolute": "in absolute coordinates"}
    what = f"the table with the motion solved {words[other]}"
    try:
        again = _again(run, formulation=other)
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    yield compared(name, what, run, again, _allowed(run, SAME), subject.form.mechanism.size)


def joint_coordinates(subject: Subject) -> Iterator[Check]:
    """The motion as joint coordinates of the spanning tree, integrated with its loops closed."""
    name, what = "joint coordinates", "the table with the motion of the spanning tree, its loops closed as it goes"
    run = subject.run
    try:
        model = _weightless(from_first_row(subject))
        again = simulate(model, *run.record.times, settings=tight(model))
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    if not len(again) or (again.summary["status"] != "ok" and len(again) < 2):
        yield Check(name, what, note=again.events[-1].message if again.events else "it has no rows")
        return
    allowed = _allowed(run, BY_JOINTS * long(model))
    yield compared(name, what, run, again, allowed, subject.form.mechanism.size, ("body", "point"))


def long(model: ModelDefinition) -> float:
    """How many times longer than a few bodies a model is."""
    return max(1.0, len(model.bodies) / FEW)


def tight(model: ModelDefinition) -> SimulationSettings:
    """How a prescribed motion is integrated to be compared."""
    return SimulationSettings(rtol=TIGHT * long(model), atol=TIGHT * long(model))


def half_the_step(subject: Subject) -> Iterator[Check]:
    """The rows must not move where the step and the tolerance are half."""
    run = subject.run
    start, end, step = run.record.times
    what = "the table with the same motion at half the step and half the tolerance"
    again = _again(run, (start, end, step / 2), tolerance=run.record.settings.tolerance / 2)
    size = subject.form.mechanism.size
    yield compared("half the step", what, run, again, _allowed(run, SAME), size, (*MOTION, "vector", "reaction"))


def _again(run: Run, times: tuple[float, float, float] | None = None, **changed: Any) -> Run:
    """The motion solved again with other settings."""
    plain = {"transmission": False, "advantage": "", "progress": lambda done, total: None}
    settings: Settings = replace(run.record.settings, **{**plain, **changed})
    asked, forces = times or run.record.times, run.record.forces
    if forces is None:
        return kinematics(run.model, *asked, settings)
    if run.record.study == "statics":
        return quasi_static(run.model, asked, settings, forces.length_scale)
    return inverse(run.model, *asked, settings, forces.length_scale)


def compared(
    name: str,
    what: str,
    run: Run,
    again: Run,
    allowed: float,
    size: float,
    kinds: tuple[str, ...] = MOTION,
    words: tuple[str, ...] = (),
) -> Check:
    """The check of a table against another one of the same motion."""
    away = apart(run.columns, again.columns, size, kinds, words)
    if not len(away.times):
        return Check(name, what, note="the two have no row in common")
    note = away.where
    if len(away.times) < len(run):
        note += f"; over {len(away.times)} of {len(run)} rows, to t = {away.times[-1]:.6g}"
        if again.events:
            note += f", where the other stops: {again.events[-1].message}"
    if run.events and run.record.settings.branch == "other":
        return Check(name, what, note="the motion takes the other branch at a change point; others take the smooth one")
    return Check(name, what, away.largest, allowed, note)


def _allowed(run: Run, least: float) -> float:
    settings: Settings = run.record.settings
    return max(least, settings.same(1e3, 0.0))


def from_first_row(subject: Subject) -> ModelDefinition:
    """The model drawn where the first row has it, so that it starts there."""
    model, columns = subject.run.model, subject.run.columns
    if not len(subject.t):
        raise ModelError("there is no row to start from")

    def first(name: str, words: str) -> tuple[float, ...]:
        return tuple(float(columns.raw(f"{name}.{word}")[0]) for word in words.split())

    bodies = dict(model.bodies)
    for name, body in model.bodies.items():
        if name != GROUND and model.dimension == 2:
            bodies[name] = replace(body, position=first(name, "x y"), angle=first(name, "phi")[0])
        elif name != GROUND:
            bodies[name] = replace(body, position=first(name, "x y z"), orientation=first(name, "qw qx qy qz"))
    return model.changed(bodies=bodies, initial_joints={}, initial_bodies={}, events={})


def _weightless(model: ModelDefinition) -> ModelDefinition:
    """A unit of mass everywhere and no load: a motion that is prescribed feels none."""
    none, inertia = (0.0,) * model.dimension, UNIT_INERTIA[model.dimension]
    bodies = {
        name: replace(body, mass=1.0, inertia=inertia, center=(), shape=None, added={}, density=None)
        for name, body in model.bodies.items()
        if name != GROUND
    }
    return model.changed(bodies={**model.bodies, **bodies}, forces={}, measures={}, gravity=none)


def first_line(error: MuboError) -> str:
    """The first line of a message: the error, without its fix."""
    return str(error).splitlines()[0]
