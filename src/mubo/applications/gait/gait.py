"""From markers and force plates to joint moments: inverse dynamics of a walking person, its events and cycles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mubo.analyses.inverse import solve_with_forces
from mubo.analyses.kinematics import settings_of
from mubo.applications.gait.agreement import disagreements
from mubo.applications.gait.events import RULES, Cycles, Strikes, belt_speed, cycles_of, stands_at, strikes_of
from mubo.applications.gait.ground import ground_columns, ground_force, residual_of
from mubo.applications.gait.joints import PAIRS, joint_columns
from mubo.applications.gait.legs import Leg, legs_of
from mubo.applications.gait.normative import read_normative
from mubo.applications.gait.report import Gait
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Run
from mubo.solvers.continuation.steppers import Settings
from mubo.studies.motion import GaitOptions

THRESHOLD = "20 N"


def gait(
    model: ModelDefinition,
    times: OutputTimes,
    settings: Settings | None = None,
    threshold: float | None = None,
    rule: str | None = None,
) -> Gait:
    """Joint angles, moments and powers at the output times; `threshold` is the least force of a stance."""
    require_walker(model, rule)
    legs = legs_of(model)
    least = model.units.in_own(THRESHOLD, "force") if threshold is None else threshold
    return gait_of_run(ForceHistory(*solve_with_forces(model, times, settings)), legs, least, rule)


def require_walker(model: ModelDefinition, rule: str | None) -> None:
    """Refuses models without a gait."""
    if rule is not None and rule not in RULES:
        raise ModelError(f'events are found by {" or ".join(RULES)}; found "{rule}"')
    for problem in model.problems:
        raise ModelError(f"{model.where}{problem}")
    if model.subject is None:
        raise ModelError(
            "there is no [subject]: moments are given per kilogram of body mass",
            suggestion="Give [subject] with a mass.",
        )
    if model.gravity is None:
        usual = "[0, -9.81]" if model.dimension == 2 else "[0, -9.81, 0]"
        raise ModelError("gravity is not stated", suggestion=f"Write gravity = {usual}, x forwards and y up.")
    if model.gravity[1] > 0:
        written, mended = (
            ", ".join(f"{value:g}" for value in values)
            for values in (model.gravity, (model.gravity[0], -model.gravity[1], *model.gravity[2:]))
        )
        raise ModelError(
            f"gravity points up: [{written}], and y is up in the plane of walking",
            suggestion=f"Write gravity = [{mended}].",
        )
    if model.dimension == 3 and not abs(model.gravity[1]) > 0:
        raise ModelError(
            f"gravity is {list(model.gravity)}: y is up in space too", suggestion="Write gravity = [0, -9.81, 0]."
        )


def gait_of_run(history: ForceHistory, legs: list[Leg], least: float, rule: str | None) -> Gait:
    """The gait of a run that was solved with forces."""
    model, run = history.model, history.run
    assert model.subject is not None
    assert model.gravity is not None
    sample = history.at(run.columns.raw("t"))
    weight = float(model.subject["mass"]) * float(np.linalg.norm(model.gravity))
    second = model.units.in_own("1 s", "time")
    cycles, strikes = {}, {}
    _add_columns(run, sample, legs, least)
    for leg in legs:
        strikes[leg.side] = strikes_of(history, sample, leg, least, rule, second)
        upward = ground_force(sample, leg.foot)[:, 1]
        cycles[leg.side] = cycles_of(run, leg.side, strikes[leg.side], cycle_columns(leg), upward, least)
    belt, moving = belt_speed(run, legs, strikes)
    residual = residual_of(run, sample, legs, weight, _judged(sample, legs, strikes, cycles, least))
    if residual is not None:
        _extend(run, list(residual.columns))
    run = replace(run, record=replace(run.record, between=_between(history, legs, least)))
    wrong = () if residual is None else disagreements(residual, sample.t, model)
    return Gait(
        run,
        tuple(legs),
        strikes,
        cycles,
        residual,
        least,
        (*_recording_notes(model), *((moving,) if moving else ()), *wrong, *_notes(sample, legs, cycles)),
        belt,
    )


def cycle_columns(leg: Leg) -> tuple[list[str], list[str]]:
    """The columns whose cycles are reported: of motion, and of forces."""
    names = [name for joint in PAIRS for name in leg.names(joint)]
    moments = [f"{name}_{word}" for word in ("moment", "power") for name in names]
    moments += [f"{joint}_{leg.side}_power" for joint in PAIRS if leg.in_space]
    return names, [*moments, *(f"ground_{leg.side}_force_{letter}" for letter in ("xyz" if leg.in_space else "xy"))]


def _judged(
    sample: ForceSample, legs: Sequence[Leg], strikes: dict[str, Strikes], cycles: dict[str, Cycles], least: float
) -> NDArray[np.bool_]:
    """The rows at which the residual is judged: of whole cycles, where every foot that stands is on a plate.

    At the ends of a record a spline knows less; without cycles all rows count, without such rows none.
    """
    times = [pair for one in cycles.values() for pair in one.times]
    inside = np.any([(sample.t >= a) & (sample.t <= b) for a, b in times], axis=0) if times else True
    borne = [~stands_at(sample.t, strikes[leg.side]) | (ground_force(sample, leg.foot)[:, 1] > least) for leg in legs]
    return np.asarray(inside & np.all(borne, axis=0))


def _add_columns(run: Run, sample: ForceSample, legs: Sequence[Leg], least: float) -> Columns:
    """The columns of a run with those of all legs at the same times."""
    assert run.model.subject is not None
    mass = float(run.model.subject["mass"])
    for leg in legs:
        _extend(run, [*joint_columns(run, leg, mass), *ground_columns(sample, leg, least)])
    return run.columns


def _between(history: ForceHistory, legs: Sequence[Leg], least: float) -> Callable[[Array], Columns]:
    """A function that solves the run with the columns of all legs at any times."""
    run, solve = history.run, history.run.record.between
    assert solve is not None  # a motion with its forces can be solved between its rows
    return lambda times: _add_columns(replace(run, columns=solve(times)), history.at(times), legs, least)


def _extend(run: Run, entries: list) -> None:  # type: ignore[type-arg]
    run.columns.extend((column, values) for column, values in entries if column.name not in run.columns)


def _recording_notes(model: ModelDefinition) -> tuple[str, ...]:
    """Notes on the recording as it was read: axes, clusters, markers that jump."""
    return model.origin.notes if model.origin is not None else ()


def _notes(sample: ForceSample, legs: list[Leg], cycles: dict[str, Cycles]) -> tuple[str, ...]:
    out = []
    for leg in legs:
        if not np.any(ground_force(sample, leg.foot)):
            out.append(f"{leg.foot}: no force acts on it, so that its moments are those of a leg in the air")
        if not cycles[leg.side].times:
            out.append(f"{leg.foot}: no whole cycle: fewer than two heel strikes")
        elif beside := cycles[leg.side].borne.count(False):
            out.append(
                f"{leg.foot}: {beside} of {len(cycles[leg.side].times)} cycles {'is' if beside == 1 else 'are'} left "
                "out of moments and powers: it stands beside the plates there"
            )
    if not legs[0].trunk and not legs[0].pelvis:
        out.append("there is no trunk: hip_flexion is the angle of the thigh from the vertical")
    return tuple(out)


def answer_gait(definition: ModelDefinition, asked: GaitOptions) -> Gait:
    """Answers the study `gait`; its run keeps the result, so that it can be drawn."""
    least = None if asked.threshold is None else definition.units.in_own(asked.threshold, "force")
    beside = None if asked.normative is None else read_normative(asked.normative, definition.units)
    found = replace(gait(definition, asked.times, settings_of(asked), least, asked.events), normative=beside)
    record = replace(found.run.record, study="gait", gait=found)
    return replace(found, run=replace(found.run, record=record))
