"""Kinematic analysis: positions, velocities and accelerations over a time grid, with their proof."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mubo.compile import Compiled, compile_model
from mubo.errors import (
    STATUS_WORDS,
    AssemblyError,
    ModelError,
    MuboError,
    RedundancyError,
    SingularityError,
)
from mubo.model import Model
from mubo.motion.law import Array
from mubo.results import Event, Trajectory
from mubo.studies.assemble import Assembly, assemble
from mubo.studies.columns import trajectory_columns
from mubo.studies.diagnose import Diagnosis, classify_singularity, diagnose, generic_rank, join_words
from mubo.studies.march import DONE, Path, Settings, march
from mubo.studies.steppers import stepper_for

PREDICTORS = ("taylor", "previous")


def kinematics(model: Model, start: float, end: float, step: float, settings: Settings | None = None) -> Trajectory:
    """Appended driving constraints in absolute coordinates (Nikravesh 1988, chapter 5; Flores 2010).

    Raises if the model is wrong or cannot be assembled. A motion that ends at a singular position answers the rows
    reached, with status "stopped" and the event.
    """
    settings = settings or Settings()
    _require_settings(settings)
    compiled = compile_model(model)
    grid = time_grid(start, end, step)
    compiled.motion(grid)  # refuses motion laws that do not cover the grid, before any work
    first = compiled.motion(grid[:1])[0]
    assembly, diagnosis = assembled(compiled, first, settings.tolerance, settings.max_iterations)
    stepper = stepper_for(compiled, diagnosis.independent, settings)
    status, state = stepper.start(assembly.q, first)
    if status != DONE:
        raise SingularityError(f"at the start, t = {grid[0]:g}: {STATUS_WORDS[status]}", numbers={"t": grid[0]})
    path = march(compiled, stepper, grid, state, settings.progress)
    path.corrections[0] = assembly.corrections
    rows = path.reached + 1
    back = march(compiled, stepper, grid[:rows][::-1], path.states[path.reached], lambda done, total: None)
    there_and_back = float(np.max(np.abs(back.states[back.reached][0] - path.states[0][0])))
    events = [] if path.status == DONE else [_event(compiled, path)]
    return Trajectory(
        columns=trajectory_columns(compiled, grid[:rows], path.states[:rows]),
        units=model.units,
        model=model,
        events=events,
        summary=_summary(compiled, diagnosis, grid[:rows], path, there_and_back, events),
        corrections=path.corrections[:rows],
        tolerance=settings.tolerance,
    )


def assembled(compiled: Compiled, motion: Array, tolerance: float, max_iterations: int) -> tuple[Assembly, Diagnosis]:
    """The first position and what it can do; raises if there is none or if its motion is not unique."""
    assembly = assemble(compiled, motion, tolerance, max_iterations)
    diagnosis = diagnose(compiled, assembly.q, motion)
    error = refusal(compiled, assembly, diagnosis, motion, tolerance)
    if error is not None:
        raise error
    return assembly, diagnosis


def too_few_drivers(diagnosis: Diagnosis) -> str:
    """ "too few drivers: 1 freedom is left; it moves coupler and rocker"."""
    left = diagnosis.freedoms_left
    if left == 1:
        moved = join_words(diagnosis.free_motions[0])
        return f"too few drivers: 1 freedom is left; it moves {moved}"
    moves = "; ".join(f"one moves {join_words(bodies)}" for bodies in diagnosis.free_motions)
    return f"too few drivers: {left} freedoms are left; {moves}"


def refusal(
    compiled: Compiled, assembly: Assembly, diagnosis: Diagnosis, motion: Array, tolerance: float
) -> MuboError | None:
    """Why the motion is not determined from here, or None if it is.

    Open constraints contradict each other if they depend on each other at any position; otherwise the assembly is
    out of reach.
    """
    if assembly.closed(tolerance):
        return _not_unique(diagnosis) if diagnosis.freedoms_left > 0 else None
    contradictions = diagnosis.contradictions(tolerance)
    if contradictions and generic_rank(compiled, assembly.q, motion) < len(compiled.equation_names):
        return RedundancyError(
            "; ".join(d.words(True) for d in contradictions),
            names=[d.name for d in contradictions],
            numbers={"gap": max(d.gap for d in contradictions)},
            suggestion="Remove one of them, or correct the dimensions they disagree on.",
        )
    kind, name = compiled.equation_names[assembly.worst]
    return AssemblyError(
        f"the mechanism cannot be assembled: {kind} {name} stays open by {assembly.gap:.3g}",
        names=[name],
        numbers={"gap": assembly.gap},
        suggestion="Check the dimensions around it and the driver values at the start, or give closer estimates "
        "of the positions and angles.",
    )


def _not_unique(diagnosis: Diagnosis) -> RedundancyError:
    repeats = "".join(f"\n  {d.words(False)}" for d in diagnosis.dependent)
    return RedundancyError(
        too_few_drivers(diagnosis) + repeats,
        names=[name for bodies in diagnosis.free_motions for name in bodies],
        numbers={"N": diagnosis.coordinates, "M": diagnosis.constraints, "rank": diagnosis.rank},
        suggestion="Drive each freedom that is left, or hold it by a joint.",
    )


def time_grid(start: float, end: float, step: float) -> Array:
    """start + k · step up to `end`; the last row is kept where rounding would lose it."""
    for name, value in (("start", start), ("end", end), ("step", step)):
        if not math.isfinite(value):
            raise ModelError(f"{name} must be a finite number; found {value}")
    if step <= 0:
        raise ModelError(f"the time step must be positive; found {step:g}")
    if end < start:
        raise ModelError(f"the end time {end:g} is before the start time {start:g}")
    count = math.floor((end - start) / step + 1e-9) + 1
    return np.asarray(start + np.arange(count) * step, float)


def _require_settings(settings: Settings) -> None:
    if not settings.tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {settings.tolerance:g}")
    if settings.max_iterations < 1:
        raise ModelError(f"max_iterations must be at least 1; found {settings.max_iterations}")
    if settings.predictor not in PREDICTORS:
        raise ModelError(f'the predictor is "taylor" or "previous"; found "{settings.predictor}"')


def _event(compiled: Compiled, path: Path) -> Event:
    """Where and why the motion stopped."""
    time = path.stopped_at
    motion = compiled.motion(np.array([time]))[0]
    values = motion[::3] / compiled.motion_factors
    drivers = dict(zip(compiled.model.drivers, (float(v) for v in values), strict=True))
    at = ", ".join(f"{name} = {value:.9g}" for name, value in drivers.items())
    kind, bodies = classify_singularity(compiled, path.stopped_state[0], motion)
    words = {
        "limit": "the mechanism locks: nothing exists beyond",
        "bifurcation": "two motions cross here and the constraints do not choose between them",
        "failure": STATUS_WORDS[path.status],
    }
    moving = f"; there {join_words(bodies)} can move while the drivers stand still" if bodies else ""
    return Event(kind, time, drivers, bodies, f"the motion stops at t = {time:.9g} ({at}): {words[kind]}{moving}")


def _summary(
    compiled: Compiled,
    diagnosis: Diagnosis,
    grid: Array,
    path: Path,
    there_and_back: float,
    events: list[Event],
) -> dict[str, Any]:
    """The promised summary: what was solved, how well, and what to know about it."""
    states = np.ascontiguousarray(path.states[: len(grid)])
    largest = compiled.system.residuals(states, compiled.motion(grid))
    owners = [" ".join(owner) for owner in compiled.equation_names]
    names = ("position", "velocity", "acceleration")
    per_element: dict[str, dict[str, float]] = {}
    for owner, *values in zip(owners, *largest, strict=True):
        held = per_element.setdefault(owner, dict.fromkeys(names, 0.0))
        for name, value in zip(names, values, strict=True):
            held[name] = max(held[name], float(value))
    laws = {name: driver.motion.notes() for name, driver in compiled.model.drivers.items()}
    return {
        "status": "ok" if not events else "stopped",
        "model": compiled.model.name,
        "formulation": "absolute",
        "rows": len(grid),
        "mobility": diagnosis.summary(),
        "residual": {name: float(np.max(line, initial=0.0)) for name, line in zip(names, largest, strict=True)},
        "residual_per_element": per_element,
        "there_and_back": there_and_back,
        "newton_iterations": int(path.corrections[: len(grid)].sum()),
        "motion": {name: notes for name, notes in laws.items() if notes},
        "events": [event.as_dict() for event in events],
        "warnings": [d.words(False) for d in diagnosis.dependent] + list(compiled.notes),
        "files": [],
    }
