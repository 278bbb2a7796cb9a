"""Kinematic analysis: positions, velocities and accelerations over a time grid, with their proof."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mubo.compile import Compiled
from mubo.errors import STATUS_WORDS, ModelError, MuboError, SingularityError
from mubo.model import Model
from mubo.motion.law import Array, jumps_of
from mubo.results import Event, Trajectory
from mubo.studies.columns import trajectory_columns
from mubo.studies.inspect import Inspection, inspect, refusal
from mubo.studies.march import DONE, Path, Settings, march
from mubo.studies.repair import smallest_repair
from mubo.studies.singular import classify_singularity, depends_at
from mubo.studies.steppers import stepper_for
from mubo.studies.words import join_words

PREDICTORS = ("taylor", "previous")


def kinematics(model: Model, start: float, end: float, step: float, settings: Settings | None = None) -> Trajectory:
    """Appended driving constraints in absolute coordinates (Nikravesh 1988, chapter 5; Flores 2010).

    Raises if the model is wrong or cannot be assembled. A motion that ends at a singular position answers the rows
    reached, with status "stopped" and the event.
    """
    settings = settings or Settings()
    _require_settings(settings)
    grid = time_grid(start, end, step)
    corners = _corners(model, grid)
    look = inspect(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    compiled, assembly, diagnosis = look.compiled, look.assembly, look.diagnosis
    compiled.motion(grid)  # refuses motion laws that do not cover the grid, before any work
    if not look.determined:
        raise refused(look, float(grid[0]))
    stepper = stepper_for(compiled, diagnosis.independent, settings)
    status, state = stepper.start(assembly.q, look.motion)
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
        summary=_summary(look, grid[:rows], path, there_and_back, events, corners),
        corrections=path.corrections[:rows],
        tolerance=settings.tolerance,
    )


def refused(look: Inspection, time: float) -> MuboError:
    """The reason why a motion is not determined, with a repair that was tried where there is one."""
    repair = smallest_repair(look, time)
    error = refusal(look, str(repair) if repair else "")
    assert error is not None
    return error


def _corners(model: Model, grid: Array) -> list[str]:
    """Corners of the motion laws, told; a law that jumps in value is refused."""
    told = []
    for driver in model.drivers.values():
        for jump in jumps_of(driver.motion, float(grid[0]), float(grid[-1])):
            if jump.order == 0:
                raise ModelError(
                    f"driver {driver.name}: {jump}; a mechanism cannot follow that",
                    names=[driver.name],
                    numbers={"t": jump.t, "jump": jump.size},
                    suggestion="Join the two values by a rise, such as a cycloidal one.",
                )
            told.append(f"driver {driver.name}: {jump}")
    return told


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


def _redundant(look: Inspection, path: Path) -> list[str]:
    """Dependent equations in words, and whether they stay so along the motion."""
    told = []
    samples = np.unique(np.linspace(0, path.reached, 9).astype(int))
    for dependence in look.diagnosis.dependent:
        stays = all(depends_at(look.compiled, dependence, path.states[k][0], look.motion) for k in samples)
        told.append(f"{dependence.words(False)}, {'everywhere' if stays else 'but not everywhere'} along the motion")
    return told


def _summary(
    look: Inspection,
    grid: Array,
    path: Path,
    there_and_back: float,
    events: list[Event],
    corners: list[str],
) -> dict[str, Any]:
    """The promised summary: what was solved, how well, and what to know about it."""
    compiled, diagnosis = look.compiled, look.diagnosis
    states = np.ascontiguousarray(path.states[: len(grid)])
    largest = compiled.system.residuals(states, compiled.motion(grid))
    owners = [equation.owner for equation in compiled.equations]
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
        "warnings": [*_redundant(look, path), *corners, *compiled.notes],
        "files": [],
    }
