"""Simulation in absolute coordinates: every joint and driver is an equation, integrated by Radau IIA.

It serves stiff models, and checks the joint coordinates independently: it takes the equations of the mechanism and an
initial state, and nothing of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, status_text
from mubo.laws import Polynomial
from mubo.laws.chebyshev import pieces_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads, absolute_loads
from mubo.mechanism.formulations.loop_closure import holds_angle
from mubo.mechanism.formulations.state_dependent_loads import absolute_state_loads
from mubo.mechanism.rows import KINDS, first_equation_of_owner
from mubo.model import Units, target_of
from mubo.model.column_names import TIME, driver_columns
from mubo.note import Note
from mubo.results import Column, Columns
from mubo.solvers.columns.columns import plane_columns
from mubo.solvers.columns.space_columns import space_columns, turn_count_notes
from mubo.solvers.dynamics.integration import (
    BY_COLUMNS,
    SLICE,
    EventSensor,
    IntegrationResult,
    event_entry,
    has_unilateral_loads,
)
from mubo.solvers.dynamics.sensors import ColumnSensor
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.solution import (
    DynamicSolution,
    EnergyBalance,
    driver_efforts,
    energy_balance,
    loops_summary,
    redundant_notes,
)
from mubo.solvers.dynamics.tree_motion import law_corners
from mubo.solvers.forces.masses import body_masses
from mubo.solvers.forces.multipliers import states_from_twists, working_equations
from mubo.solvers.forces.reaction_friction import Sizes

Core = _core.PlaneRun | _core.SpatialRun
Pieces = tuple[Array, Array]
RUNS = {2: _core.PlaneRun, 3: _core.SpatialRun}


class StartRefused(ModelError):
    """A motion that cannot begin in absolute coordinates."""


@dataclass(frozen=True)
class AbsoluteStart:
    """Initial coordinates and twists of the moving bodies, and the number of degrees of freedom."""

    q: Array
    twists: Array
    dofs: int


def solve_absolute(form: Absolute, start: AbsoluteStart, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Integrate from a state to the end of the grid, or to where the motion must stop."""
    if settings.user is not None:
        raise ModelError(
            "forces by a function belong to the coordinates of joints: absolute coordinates have none",
            suggestion="Use --formulation tree.",
        )

    def columns_at(t: Array, table: Array) -> tuple[Columns, Sizes]:
        rows = _read_table(form, t, table)
        return rows.columns, rows.friction

    sensor = ColumnSensor(form.mechanism, start.dofs, settings, columns_at)
    core = absolute_run(form, grid, start, settings, sensor=sensor if settings.events else None)
    status = Status.running
    while status == Status.running:
        status = core.advance(SLICE)
        settings.progress(core.t - float(grid[0]), float(grid[-1] - grid[0]))
    if not len(core.rows()):
        when, why = form.model.units.time_text(grid[0]), _reason(form, status, core.where) or status_text(status)
        raise StartRefused(f"at the start, t = {when}: {why}")
    return _solution(form, grid, core, status)


def absolute_run(
    form: Absolute,
    grid: Array,
    state: AbsoluteStart,
    settings: SimulationSettings,
    sensor: EventSensor | None = None,
) -> Core:
    """Return the core's run from a state at the first time of the grid, ready to advance.

    `sensor` evaluates the events that no program of the core evaluates, from lines of the run's table.
    """
    model, start, end = form.model, float(grid[0]), float(grid[-1])
    loads, state_loads = absolute_loads(form.mechanism, prescribed=False), absolute_state_loads(form.mechanism)
    angles = _joint_coordinates(form, start, state)
    corners = law_corners(model, grid)
    watched = [event_entry(model, event, state_loads.watched) for event in model.events.values()] if sensor else []
    make: Any = RUNS[model.dimension]
    core: Core = make(
        form.system,
        body_masses(form),
        np.array(model.gravity, float),
        loads.core,
        first_equation_of_owner([equation.owner for equation in form.equations]),
        _equation_weights(form),
        np.array([equation.kind != "body" for equation in form.equations], np.int32),
        list(_driver_laws(form, start, end)),
        list(_load_laws(form.model.units, loads, start, end)),
        start,
        end,
        state.q,
        state.twists,
        np.array([*(angles.get(name, 0.0) for name in loads.near), *state_loads.near]),
        grid,
        settings.rtol,
        settings.atol,
        has_unilateral_loads(model),
        settings.most_steps(len(grid), any(number == BY_COLUMNS for number, *_ in watched)),
        corners[(corners > start) & (corners < end)],
        state_loads.lists,
        watched,
        sensor,
    )
    return core


def _equation_weights(form: Absolute) -> Array:
    count = {name: rows for name, rows, *_ in KINDS[form.mechanism.dimension]}
    lengths = [not holds_angle(row) for row in form.mechanism.rows for _ in range(count[row.kind])]
    return np.where(lengths, 1 / form.mechanism.size, 1.0)


def _driver_laws(form: Absolute, start: float, end: float) -> Iterator[Pieces]:
    """Laws of the drivers in the coordinates of their equations."""
    mechanism = form.mechanism
    for k, driver in enumerate(form.model.drivers.values()):
        pieces = pieces_of(driver.motion, start, end, f"driver {driver.name}", form.model.units.time_text)
        pieces.coefficients[:, 0, 0] += mechanism.starts[k]
        yield pieces.edges, pieces.coefficients * mechanism.motion_factors[k]


def _load_laws(units: Units, loads: AbsoluteLoads, start: float, end: float) -> Iterator[Pieces]:
    for load in loads.with_law:
        law = (None if load.state_dependent else load.law_of_time()) or Polynomial((0.0,))
        pieces = pieces_of(law, start, end, f"force {load.name}", units.time_text, values_only=True)
        yield pieces.edges, pieces.coefficients


def _joint_coordinates(form: Absolute, t: float, state: AbsoluteStart) -> dict[str, float]:
    """Coordinates of the joints of space at the start, by column; in the plane none is needed to count full turns."""
    if form.mechanism.dimension == 2:
        return {}
    states = states_from_twists(form, state.q, state.twists[None])
    columns = Columns(form.model.units, space_columns(form, np.array([t]), states))
    return {name: float(columns.raw(name)[0]) for name in columns}


@dataclass(frozen=True)
class _TableRows:
    """Columns and residuals that the lines of the core's table give."""

    columns: Columns
    balance: EnergyBalance
    gaps: Array  # times × 2 × equations, with their rates
    friction: dict[str, Array]
    smallest_pivot: Array


def _read_table(form: Absolute, t: Array, table: Array) -> _TableRows:
    count, rows = len(form.free), len(form.equations)
    wide, twist = form.width * count, len(form.mechanism.ambient.twist) * count
    q, v, exchanged, a, gaps, rates, lam, numbers, pivot, sizes = np.split(
        table, np.cumsum([wide, twist, 2, twist, rows, rows, rows, 9, 1]), axis=1
    )
    balance = energy_balance(form.model, numbers, exchanged)
    names = [load.name for load in form.mechanism.loads if load.reaction_friction]
    columns = _columns(form, t, states_from_twists(form, q, v, a), lam, balance)
    gaps = np.stack([gaps, rates], axis=1)
    return _TableRows(columns, balance, gaps, dict(zip(names, sizes.T, strict=True)), pivot[:, 0])


def _solution(form: Absolute, grid: Array, core: Core, status: Status) -> DynamicSolution:
    table = core.rows()
    rows = _read_table(form, grid[: len(table)], table)
    reason = _reason(form, status, core.where)
    done = IntegrationResult.of_run(core, table, status, form.equations, reason=reason)
    working = working_equations(form)
    equations = [str(form.equations[k]) for k in working]
    left_out = [k for k, kept in enumerate(core.active()[working]) if not kept]
    notes = [*redundant_notes([equations[k] for k in left_out]), *turn_count_notes(form, rows.columns)]
    kinds, joints = form.model.kinds, form.model.joints
    closing = [name for name in form.mechanism.tree.cut if kinds[joints[name].kind].rows]
    loops = loops_summary(closing, equations, left_out, rows.gaps[:, :, working])
    margin = np.sqrt(np.maximum(rows.smallest_pivot, 0.0))
    return DynamicSolution(
        "absolute", "Radau", rows.columns, rows.balance, done, loops, notes, friction=rows.friction, loop_margin=margin
    )


def _columns(form: Absolute, t: Array, states: Array, multipliers: Array, balance: EnergyBalance) -> Columns:
    """The table: time, bodies, points and joints, drivers with their efforts, energies."""
    model = form.model
    columns = Columns(model.units, [(TIME, t)])
    columns.extend(plane_columns(form, states) if model.dimension == 2 else space_columns(form, t, states))
    columns.extend(_driver_entries(form, t, multipliers))
    columns.extend(balance.columns())
    return columns


def _driver_entries(form: Absolute, t: Array, multipliers: Array) -> Iterator[tuple[Column, Array]]:
    drivers = {e.name: k for k, e in enumerate(form.equations) if e.kind == "driver"}
    for name, values in driver_efforts(form.mechanism, t, drivers, multipliers):
        holds = target_of(form.model, form.model.drivers[name].of).holds
        yield from zip(driver_columns(name, holds, effort=True), values, strict=True)


def _reason(form: Absolute, status: Status, where: int) -> Note | None:
    """Why a run ended early, where the reasons common to all formulations do not apply."""
    named = str(form.equations[where]) if where >= 0 and status in (Status.open_loop, Status.singular_loop) else ""
    if status == Status.open_loop:
        return Note("events.loop_opens", constraint=named)
    if status == Status.singular_loop:
        return Note("events.loop_singular", constraint=named, absolute=True)
    return Note("events.inertia_lost", motion="") if status == Status.zero_inertia else None
