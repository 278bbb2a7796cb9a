"""Formulation of a simulation: the one asked for, or by itself the tree, unless the model is stiff.

DOP853 on the tree is left where stability and not accuracy bounds its steps (h |λ| > 6.1 in 15 accepted steps; Hairer
and Wanner 1996, IV.2), and absolute coordinates come as far at less cost. The cost is counted in evaluations, so that
the choice is the same on every computer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism import Absolute, absolute
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.absolute import AbsoluteStart, StartRefused, absolute_run, solve_absolute
from mubo.solvers.dynamics.integration import SLICE, StiffnessDetected
from mubo.solvers.dynamics.sensors import event_sensor
from mubo.solvers.dynamics.settings import AUTO, EXPLICIT, STIFF, SimulationSettings
from mubo.solvers.dynamics.simulation_events import require_start
from mubo.solvers.dynamics.solution import DynamicSolution, energy_balance, loops_summary
from mubo.solvers.dynamics.tree_columns import plane_states, tree_columns
from mubo.solvers.dynamics.tree_motion import tree_motion

COST = 2.0  # of an evaluation in absolute coordinates, with its share of factors, in evaluations of the tree


def solve_dynamics(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve the motion by the formulation that the settings name, or by the one that suits the model."""
    resolved = _resolve(tree, settings)
    if resolved.formulation == "absolute":
        return _solve_absolute(tree, grid, resolved)
    if settings.formulation == AUTO and settings.method == AUTO and settings.user is None:
        resolved = replace(resolved, leave_if_stiff=lambda stiffness: _is_cheaper(tree, stiffness, resolved))
    unit = tree.model.units.unit_of("time") or "unit of time"
    try:
        return _with_stiffness_note(solve_tree(tree, grid, resolved), unit)
    except StiffnessDetected as stiffness:
        solution = _solve_absolute(tree, grid, replace(resolved, formulation="absolute", method="Radau"))
        why = (
            f"the model is stiff (fastest rate {stiffness.rate:.3g} per {unit}, found at t = {stiffness.t:.3g}): "
            "solved in absolute coordinates by Radau, which take longer steps; --formulation tree keeps joint "
            "coordinates"
        )
        return replace(solution, notes=[why, *solution.notes], chosen=why)


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


def _with_stiffness_note(solution: DynamicSolution, unit: str) -> DynamicSolution:
    """Add a note on stiffness where the explicit method met it and stayed."""
    if not solution.done.fastest:
        return solution
    note = (
        f"the model is stiff: its fastest rate, {solution.done.fastest:.3g} per {unit}, bounds the steps of "
        f"{solution.method}; --formulation absolute (Radau) takes longer ones"
    )
    return replace(solution, notes=[*solution.notes, note])


def _is_cheaper(tree: Tree, stiffness: StiffnessDetected, settings: SimulationSettings) -> bool:
    """Whether absolute coordinates reach the time at which stiffness was detected with less work than the tree."""
    form, start = absolute(tree.mechanism), stiffness.start
    state = _absolute_start(tree, form, start)
    core = absolute_run(form, np.array([start, stiffness.t]), state, settings, span=(start, stiffness.end))
    status = Status.running
    while status == Status.running and COST * core.evaluations < stiffness.evaluations:
        status = core.advance(SLICE / 100)
    return status == Status.done and COST * core.evaluations < stiffness.evaluations
