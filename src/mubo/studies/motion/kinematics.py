"""Kinematic analysis: positions, velocities and accelerations over a time grid, with their proof."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, RedundancyError, SingularityError, words_for
from mubo.model import Model
from mubo.motion.law import jumps_of
from mubo.results import Event, Trajectory
from mubo.studies.motion.absolute_columns import miscounted
from mubo.studies.motion.columns import trajectory_columns
from mubo.studies.motion.events import crossing_event, driver_values, lost_branch, near_miss_event, singular_event
from mubo.studies.motion.formulation import FORMULATIONS, Formulation, choose
from mubo.studies.motion.march import Settings
from mubo.studies.motion.near_miss import Seeker
from mubo.studies.motion.reselect import reselecting
from mubo.studies.motion.round_trip import round_trip
from mubo.studies.motion.summary import summary_of, transmission_summary
from mubo.studies.position.inspect import Inspection, inspect, refusal
from mubo.studies.position.repair import smallest_repair
from mubo.studies.position.singular import is_regular
from mubo.studies.quality.advantage import mechanical_advantage, require_output
from mubo.studies.quality.transmission import transmission
from mubo.studies.structure.choose_mode import in_mode

PREDICTORS = ("taylor", "previous")
MOST_NUMBERS = 1e9  # of a result: eight gigabytes


def kinematics(
    model: Model,
    start: float,
    end: float,
    step: float,
    settings: Settings | None = None,
    with_transmission: bool = False,
    output: str = "",
) -> Trajectory:
    """Positions by Newton, velocities and accelerations by linear equations, at start, start + step, … end.

    Raises if the model is wrong or cannot be assembled. A motion that ends at a singular position answers the rows
    reached, with status "stopped" and the event. A run that does not come back to its start is repeated with shorter
    steps between the rows, and is not called ok if that does not help. `with_transmission` adds the columns of
    transmission; `output` is the coordinate to which the mechanical advantage is told.
    """
    settings = settings or Settings()
    require_settings(settings)
    if output:
        require_output(model, output)
    grid = time_grid(start, end, step, (9 if model.dimension == 2 else 19) * len(model.bodies))
    corners = law_corners(model, grid)
    look = inspect(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    if settings.mode != 1:
        look = in_mode(look, settings.mode)
    look.form.motion(grid)  # refuses motion laws that do not cover the grid, before any work
    if not look.determined:
        raise refused(look, float(grid[0]))
    settings = replace(settings, tolerance=look.tolerance, scale=look.form.scale)
    way = choose(look, settings)
    status, state = way.stepper.start(look.assembly.q, look.motion)
    if status != Status.done:
        raise SingularityError(f"at the start, t = {grid[0]:g}: {words_for(status)}", numbers={"t": float(grid[0])})
    _require_consistent_rates(look, way, state)
    trip = round_trip(
        look.form.motion,
        way.stepper,
        way.weight,
        grid,
        state,
        settings,
        _far_from_singular(look, way),
        reselecting(look, way.stepper),
    )
    path, there_and_back = trip.there, trip.apart
    path.corrections[0] = look.assembly.corrections
    rows = path.reached + 1
    motion = look.form.motion(grid[:rows])
    states = way.stepper.bodies(path.states[:rows], motion)
    quality = transmission(look, way, path.states[:rows], motion, with_transmission)
    seeker = Seeker(look.form.motion, way.stepper, grid[:rows], path)
    events: list[Event] = [crossing_event(look.form, way, crossing, settings.branch) for crossing in path.crossings]
    misses = seeker.near_misses(quality)
    events += [near_miss_event(look.form, quality, miss) for miss in misses]
    events.sort(key=lambda event: event.t)
    if path.status != Status.done:
        events.append(singular_event(look, way, path))
    elif not trip.same:
        events.append(lost_branch(look.form, float(grid[-1]), there_and_back))
    columns = trajectory_columns(look.form, grid[:rows], states)
    told = transmission_summary(quality, seeker, misses, model.units, partial(driver_values, look.form))
    if with_transmission:
        columns |= quality.columns(rows, model.units.angle_factor())
    if output:
        ratio, told["mechanical_advantage"] = mechanical_advantage(model, columns, output)
        columns["transmission.advantage"] = ratio
    notes = [*corners, *miscounted(look.form, columns)]
    return Trajectory(
        columns=columns,
        units=model.units,
        model=model,
        events=events,
        summary={
            **summary_of(look, way, grid[:rows], states, path, there_and_back, events, notes, told),
            "mode": settings.mode,
        },
        corrections=path.corrections[:rows],
        tolerance=look.tolerance,
    )


def _far_from_singular(look: Inspection, way: Formulation) -> Callable[[Array, float], bool]:
    def regular(at: Array, time: float) -> bool:
        motion = look.form.motion(np.array([time]))
        return is_regular(look.form, way.stepper.bodies(at[None], motion)[0][0], motion[0])

    return regular


def refused(look: Inspection, time: float) -> MuboError:
    """The reason why a motion is not determined, with a repair that was tried where there is one."""
    repair = smallest_repair(look, time)
    error = refusal(look, str(repair) if repair else "")
    assert error is not None
    return error


def _require_consistent_rates(look: Inspection, way: Formulation, state: Array) -> None:
    """Redundant equations must agree in velocity and acceleration too, not only in position."""
    if not look.diagnosis.dependent:
        return
    states = way.stepper.bodies(state[None], look.motion[None])
    largest = look.form.system.residuals(states, look.motion[None])
    for order, word in ((1, "velocity"), (2, "acceleration")):
        scale = 1e-7 * (1 + float(np.max(np.abs(states[0, order]))))
        for dependence in look.diagnosis.dependent:
            gap = float(largest[order, dependence.equation])
            if gap > scale:
                told = replace(dependence, gap=gap).words(True)
                raise RedundancyError(
                    f"{told} in {word}",
                    names=[dependence.name],
                    numbers={"gap": gap},
                    suggestion="Remove one of them, or make their motions agree.",
                )


def law_corners(model: Model, grid: Array) -> list[str]:
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


def time_grid(start: float, end: float, step: float, columns: int = 1) -> Array:
    """start + k · step up to `end`; the last row is kept where rounding would lose it."""
    for name, value in (("start", start), ("end", end), ("step", step)):
        if not math.isfinite(value):
            raise ModelError(f"{name} must be a finite number; found {value}")
    if step <= 0:
        raise ModelError(f"the time step must be positive; found {step:g}")
    if end < start:
        raise ModelError(f"the end time {end:g} is before the start time {start:g}")
    rows = (end - start) / step
    if not rows * columns < MOST_NUMBERS:
        raise ModelError(
            f"a step of {step:g} from {start:g} to {end:g} gives {rows:.3g} rows, more than fit into memory",
            suggestion="Take a longer step or a shorter time.",
        )
    return np.asarray(start + np.arange(math.floor(rows + 1e-9) + 1) * step, float)


def require_settings(settings: Settings) -> None:
    if not 0 <= settings.tolerance <= 1:
        raise ModelError(f"the tolerance must be positive and at most 1; found {settings.tolerance:g}")
    if settings.max_iterations < 1:
        raise ModelError(f"max_iterations must be at least 1; found {settings.max_iterations}")
    if settings.predictor not in PREDICTORS:
        raise ModelError(f'the predictor is "taylor" or "previous"; found "{settings.predictor}"')
    if settings.branch not in ("smooth", "other"):
        raise ModelError(f'the branch is "smooth" or "other"; found "{settings.branch}"')
    if settings.formulation not in FORMULATIONS:
        raise ModelError(f'the formulation is {", ".join(FORMULATIONS)}; found "{settings.formulation}"')
