"""Sensors of events that only the columns of a run have: accelerations, efforts, loads, reactions, energies.

Each evaluation calls Python; quantities that the core can evaluate by itself have a program there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.mappings import cached_property
from mubo.mechanism import Mechanism
from mubo.mechanism.formulations.tree import Tree
from mubo.model.event_target import watched_column
from mubo.results import Column, Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.dynamics.integration import BY_COLUMNS, EventSensor, event_list
from mubo.solvers.dynamics.reactions import ReactionSolver
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.solution import energy_balance
from mubo.solvers.dynamics.tree_columns import tree_columns
from mubo.solvers.dynamics.tree_motion import motion_at
from mubo.solvers.forces.reaction_friction import Sizes

UNDEFINED = ("reaction", "contact")  # kinds of columns that have no value in a change point
ColumnsAt = Callable[[Array, Array], tuple[Columns, Sizes]]  # columns and sizes of reaction friction at some states


def event_sensor(tree: Tree, settings: SimulationSettings) -> EventSensor | None:
    """Return the sensor of a tree whose events need the columns; None where no event does."""
    needed = settings.events and any(entry == BY_COLUMNS for entry, *_ in event_list(tree))

    def columns_at(t: Array, states: Array) -> tuple[Columns, Sizes]:
        motion = motion_at(tree, t, states, settings)
        numbers = tree.system.energy(t, motion.q, motion.v, tree.turns(states))[3]
        return tree_columns(tree, motion, energy_balance(tree.model, numbers, motion.exchanged)), motion.friction

    return ColumnSensor(tree.mechanism, tree.dofs, settings, columns_at) if needed else None


class ColumnSensor:
    """Values of events at states of a run, whose columns `columns_at` computes."""

    def __init__(self, mechanism: Mechanism, dofs: int, settings: SimulationSettings, columns_at: ColumnsAt) -> None:
        self._mechanism, self._dofs, self._settings, self._columns_at = mechanism, dofs, settings, columns_at
        self._events = list(mechanism.model.events.values())

    @cached_property
    def _solver(self) -> ReactionSolver:
        return ReactionSolver(self._mechanism, self._dofs, self._settings.length_scale)

    def __call__(self, number: int, t: Array, states: Array) -> Array:
        """Return the values of an event at some states."""
        event, column = self._events[number], self._event_columns[number]
        columns = self._columns(t, np.ascontiguousarray(states), column.name)
        values = np.ascontiguousarray(columns.raw(column.name), float)
        if column.kind not in UNDEFINED and not np.all(np.isfinite(values)):
            at = columns.units.time_text(float(t[int(np.argmin(np.isfinite(values)))]))
            raise SimulationError(f"event {event.name}: {event.of} has no value at t = {at}", names=[event.name])
        return values

    @cached_property
    def _event_columns(self) -> list[Column]:
        return [watched_column(self._mechanism.model, event.of) for event in self._events]

    def _columns(self, t: Array, states: Array, name: str) -> Columns:
        columns, friction = self._columns_at(t, states)
        if name not in columns and name.partition(".")[0] not in self._mechanism.model.measures:
            columns.extend(self._solver.entries(self._solver.solve(columns, friction)))
        elif name not in columns:
            add_measures(self._mechanism.model, columns)
            if name not in columns:  # a measure of forces
                columns.extend(self._solver.entries(self._solver.solve(columns, friction)))
                add_measures(self._mechanism.model, columns)
        return columns
