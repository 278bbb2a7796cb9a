"""Which form a simulation takes: the one asked for, or by itself the tree, unless the model is stiff.

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
from mubo.mechanism import absolute
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.absolute import StartRefused, by_absolute
from mubo.solvers.dynamics.absolute_run import absolute_run
from mubo.solvers.dynamics.absolute_states import start_of_tree
from mubo.solvers.dynamics.integrate import SLICE, Stiff
from mubo.solvers.dynamics.settings import AUTO, EXPLICIT, STIFF, SimulationSettings
from mubo.solvers.dynamics.simulation_events import require_start
from mubo.solvers.dynamics.solution import DynamicSolution
from mubo.solvers.dynamics.tree import by_tree

COST = 2.0  # of an evaluation in absolute coordinates, with its share of factors, in evaluations of the tree


def solved_by(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """The motion by the form that the settings name, or by the one that suits the model."""
    way = _resolved(tree, settings)
    if way.formulation == "absolute":
        return _by_absolute(tree, grid, way)
    free = settings.formulation == AUTO and settings.method == AUTO and settings.user is None
    if not free:
        return _with_stiffness_note(tree, by_tree(tree, grid, way))

    def leaves(found: Stiff) -> bool:
        return _cheaper(tree, found, way)

    try:
        return _with_stiffness_note(tree, by_tree(tree, grid, replace(way, leaves=leaves)))
    except Stiff as found:
        solved = _by_absolute(tree, grid, replace(way, formulation="absolute", method="Radau"))
        why = (
            f"the model is stiff (fastest rate {found.rate:.3g} per unit of time, found at t = {found.t:.3g}): solved "
            "in absolute coordinates by Radau, which take longer steps; --formulation tree keeps joint coordinates"
        )
        return replace(solved, notes=[why, *solved.notes], chosen=why)


def _by_absolute(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """In absolute coordinates from where the tree begins; where that is refused, the tree knows best what keeps it."""
    form, t = absolute(tree.mechanism), float(grid[0])
    try:
        return by_absolute(form, start_of_tree(tree, form, t), grid, settings)
    except StartRefused:
        require_start(tree, t, tree.begin(t), None)
        raise


def _resolved(tree: Tree, settings: SimulationSettings) -> SimulationSettings:
    """Formulation and method by name; refuses what does not go together."""
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


def _with_stiffness_note(tree: Tree, solved: DynamicSolution) -> DynamicSolution:
    """The solution with a note on stiffness where the explicit method met it and stayed."""
    if not solved.done.fastest:
        return solved
    note = (
        f"the model is stiff: its fastest rate, {solved.done.fastest:.3g} per unit of time, bounds the steps of "
        f"{solved.method}"
    )
    note += "; --formulation absolute (Radau) takes longer ones"
    return replace(solved, notes=[*solved.notes, note])


def _cheaper(tree: Tree, found: Stiff, settings: SimulationSettings) -> bool:
    """Whether absolute coordinates come to where the model was found stiff with less work than the tree."""
    form, start = absolute(tree.mechanism), found.start
    state = start_of_tree(tree, form, start).state
    core = absolute_run(form, np.array([start, found.t]), state, settings, span=(start, found.end))
    status = Status.running
    while status == Status.running and COST * core.evaluations < found.evaluations:
        status = core.advance(SLICE / 100)
    return status == Status.done and COST * core.evaluations < found.evaluations
