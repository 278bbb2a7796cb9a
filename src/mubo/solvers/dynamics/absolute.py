"""A simulation in absolute coordinates: every joint and driver is an equation, integrated by Radau IIA.

For stiff models, and as the independent check of the joint coordinates: it takes the equations of the Mechanism and a
state to begin with, and nothing of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, status_text
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.model.column_names import TIME, driver_columns
from mubo.results import Column, Columns
from mubo.solvers.columns.plane_columns import plane_columns
from mubo.solvers.columns.space_columns import space_columns, turn_count_notes
from mubo.solvers.dynamics.absolute_run import Core, absolute_run
from mubo.solvers.dynamics.absolute_states import AbsoluteStart, states_of
from mubo.solvers.dynamics.energy_balance import EnergyBalance, balance_of
from mubo.solvers.dynamics.integrate import SLICE, Integrated
from mubo.solvers.dynamics.sensors import Looking
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.solution import DynamicSolution, loops_summary, redundant_notes, row_efforts
from mubo.solvers.forces.multipliers import working_equations
from mubo.solvers.forces.reaction_friction import Sizes

TWIST = {2: 3, 3: 6}


class StartRefused(ModelError):
    """A motion that cannot begin in absolute coordinates."""


def by_absolute(form: Absolute, start: AbsoluteStart, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """From a state to the end of the grid, or to where the motion must stop."""
    if settings.user is not None:
        raise ModelError(
            "forces by a function belong to the coordinates of joints: absolute coordinates have none",
            suggestion="Use --formulation tree.",
        )

    def told(t: Array, table: Array) -> tuple[Columns, Sizes]:
        told = _table_columns(form, t, table)
        return told.columns, told.friction

    look = Looking(form.mechanism, start.dofs, settings, told)
    core = absolute_run(form, grid, start.state, settings, look=look)
    status = Status.running
    while status == Status.running:
        status = core.advance(SLICE)
        settings.progress(core.t - float(grid[0]), float(grid[-1] - grid[0]))
    if not len(core.rows()):
        raise StartRefused(f"at the start, t = {grid[0]:g}: {_reason(form, status, core.where) or status_text(status)}")
    return _solved(form, grid, core, status)


@dataclass(frozen=True)
class _TableColumns:
    """The columns that lines of the core's table give."""

    columns: Columns
    balance: EnergyBalance
    gaps: Array  # times × 2 × equations, with their rates
    friction: dict[str, Array]
    weakest: Array


def _table_columns(form: Absolute, t: Array, table: Array) -> _TableColumns:
    count = len(form.free)
    wide, twist, rows = form.width * count, TWIST[form.mechanism.dimension] * count, len(form.equations)
    q, v, exchanged, a, gaps, rates, lam, numbers, weakest, sizes = np.split(
        table, np.cumsum([wide, twist, 2, twist, rows, rows, rows, 9, 1]), axis=1
    )
    balance = balance_of(form.model, numbers, exchanged)
    friction = dict(zip([load.name for load in form.mechanism.loads if load.reaction_friction], sizes.T, strict=True))
    columns = _columns(form, t, states_of(form, q, v, a), lam, balance)
    return _TableColumns(columns, balance, np.stack([gaps, rates], axis=1), friction, weakest[:, 0])


def _solved(form: Absolute, grid: Array, core: Core, status: Status) -> DynamicSolution:
    table = core.rows()
    told = _table_columns(form, grid[: len(table)], table)
    numbers_met, times = core.events()
    done = Integrated(
        table,
        core.t,
        status,
        core.where,
        steps=core.steps,
        rejected=core.rejected,
        evaluations=core.evaluations,
        met=[(int(n), float(at)) for n, at in zip(numbers_met, times, strict=True)],
        ends=core.ends(),
        reason=_reason(form, status, core.where),
        passed=[(at, form.equations[row]) for at, row in zip(*core.crossings(), strict=True)],
        taken=core.taken,
    )
    working = working_equations(form)
    equations = [str(form.equations[k]) for k in working]
    left_out = [k for k, kept in enumerate(core.active()[working]) if not kept]
    notes = [*redundant_notes([equations[k] for k in left_out]), *turn_count_notes(form, told.columns)]
    model = form.model
    closing = [name for name in form.mechanism.tree.cut if model.kinds[model.joints[name].kind].rows]
    loops = loops_summary(closing, equations, left_out, told.gaps[:, :, working])
    clear = np.sqrt(np.maximum(told.weakest, 0.0))
    return DynamicSolution(
        "absolute", "Radau", told.columns, told.balance, done, loops, notes, friction=told.friction, clear=clear
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
    for name, values in row_efforts(form.mechanism, t, drivers, multipliers):
        holds = target_of(form.model, form.model.drivers[name].of).holds
        yield from zip(driver_columns(name, holds, effort=True), values, strict=True)


def _reason(form: Absolute, status: Status, where: int) -> str:
    """Why a run ended early, where the common reasons of all formulations do not apply."""
    named = str(form.equations[where]) if where >= 0 and status in (Status.open_loop, Status.singular_loop) else ""
    if status == Status.open_loop:
        return f"{named} cannot be kept closed any more"
    if status == Status.singular_loop:
        return (
            f"the mechanism comes to a singular position, in which {named} no longer holds it together, and "
            "absolute coordinates did not come past it. Use --formulation tree, or start a little beside"
        )
    if status == Status.zero_inertia:
        return "a motion that the joints leave free lost its inertia: nothing resists it"
    return ""
