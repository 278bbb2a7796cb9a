"""Formulation of a simulation: the one asked for, or by itself the tree, unless the model is stiff.

DOP853 on the tree is left where stability and not accuracy bounds its steps (h |λ| > 6.1 in 15 accepted steps; Hairer
and Wanner 1996, IV.2), and either absolute coordinates come as far at less cost, or DOP853 would need more steps than a
run may have. Then Radau in absolute coordinates and, for trees without loops, BDF in joint coordinates are tried, the
likelier one first: bodies that turn fast bound the steps in absolute coordinates, not those in joint coordinates. The
cost is counted in evaluations and steps, so that the choice is the same on every computer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism import Absolute, absolute
from mubo.mechanism.formulations.contact_units import has_contacts
from mubo.mechanism.formulations.tree import Tree
from mubo.note import Note
from mubo.solvers.dynamics.absolute import AbsoluteStart, StartRefused, absolute_run, solve_absolute
from mubo.solvers.dynamics.contact import solve_contact
from mubo.solvers.dynamics.integration import SLICE, StiffnessDetected
from mubo.solvers.dynamics.sensors import event_sensor
from mubo.solvers.dynamics.settings import AUTO, EXPLICIT, STIFF, SimulationSettings
from mubo.solvers.dynamics.simulation_events import require_start
from mubo.solvers.dynamics.solution import DynamicSolution, energy_balance, loops_summary
from mubo.solvers.dynamics.tree_columns import plane_states, tree_columns
from mubo.solvers.dynamics.tree_motion import tree_motion
from mubo.solvers.forces.masses import geared_joints, refuse_armature

COST = 2.0  # of an evaluation in absolute coordinates, with its share of factors, in evaluations of the tree
PROBE = 2_000  # steps in absolute coordinates by which their number to the end is estimated
STABLE = 6.1  # h |λ| of the longest stable step of DOP853


def solve_dynamics(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve the motion by the formulation that the settings name, or by the one that suits the model."""
    if has_contacts(tree.model, tree.mechanism.loads):
        return solve_contact(tree, grid, settings)
    resolved = _resolve(tree, settings)
    if resolved.formulation == "absolute":
        return _solve_absolute(tree, grid, resolved)
    chooses = settings.formulation == AUTO and settings.method == AUTO and settings.user is None
    if chooses:
        resolved = replace(resolved, leave_if_stiff=lambda stiffness: _leaves(tree, grid, stiffness, resolved))
    try:
        return _with_stiffness_note(tree, solve_tree(tree, grid, resolved), settings)
    except StiffnessDetected as stiffness:
        return _solve_stiff(tree, grid, replace(resolved, leave_if_stiff=None), stiffness)


def _solve_stiff(
    tree: Tree, grid: Array, settings: SimulationSettings, stiffness: StiffnessDetected
) -> DynamicSolution:
    """Solve by the stiff methods in turn until one comes to the end, else by DOP853; the farthest motion counts."""
    choices = ["absolute", "tree"] if stiffness.cheaper else ["tree", "absolute"]
    tried = []
    geared, loops = bool(geared_joints(tree.model)), bool(tree.closing.rows)
    for choice in (name for name in choices if not (geared if name == "absolute" else loops)):
        solve, method = (_solve_absolute, "Radau") if choice == "absolute" else (solve_tree, "BDF")
        tried.append(solve(tree, grid, replace(settings, formulation=choice, method=method)))
        if tried[-1].done.completed:
            break
    else:
        tried.append(solve_tree(tree, grid, settings))
    best = max(tried, key=lambda solution: solution.done.reached)
    why = Note(
        "dynamics.stiff",
        rate=stiffness.rate,
        t=stiffness.t,
        best=_method_name(best),
        stopped=[(_method_name(one), one.done.reached) for one in tried if one is not best],
        units=tree.model.units,
    )
    return replace(best, notes=[why, *best.notes], chosen=why)


def _method_name(solution: DynamicSolution) -> str:
    """The explicit method by its name, a stiff one by its formulation."""
    return EXPLICIT if solution.method == EXPLICIT else solution.formulation


def solve_tree(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve in joint coordinates: the tree with its loops closed, or a registered formulation of trees."""
    motion = tree_motion(tree, grid, settings, event_sensor(tree, settings))
    numbers = tree.system.energy(motion.t, motion.q, motion.v, tree.turns(motion.done.states))[3]
    balance = energy_balance(tree.model, numbers, motion.exchanged)
    loops = {}
    if tree.closing.rows:
        equations = [str(equation) for equation in tree.closing.equations]
        loops = loops_summary(list(tree.closing.joints), equations, list(tree.left_out), motion.loops[:, :2])
    return DynamicSolution(
        settings.formulation,
        settings.method,
        tree_columns(tree, motion, balance),
        balance,
        motion.done,
        loops,
        [*motion.notes],
        lost=motion.lost,
        friction=motion.friction,
        loop_margin=np.sqrt(np.maximum(motion.smallest_pivot, 0.0)),
    )


def _solve_absolute(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve in absolute coordinates from the state of the tree; the tree states best why a start is refused."""
    refuse_armature(tree.model)
    form, t = absolute(tree.mechanism), float(grid[0])
    try:
        return solve_absolute(form, _absolute_start(tree, form, t), grid, settings)
    except StartRefused:
        require_start(tree, t, tree.begin(t), None)
        raise


def _absolute_start(tree: Tree, form: Absolute, t: float) -> AbsoluteStart:
    """Initial state of a tree in absolute coordinates: poses, and twists in ground axes."""
    q, v = (line[None].copy() for line in tree.start())
    q, v, _ = tree.system.drive(np.array([t]), q, v)
    links = tree.system.forward(q, v, np.zeros_like(v))
    if form.mechanism.dimension == 2:
        state = plane_states(tree, links, q)[0]
        return AbsoluteStart(state[0].copy(), state[1].copy(), tree.dofs)
    lines = [tree.body_motion(name, links)[0] for name in form.free]
    poses, twists = (np.concatenate([line[part] for line in lines]) for part in (slice(7), slice(7, 13)))
    return AbsoluteStart(poses, twists, tree.dofs)


def _resolve(tree: Tree, settings: SimulationSettings) -> SimulationSettings:
    """Resolve formulation and method to names; combinations that do not exist are refused."""
    formulation, method, loops = settings.formulation, settings.method, bool(tree.closing.rows)
    if formulation == "wittenburg" and (tree.model.dimension == 2 or loops):
        raise ModelError(
            "Wittenburg's equations are those of trees in space",
            suggestion='Use --formulation "tree", which closes loops and knows the plane.',
        )
    if formulation == "absolute" or (formulation == AUTO and method == "Radau" and loops):
        if method not in (AUTO, "Radau"):
            raise ModelError(
                f"absolute coordinates are integrated by Radau; found {method}",
                suggestion="Leave out --method, or use --formulation tree.",
            )
        return replace(settings, formulation="absolute", method="Radau")
    if method in STIFF and loops:
        raise ModelError(
            f"{method} on the tree would let the loops drift open: stiff models with loops are integrated by Radau in "
            "absolute coordinates",
            suggestion="Use --formulation absolute, or leave out --method.",
        )
    return replace(
        settings,
        formulation="tree" if formulation == AUTO else formulation,
        method=EXPLICIT if method == AUTO else method,
    )


def _with_stiffness_note(tree: Tree, solution: DynamicSolution, asked: SimulationSettings) -> DynamicSolution:
    """Add a note on stiffness where the explicit method met it and stayed: it needs less work, or was asked for."""
    if not solution.done.fastest:
        return solution
    if asked.user is not None:
        cure = "looser" if tree.closing.rows else "BDF"
    elif asked.formulation == AUTO and asked.method == AUTO:
        cure = "cheapest"
    else:
        cure = "free"
    by = {"rate": solution.done.fastest, "method": solution.method, "cure": cure}
    note = Note("dynamics.explicit_though_stiff", **by, units=tree.model.units)
    return replace(solution, notes=[*solution.notes, note])


def _leaves(tree: Tree, grid: Array, stiffness: StiffnessDetected, settings: SimulationSettings) -> bool:
    """Whether to leave DOP853: absolute coordinates are cheaper, or it would take more steps than a run may have."""
    most = settings.most_steps(len(grid), event_sensor(tree, settings) is not None)
    stiffness.cheaper = not geared_joints(tree.model) and _is_cheaper(tree, stiffness, settings, most)
    return stiffness.cheaper or (stiffness.end - stiffness.t) * stiffness.rate / STABLE > most


def _is_cheaper(tree: Tree, stiffness: StiffnessDetected, settings: SimulationSettings, most: int) -> bool:
    """Whether absolute coordinates reach the time at which stiffness was detected with less work than the tree, and go
    on so fast that they come to the end in `most` steps."""
    form, start, end = absolute(tree.mechanism), stiffness.start, stiffness.end
    core = absolute_run(form, np.array([start, end]), _absolute_start(tree, form, start), settings)
    status = Status.running
    while status == Status.running and core.t < stiffness.t:
        if COST * core.evaluations >= stiffness.evaluations:
            return False
        status = core.advance(SLICE / 100)
    while status == Status.running and core.steps < PROBE:
        status = core.advance(SLICE / 100)
    return status == Status.done or (status == Status.running and core.steps * (end - start) <= most * (core.t - start))
