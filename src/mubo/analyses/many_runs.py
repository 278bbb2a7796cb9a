"""Many simulations of one mechanism in one call: other initial conditions, other variants, on all cores.

Runs that differ by initial conditions alone share one compiled tree. Where it has no loops, the given coordinates are
entries of its state. Where planar loops are closed by initial coordinates that determine the position, the first
position is continued to that of every run, on the same branch. All other runs are started as `simulate` starts them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.analyses.initial_states import InitialStates, StartedRun, Variant
from mubo.analyses.kinematics import COLUMNS_OF_A_BODY
from mubo.arrays import Array, Integers
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.tree import Tree
from mubo.model import ModelDefinition
from mubo.quantities.output_times import MOST_NUMBERS, OutputTimes
from mubo.results import Columns
from mubo.results.many_runs import OK, ManyRuns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.dynamics.integration import IntegrationResult, event_list
from mubo.solvers.dynamics.settings import AUTO, EXPLICIT, SimulationSettings
from mubo.solvers.dynamics.simulation_events import simulation_events, start_refusal
from mubo.solvers.dynamics.solution import energy_balance
from mubo.solvers.dynamics.tree_columns import tree_columns
from mubo.solvers.dynamics.tree_motion import TreeMotion, integrate, law_corners, motion_at, motion_of_run

MOST_RUNS = 1_000_000  # without a confirmation


@dataclass(frozen=True)
class Runs:
    """The differences between runs: their number, initial values by column of a joint, and the model of each."""

    count: int
    initial: Mapping[str, Array]
    variant: Variant | None = None


def simulate_many(
    model: ModelDefinition,
    times: OutputTimes,
    runs: Runs,
    columns: Sequence[str] | None,
    settings: SimulationSettings,
    threads: int | None = None,
    confirmed: bool = False,
) -> ManyRuns:
    """Simulate every run at start, start + step, … end, by DOP853 on the tree with its loops closed."""
    settings.require_sense()
    settings = replace(settings, formulation="tree", method=EXPLICIT if settings.method == AUTO else settings.method)
    grid = times.grid()
    _require_memory(model, runs.count, len(grid), columns, confirmed)
    if threads is not None and threads < 1:
        raise ModelError(f"threads must be at least 1; found {threads}")
    started = _started(model, grid, runs)
    done = _integrated(started, grid, settings, threads or _cores())
    return _collected(model, grid, started, done, columns, settings)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _require_memory(
    model: ModelDefinition, count: int, rows: int, columns: Sequence[str] | None, confirmed: bool
) -> None:
    """Refuse more numbers than fit into memory, and so many runs that nobody may have meant them."""
    wide = max(COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies), len(columns or ()))
    numbers = float(count) * rows * wide
    if numbers > MOST_NUMBERS:
        raise ModelError(
            f"{count:,} runs of {rows:,} rows are {numbers:.3g} numbers, {8e-9 * numbers:.3g} GB: more than fit into "
            "memory",
            suggestion="Ask for fewer runs in one call, or for fewer rows.",
        )
    if count > MOST_RUNS and not confirmed:
        raise ModelError(
            f"{count:,} runs are more than {MOST_RUNS:,}", suggestion="Give confirmed=True if they are meant."
        )


def _started(model: ModelDefinition, grid: Array, runs: Runs) -> list[StartedRun]:
    """The initial state of every run, or why it has none."""
    start, end = float(grid[0]), float(grid[-1])
    states = InitialStates(model, runs.initial, runs.count, start, end)
    if runs.variant is None:
        return states.of_all()
    return [states.of_variant(runs.variant, k) for k in range(runs.count)]


def _integrated(
    started: list[StartedRun], grid: Array, settings: SimulationSettings, threads: int
) -> list[IntegrationResult | None]:
    """Integrate every run, in as many threads as asked for: the core does not need the interpreter."""
    known: dict[int, tuple[Array, list[Any]]] = {}
    for one in started:
        if one.tree is not None and id(one.tree) not in known:
            known[id(one.tree)] = (law_corners(one.tree.model, grid), event_list(one.tree) if settings.events else [])

    def integrated(one: StartedRun) -> IntegrationResult | None:
        if one.tree is None:
            return None
        corners, watched = known[id(one.tree)]
        return integrate(one.tree, grid, one.y, corners, settings, watched)

    if threads == 1:
        return [integrated(one) for one in started]
    with ThreadPoolExecutor(threads) as pool:
        return [*pool.map(integrated, started, chunksize=16)]


def _collected(
    model: ModelDefinition,
    grid: Array,
    started: list[StartedRun],
    done: list[IntegrationResult | None],
    names: Sequence[str] | None,
    settings: SimulationSettings,
) -> ManyRuns:
    """Columns of all runs as one array, and their statuses in words."""
    values, found = np.full((len(started), len(grid), len(names or ())), np.nan), tuple(names or ())
    units: dict[str, str] = {}
    for runs, columns in _columns_of_runs(grid, started, done, settings):
        if not found:
            found = tuple(name for name in columns if name != "t")
            values = np.full((len(started), len(grid), len(found)), np.nan)
        units = units or {name: columns.unit(name) for name in found if name in columns}
        first = 0
        table = np.stack([_wanted(columns, name) for name in found], axis=-1)
        for k in runs:
            rows = len(done[k].states)  # type: ignore[union-attr]
            values[k, :rows] = table[first : first + rows]
            first += rows
    status = tuple(_status(*pair, settings.method) for pair in zip(started, done, strict=True))
    reached = np.array([np.nan if one is None or not len(one.states) else one.reached for one in done])
    return ManyRuns(model, grid, found, values, status, units, reached)


def _wanted(columns: Columns, name: str) -> Array:
    if name not in columns:
        raise ModelError(f'there is no column "{name}". {nearest(name, columns)}', names=[name])
    return columns[name]


def _columns_of_runs(
    grid: Array, started: list[StartedRun], done: list[IntegrationResult | None], settings: SimulationSettings
) -> Iterator[tuple[list[int], Columns]]:
    """Columns of runs one after the other: in the plane of all that share a tree, in space of each by itself."""
    shared: dict[int, list[int]] = {}
    for k, (one, result) in enumerate(zip(started, done, strict=True)):
        if one.tree is not None and result is not None and len(result.states):  # some have no acceleration at the start
            # In space quaternions and Euler angles are continued along a run.
            shared.setdefault(id(one.tree) if one.tree.model.dimension == 2 else -k - 1, []).append(k)
    for runs in shared.values():
        tree, first = started[runs[0]].tree, done[runs[0]]
        assert tree is not None
        assert first is not None
        states = [done[k].states for k in runs]  # type: ignore[union-attr]
        rows = np.array([len(part) for part in states], np.int32)
        t = np.concatenate([grid[:count] for count in rows])
        if tree.model.dimension == 2:
            motion = motion_at(tree, t, np.concatenate(states), settings)
        else:
            motion = motion_of_run(tree, t, first, law_corners(tree.model, grid), settings)
        yield runs, _columns(tree, motion, rows)


def _columns(tree: Tree, motion: TreeMotion, rows: Integers) -> Columns:
    """Columns of several runs; the balance of energy counts from the start of each."""
    numbers = tree.system.energy(motion.t, motion.q, motion.v, tree.turns(motion.done.states))[3]
    balance = energy_balance(tree.model, numbers, motion.exchanged)
    columns = tree_columns(tree, motion, balance)
    if "energy.error" in columns:
        first = np.repeat(np.cumsum(rows) - rows, rows)
        total = columns.raw("energy.total")
        error = total - total[first] - columns.raw("energy.supplied") + columns.raw("energy.dissipated")
        columns = columns.replaced({"energy.error": error})
    add_measures(tree.model, columns)
    return columns


def _status(one: StartedRun, done: IntegrationResult | None, method: str) -> str:
    if done is None or one.tree is None:
        return one.refused
    if done.status == Status.done:
        return OK
    if not len(done.states):
        return str(start_refusal(one.tree, done.reached, done.status, done.where)).partition("\n")[0]
    events = simulation_events(one.tree, done, method)
    return events[-1].message if events else "ended early"
