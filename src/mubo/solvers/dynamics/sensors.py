"""Sensors of events that only the columns of a run have: accelerations, efforts, loads, reactions, energies.

Every look calls Python; what the core can read off a motion by itself has a program there (senses).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.mechanism import Mechanism
from mubo.mechanism.formulations.tree import Tree
from mubo.model.event_target import watched_column
from mubo.results import Column, Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.dynamics.energy_balance import balance_of
from mubo.solvers.dynamics.integrate import LOOKED_AT, Look, watch_list
from mubo.solvers.dynamics.reactions import ReactionSolver
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.tree_columns import tree_columns
from mubo.solvers.dynamics.tree_motion import motion_at
from mubo.solvers.forces.reaction_friction import Sizes

UNDEFINED = ("reaction", "contact")  # kinds of columns that have no value in a change point
Told = Callable[[Array, Array], tuple[Columns, Sizes]]  # columns and sizes of friction by reactions at some states


def look_of(tree: Tree, settings: SimulationSettings) -> Look | None:
    """Answers for the events of a tree that need it; None where none does."""
    asked = [entry == LOOKED_AT for entry, *_ in watch_list(tree)]

    def told(t: Array, states: Array) -> tuple[Columns, Sizes]:
        motion = motion_at(tree, t, states, settings)
        numbers = tree.system.energy(t, motion.q, motion.v, tree.turns(states))[3]
        return tree_columns(tree, motion, balance_of(tree.model, numbers, motion.exchanged)), motion.friction

    return Looking(tree.mechanism, tree.dofs, settings, told) if any(asked) else None


class Looking:
    """The values of events at states of a run, whose columns `told` knows."""

    def __init__(self, mechanism: Mechanism, dofs: int, settings: SimulationSettings, told: Told) -> None:
        self._mechanism, self._dofs, self._settings, self._told = mechanism, dofs, settings, told
        self._watches = list(mechanism.model.events.values())
        self._known: dict[int, Column] = {}

    @cached_property
    def _solver(self) -> ReactionSolver:
        return ReactionSolver(self._mechanism, self._dofs, self._settings.length_scale)

    def __call__(self, number: int, t: Array, states: Array) -> Array:
        """The values of an event at some states."""
        watch, column = self._watches[number], self._column(number)
        columns = self._columns(t, np.ascontiguousarray(states), column.name)
        values = np.ascontiguousarray(columns.raw(column.name), float)
        if column.kind not in UNDEFINED and not np.all(np.isfinite(values)):
            at = float(t[int(np.argmin(np.isfinite(values)))])
            raise SimulationError(f"event {watch.name}: {watch.of} has no value at t = {at:.9g}", names=[watch.name])
        return values

    def _column(self, number: int) -> Column:
        if number not in self._known:  # not at every look: it takes all quantities of the model
            self._known[number] = watched_column(self._mechanism.model, self._watches[number].of)
        return self._known[number]

    def _columns(self, t: Array, states: Array, name: str) -> Columns:
        columns, friction = self._told(t, states)
        if name not in columns and name.partition(".")[0] not in self._mechanism.model.measures:
            columns.extend(self._solver.entries(self._solver.solve(columns, friction)))
        elif name not in columns:
            add_measures(self._mechanism.model, columns)
            if name not in columns:  # a measure of forces
                columns.extend(self._solver.entries(self._solver.solve(columns, friction)))
                add_measures(self._mechanism.model, columns)
        return columns
