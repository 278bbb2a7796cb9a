"""Reversibility check: a motion that does not return to its start has changed its branch somewhere."""

from __future__ import annotations

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.results import Event
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.kinematics.bifurcation import BranchSwitch
from mubo.solvers.kinematics.problem import KinematicProblem, Reversibility
from mubo.solvers.kinematics.time_grid_refinement import refine_time_grid

BACK = 1e4  # tolerances by which the backward motion may end from the start
REFINEMENTS = (1, 8, 64)


def check_reversibility(problem: KinematicProblem, grid: Array) -> Reversibility:
    """Continue the motion over the grid and back, with shorter steps as long as it does not return to its start."""
    times = refine_time_grid(problem.laws, problem.motion, problem.driver_weight, grid, problem.stepper.chunk)
    rows = np.searchsorted(times, grid).astype(np.int32)
    settings, stepper, motion, state = problem.settings, problem.stepper, problem.motion, problem.state
    accepted = settings.same(BACK)
    same = settings.same(1000)
    crosser = problem.crossing(
        BranchSwitch(motion, stepper, problem.weight, settings.branch == "other", settings.scale, problem.regular)
    )
    for substeps in REFINEMENTS:
        stepper.solve_at(state[0], motion(grid[:1])[0])
        fine = continue_motion(
            motion, stepper, times, state, substeps, problem.regular, same, crosser, settings.progress
        )
        there = fine.select_rows(rows)
        last, done = there.states[there.reached], rows[: there.reached + 1]
        stepper.solve_at(last[0], motion(grid[there.reached : there.reached + 1])[0])
        turned = times[: done[-1] + 1][::-1]
        back = continue_motion(motion, stepper, turned, last, substeps, problem.regular, same, crosser)
        back = back.select_rows(done[-1] - done[::-1])
        apart = float(np.max(np.abs((back.states[back.reached][0] - there.states[0][0]) * problem.weight), initial=0.0))
        if apart <= accepted or fine.status == Status.step_limit:
            break
    return Reversibility(there, back, (times, fine), apart, apart <= accepted)


def ending_events(problem: KinematicProblem, grid: Array, trip: Reversibility) -> list[Event]:
    """Events that ended the motion early, if any: they decide the status of a run."""
    path = trip.there
    if path.status != Status.done:
        return [problem.stop_event(path)]
    events = _events_back(problem, grid, trip)
    if not trip.same and all(event.passed for event in events):
        end = float(grid[-1])
        events.append(lost_branch_event(end, problem.drivers_at(end), trip.apart))
    return events


def _events_back(problem: KinematicProblem, grid: Array, trip: Reversibility) -> list[Event]:
    """Events of the backward motion, where the table contains it."""
    if not problem.settings.reverse:
        return []
    end = float(grid[-1])
    events = [problem.crossing_event(crossing, end) for crossing in trip.back.crossings]
    return [*events, problem.stop_event(trip.back, end)] if trip.back.status != Status.done else events


def lost_branch_event(end: float, drivers: dict[str, float], distance: float) -> Event:
    """Event of a run that fails the reversibility check: it changed its branch somewhere."""
    return Event(
        "failure",
        end,
        drivers,
        (),
        f"the reversibility check fails: run backwards, the motion ends {distance:.2g} away from its start, so "
        "that it changed to another branch somewhere; take a shorter step",
    )
