"""Forward dynamics from initial conditions, of trees and of closed loops, with their energy balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from mubo._core import Status, max_crossings
from mubo.analyses.kinematics import COLUMNS_OF_A_BODY
from mubo.analyses.run_notes import law_corner_notes, law_data_notes
from mubo.analyses.solved_motion import EXTREMES, extremes_summary
from mubo.analyses.statics.statics import without_drivers
from mubo.arrays import Array, distinct, is_among
from mubo.errors import ModelError
from mubo.laws.law import asks_python, jumps_of
from mubo.mechanism import mechanism_of
from mubo.mechanism.clearances import bearing_law_notes, with_bearings
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.model import ModelDefinition
from mubo.model.column_laws import calls_python
from mubo.model.coordinates import holds_at
from mubo.note import Note
from mubo.quantities.output_times import ROUNDING, OutputTimes
from mubo.results import Columns, Deferred, Event, Record, Run, Summary
from mubo.results.columns import require_finite, undefined_notes
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.columns.slot_ends import slot_notes
from mubo.solvers.dynamics.consistent_initialisation import consistent_initial_state
from mubo.solvers.dynamics.contact_events import clearance_summary, contact_summary, with_contact_events
from mubo.solvers.dynamics.formulations import solve_dynamics, solve_tree
from mubo.solvers.dynamics.initial_state import initial_joint_state
from mubo.solvers.dynamics.integration import IntegrationResult, event_list
from mubo.solvers.dynamics.reactions import WEAK, Reactions, ReactionSolver
from mubo.solvers.dynamics.settings import ATOL, AUTO, RTOL, SimulationSettings, generalised_force
from mubo.solvers.dynamics.simulation_events import mass_ratio_notes, require_start, simulation_events
from mubo.solvers.dynamics.solution import DynamicSolution, redundant_notes
from mubo.solvers.dynamics.turning import refuse_turning_along
from mubo.studies.declare import no_progress
from mubo.studies.motion import SimulateOptions

MOST_CROSSINGS = max_crossings
TAKEN = 1e-7  # of the energy exchanged: more than a good integration leaves to the closing of loops


def simulate(model: ModelDefinition, times: OutputTimes, settings: SimulationSettings) -> Run:
    """The motion at the output times, integrated to the tolerances.

    A run that stops early answers the rows reached, with status "stopped" and the reason as its last event; an event
    that the model asked to stop at is an ordinary end.
    """
    settings.require_sense()
    model, ideal = with_bearings(model), model
    grid = times.grid(COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies))
    corners = law_corner_notes(model, grid)
    tree, starting = _kept_start(model, float(grid[0]), float(grid[-1]))
    _require_determined_friction(tree, grid, settings)
    solved = _solve_to_event(tree, grid, settings)
    columns = solved.columns
    require_finite(columns)
    refuse_turning_along(tree, columns)
    forces, measure_notes = _add_columns(tree, solved, settings)
    events = with_contact_events(tree, solved, simulation_events(tree, solved.done, solved.method))
    repeat = partial(_columns_at, tree, grid, solved, settings)
    notes = [*bearing_law_notes(ideal), *_start_notes(tree, solved, starting), *mass_ratio_notes(tree), *tree.notes]
    notes += [*solved.notes, *corners, *_notes(model, grid, solved, settings)]
    notes += [*slot_notes(model, columns), *(forces.notes if forces else ()), *measure_notes, *undefined_notes(columns)]
    return Run(
        columns=columns,
        find_events=lambda: list(_with_states(events, repeat)),
        summary=Summary(
            _summary(tree, solved, events, settings, notes, forces),
            forces.summary if forces else {},
            Deferred(EXTREMES, lambda: extremes_summary(model, columns)),
        ),
        record=Record(
            model=model,
            study="simulate",
            formulation=solved.formulation,
            times=times,
            settings=replace(settings, formulation=solved.formulation, method=solved.method),
            form=tree,
            tolerance=settings.rtol,
            repeat=repeat,
            forces=forces.record if forces else None,
        ),
    )


def _solve_to_event(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve the motion; where an event ends it, the time of the event is its last row."""
    solved = solve_dynamics(tree, grid, settings)
    done, t = solved.done, grid[: len(solved.t)]
    if done.status != Status.event_stop or done.reached - t[-1] <= ROUNDING * (grid[1] - grid[0]):
        return solved
    again = _solve_again(tree, np.append(t, done.reached), solved, settings)
    return replace(again, done=replace(done, states=again.done.states), notes=solved.notes, chosen=solved.chosen)


def _solve_again(tree: Tree, grid: Array, solved: DynamicSolution, settings: SimulationSettings) -> DynamicSolution:
    """Solve the same motion at other times, without looking for events: they are known."""
    settings = replace(settings, formulation=solved.formulation, method=solved.method)
    return solve_dynamics(tree, grid, replace(settings, events=False, progress=no_progress))


def _columns_at(
    tree: Tree, grid: Array, solved: DynamicSolution, settings: SimulationSettings, times: Array
) -> Columns:
    """Columns at any times that the motion reached: it is integrated again, with rows there."""
    times = distinct(times)
    times = times[(times >= grid[0]) & (times <= solved.done.reached)]
    rows = distinct(np.concatenate([grid[grid <= solved.done.reached], times]))
    again = _solve_again(tree, rows, solved, settings)
    _add_columns(tree, again, settings)
    return again.columns.select_rows(np.flatnonzero(is_among(rows, times)).astype(np.int32))


def _with_states(events: list[Event], solve: Callable[[Array], Columns]) -> Iterator[Event]:
    """Events that find all columns at their times when asked for them, by one integration for all."""
    found = cache(lambda: solve(np.array([event.t for event in events])))

    def state_at(t: float) -> dict[str, float]:
        columns = found()
        rows = np.flatnonzero(columns.raw("t") == t)
        return {name: float(columns[name][rows[0]]) for name in columns} if len(rows) else {}

    return (replace(event, find_state=partial(state_at, event.t)) for event in events)


def _add_columns(
    tree: Tree, solved: DynamicSolution, settings: SimulationSettings
) -> tuple[Reactions | None, list[Note]]:
    """Add columns of forces, where they are asked for, and of measures; returns the forces and notes on measures."""
    forces = _reactions(tree, solved, settings)
    if forces is not None:
        solved.columns.extend(forces.columns)
    return forces, add_measures(tree.model, solved.columns)


def _start_notes(tree: Tree, solved: DynamicSolution, notes: list[Note]) -> list[Note]:
    """Notes about the start; absolute coordinates report themselves which equations they left out."""
    if solved.formulation != "absolute":
        return notes
    of_tree = {*redundant_notes([str(tree.closing.equations[k]) for k in tree.left_out])}
    return [note for note in notes if note not in of_tree]


def _reactions(tree: Tree, solved: DynamicSolution, settings: SimulationSettings) -> Reactions | None:
    """Forces at the rows, where they are asked for."""
    if not settings.reactions:
        return None
    if settings.user is not None:
        raise ModelError(
            "reactions are not computed where a function of t, q, v gives forces: their points of action are unknown",
            suggestion="Give the forces as loads of the model; they may be Python functions too.",
        )
    weak = solved.loop_margin < WEAK if len(solved.loop_margin) else np.zeros(len(solved.t), bool)
    solver = ReactionSolver(tree.mechanism, tree.dofs, settings.length_scale, solved.contacts)
    return solver.report(solved.columns, solved.friction, weak, solved.impacts)


def _require_determined_friction(tree: Tree, grid: Array, settings: SimulationSettings) -> None:
    """Refuses friction from a reaction that equilibrium does not determine, by the forces at the start."""
    if tree.left_out and any(load.reaction_friction is not None for load in tree.mechanism.loads):
        start = solve_tree(tree, grid[:1], replace(settings, progress=lambda done, total: None))
        ReactionSolver(tree.mechanism, tree.dofs, None).solve(start.columns, start.friction)


def require_simulable(model: ModelDefinition, start: float, end: float) -> None:
    """Refuses what a simulation over this time would refuse at its start."""
    tree, _ = consistent_start(model, start, end)
    require_start(tree, start, tree.begin(start), None)
    event_list(tree)


def _kept_start(model: ModelDefinition, start: float, end: float) -> tuple[Tree, list[Note]]:
    """The tree of a model with its state at the start, which the model keeps; not where a Python function moves it,
    whose answers may differ at another time."""
    laws = [driver.motion for driver in model.drivers.values()]
    loads = [value for force in model.forces.values() for value in force.options.values()]
    if any(map(asks_python, [*laws, *loads])):
        return consistent_start(model, start, end)
    asked, found = model.derived_values.get("simulation", ((), ()))
    if asked != (start, end):
        found = consistent_start(model, start, end)
        model.derived_values["simulation"] = ((start, end), found)
    kept: tuple[Tree, list[Note]] = found
    return kept


def consistent_start(model: ModelDefinition, start: float, end: float) -> tuple[Tree, list[Note]]:
    """The tree of a model with its state at the start, and notes on it."""
    mechanism = mechanism_of(model)
    if model.dimension == 3 and not mechanism.tree.cut:
        tree = tree_form(mechanism, start, end)
        if not tree.closing.rows:
            return initial_joint_state(tree, start)
    return consistent_initial_state(model, start, end)


def _notes(
    model: ModelDefinition, grid: Array, solved: DynamicSolution, settings: SimulationSettings
) -> Iterator[Note]:
    """Notes about the run, besides those of its formulation and its integration."""
    done, units = solved.done, model.units
    for joint, t in solved.lost.items():
        yield Note("runs.euler_angles_pass", joint=joint, t=t, units=units)
    if done.projected > TAKEN * solved.balance.scale:
        yield Note("runs.projection_takes_energy", energy=done.projected, units=units)
    yield from (*_impulse_notes(model, grid, done), *_force_notes(model, settings))
    counts = Counter(number for number, _ in done.events)
    for number, watch in enumerate(model.events.values()):
        if counts[number] >= MOST_CROSSINGS:
            yield Note("runs.event_chatters", event=watch.name, count=counts[number])


def _impulse_notes(model: ModelDefinition, grid: Array, done: IntegrationResult) -> Iterator[Note]:
    """Notes on impulses at jumps of prescribed rates."""
    if done.impulses:
        first, energy = done.impulses[0]
        yield Note("runs.driver_impulse", t=first, count=len(done.impulses), energy=energy, units=model.units)
        return
    laws = [driver.motion for driver in model.drivers.values()]
    if any(jump.order == 1 for law in laws for jump in jumps_of(law, float(grid[0]), float(grid[-1]))):
        yield Note("runs.driver_impulse_unknown")


def _force_notes(model: ModelDefinition, settings: SimulationSettings) -> Iterator[Note]:
    """Notes about the loads of the run."""
    called = [name for name, force in model.forces.items() if any(map(calls_python, force.options.values()))]
    if settings.user is not None or called:
        yield Note("runs.python_forces", forces=called)
    for name, force in model.forces.items():
        speed = force.options.get("speed")
        if speed and speed > 0 and (force.options.get("coulomb") or force.options.get("effort") is not None):
            factor, unit, _ = model.units.unit(holds_at(model, force.on[0]), 1)
            yield Note("runs.friction_smoothed", force=name, speed=speed / factor, unit=unit)


def _summary(
    tree: Tree,
    solved: DynamicSolution,
    events: list[Event],
    settings: SimulationSettings,
    notes: list[Note],
    forces: Reactions | None,
) -> dict[str, Any]:
    done = solved.done
    return {
        "status": "ok" if done.completed else "stopped",
        "model": tree.model.name,
        "formulation": solved.formulation,
        "rows": len(solved.t),
        "reached": float(done.reached),
        "method": solved.method,
        **({"chosen": str(solved.chosen)} if solved.chosen else {}),
        "tolerance": {"rtol": settings.rtol, "atol": settings.atol},
        "dofs": tree.dofs,
        **({"loops": solved.loops} if solved.loops else {}),
        "steps": {"taken": done.steps, "rejected": done.rejected, "evaluations": done.evaluations},
        "energy": solved.balance.summary(tree.model.units.factor("energy"))
        | ({"projected": done.projected} if solved.loops else {}),
        **(_contacts(tree, solved, forces) if solved.units is not None else {}),
        "motion": law_data_notes(tree.model),
        "events": [event.as_dict() for event in events],
        "warnings": [str(note) for note in notes],
        "files": [],
    }


def _contacts(tree: Tree, solved: DynamicSolution, forces: Reactions | None) -> dict[str, Any]:
    """Events of contacts, and what happened in joints with clearance."""
    clearances = clearance_summary(tree, solved)
    return {"contacts": contact_summary(tree, solved, forces), **({"clearances": clearances} if clearances else {})}


def answer_simulate(definition: ModelDefinition, asked: SimulateOptions) -> Run:
    """Answers the study `simulate`."""
    settings = SimulationSettings(
        RTOL if asked.rtol is None else asked.rtol,
        ATOL if asked.atol is None else asked.atol,
        asked.method or AUTO,
        asked.formulation,
        progress=asked.progress,
        user=generalised_force(asked.force),
        reactions=asked.reactions,
        length_scale=asked.scale,
    )
    return simulate(without_drivers(definition, asked.free), asked.times, settings)
