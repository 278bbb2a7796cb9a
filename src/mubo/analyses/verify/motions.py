"""Checks of a prescribed motion: other formulations, reversibility, half the step, differences of positions.

Differences are central ones of eighth order (Fornberg 1988), Σ c_k (f(t + k h) − f(t − k h)) / h, of positions that are
solved around the rows; those of fourth order estimate their error. No equation of velocities enters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.analyses.inverse import inverse
from mubo.analyses.kinematics import kinematics
from mubo.analyses.simulate import simulate
from mubo.analyses.statics.statics import quasi_static
from mubo.analyses.verify.max_difference import MOTION, max_difference, scales_of
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array, Integers, is_among
from mubo.errors import ModelError, MuboError
from mubo.geometry.rotation import conjugate, product
from mubo.model import GROUND, ModelDefinition
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Run
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.dynamics.settings import SimulationSettings

SAME = 1e-8  # of the size, a radian, the largest rate or acceleration: allowed between two solutions of a motion
BY_JOINTS = 1e-7  # the same where one of them is integrated
UNIT_INERTIA = {2: (1.0,), 3: (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)}
TIGHT = 1e-11  # tolerance of that integration
FEW = 30  # bodies: of more, rounding adds up from link to link, and both are by so much larger
EIGHTH = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
FOURTH = np.array([2 / 3, -1 / 12, 0.0, 0.0])
LOOKS, PART = 25, 64  # rows looked at; h is that part of a step
KINDS = ("body", "point", "driver", "vector")
RATES, WORTH = 1e-6, 1e-8  # of the largest: what may differ, and how sure the differences must be


def second_formulation(subject: Subject) -> Iterator[Check]:
    """Vector loops against absolute coordinates."""
    run, name = subject.run, "second formulation"
    other = "absolute" if run.record.formulation == "loops" else "loops"
    words = {"loops": "by vector loops", "absolute": "in absolute coordinates"}
    what = f"the table with the motion solved {words[other]}"
    try:
        again = _solve_again(run, formulation=other)
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    yield compare_runs(name, what, run, again, _allowed(run, SAME), subject.form.mechanism.size)


def joint_coordinates(subject: Subject) -> Iterator[Check]:
    """The motion as joint coordinates of the spanning tree, integrated with its loops closed."""
    name, what = "joint coordinates", "the table with the motion of the spanning tree, its loops closed as it goes"
    run = subject.run
    try:
        model = _weightless(from_first_row(subject))
        again = simulate(model, run.record.times, tight_settings(model))
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    if not len(again) or (again.summary["status"] != "ok" and len(again) < 2):
        yield Check(name, what, note=again.events[-1].message if again.events else "it has no rows")
        return
    allowed = _allowed(run, BY_JOINTS * length_factor(model))
    yield compare_runs(name, what, run, again, allowed, subject.form.mechanism.size, ("body", "point"))


def length_factor(model: ModelDefinition) -> float:
    """The number of bodies over a few, at least 1."""
    return max(1.0, len(model.bodies) / FEW)


def tight_settings(model: ModelDefinition) -> SimulationSettings:
    """The settings with which a prescribed motion is integrated for a comparison."""
    return SimulationSettings(rtol=TIGHT * length_factor(model), atol=TIGHT * length_factor(model))


def half_the_step(subject: Subject) -> Iterator[Check]:
    """The table against the motion with half the step and half the tolerance."""
    run = subject.run
    what = "the table with the same motion at half the step and half the tolerance"
    again = _solve_again(run, run.record.times.halved(), tolerance=run.record.settings.tolerance / 2)
    size = subject.form.mechanism.size
    yield compare_runs("half the step", what, run, again, _allowed(run, SAME), size, (*MOTION, "vector", "reaction"))


def _solve_again(run: Run, times: OutputTimes | None = None, **changed: Any) -> Run:
    """The motion solved again with other settings."""
    plain = {"transmission": False, "advantage": "", "progress": lambda done, total: None}
    settings: Settings = replace(run.record.settings, **{**plain, **changed})
    asked, forces = times or run.record.times, run.record.forces
    if forces is None:
        return kinematics(run.model, asked, settings)
    if run.record.study == "statics":
        return quasi_static(run.model, asked, settings, forces.length_scale)
    return inverse(run.model, asked, settings, forces.length_scale)


def compare_runs(
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
    away = max_difference(run.columns, again.columns, size, kinds, words)
    if not len(away.times):
        return Check(name, what, note="the two have no row in common")
    note = away.where
    if len(away.times) < len(run):
        note += f"; over {len(away.times)} of {len(run)} rows, to t = {run.units.time_text(away.times[-1], 6)}"
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
    """A unit of mass everywhere and no load: a prescribed motion does not depend on them."""
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


def differences(subject: Subject) -> Iterator[Check]:
    """Differences of every column that has a derivative beside it, and of the rotations of bodies in space."""
    name = "differences"
    what = "velocities and accelerations with differences of positions solved around the rows"
    run = subject.run
    if run.record.between is None or len(subject.t) < 3:
        yield Check(name, what, note="there are too few rows")
        return
    h = float(subject.t[1] - subject.t[0]) / PART
    smooth = [k for k in subject.looks(LOOKS + 2)[1:-1] if not np.any(np.abs(subject.corners - subject.t[k]) <= 5 * h)]
    rows = np.array(smooth, np.int32)
    size = subject.form.mechanism.size
    largest = scales_of(run.columns, [column for column in run.columns.schema if column.kind in KINDS], size)
    times = subject.t[rows][:, None] + np.concatenate([-np.arange(4, 0, -1), np.arange(1, 5)]) * h
    around = run.record.between(times.ravel())
    reached = is_among(times, around.raw("t")).all(axis=1)
    rows, near = rows[reached], np.searchsorted(around.raw("t"), times[reached]).astype(np.int32)
    found, column, judged = 0.0, "", np.zeros(len(rows), bool)
    for key, away, doubt, label in _entries(run.columns, around, rows, near, h) if len(rows) else ():
        sure = doubt <= WORTH * largest[key]
        judged |= sure
        away = np.where(sure, away / largest[key], 0.0)
        worst = int(np.argmax(away))
        if away[worst] > found:
            found, column = float(away[worst]), f"{label} at t = {subject.time_text(rows[worst])}"
    if not judged.any():
        yield Check(name, what, note="no row is smooth enough around it")
        return
    note = f"at {int(judged.sum())} rows" + (f", largest of {column}" if column else "")
    yield Check(name, what, found, RATES, note)


Key = tuple[str, int]


Entry = tuple[Key, Array, Array, str]


def _entries(columns: Columns, around: Columns, rows: Integers, near: Integers, h: float) -> Iterator[Entry]:
    """Kind, difference, its uncertainty, and name of every derivative, at the rows; `near` are their eight neighbours
    among the rows around them."""
    for column in columns.schema:
        name = columns.derivative(column.name)
        if name is None or column.kind not in KINDS:
            continue
        rate, doubt = _slope(around.raw(column.name)[near], h)
        yield (column.holds, column.order + 1), np.abs(rate - columns.raw(name)[rows]), doubt, name
    for body in {column.owner for column in columns.of_kind("body") if column.quantity == "qw"}:
        yield _turning(columns, around, rows, near, h, body)


def _turning(columns: Columns, around: Columns, rows: Integers, near: Integers, h: float, body: str) -> Entry:
    """ω = 2 ṗ p* of a body in space."""
    letters = [f"{body}.q{letter}" for letter in "wxyz"]
    here = np.stack([columns.raw(name)[rows] for name in letters], axis=1)
    p = np.stack([around.raw(name)[near] for name in letters], axis=2)
    p = p * np.where(np.sum(p * here[:, None], axis=2) < 0, -1.0, 1.0)[:, :, None]
    rate, doubt = _slope(p, h)
    spin = 2 * product(rate, conjugate(here))[:, 1:]
    stated = np.stack([columns.raw(f"{body}.w{letter}")[rows] for letter in "xyz"], axis=1)
    away = np.max(np.abs(spin - stated), axis=1)
    return ("angle", 1), away, 2 * np.max(doubt, axis=1), f"{body}.wx, wy, wz"


def _slope(values: Array, h: float) -> tuple[Array, Array]:
    """The derivative in the middle of eight values (second axis), and how far that of fourth order is from it."""
    pairs = values[:, 4:] - values[:, 3::-1]
    eighth, fourth = (np.tensordot(pairs, weights, axes=([1], [0])) / h for weights in (EIGHTH, FOURTH))
    return np.asarray(eighth), np.abs(eighth - fourth)
