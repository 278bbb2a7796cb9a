"""Motion of a tree over a time grid, by its recursions or by a registered formulation such as Wittenburg's."""

from __future__ import annotations

from dataclasses import field, replace
from importlib import import_module

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SimulationError, status_text
from mubo.laws import Law
from mubo.laws.law import breaks_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.tree import Tree
from mubo.model import ModelDefinition
from mubo.note import Note
from mubo.solvers.dynamics.integration import (
    ENERGY_FREE,
    SLICE,
    EventSensor,
    IntegrationResult,
    StiffnessDetected,
    Watched,
    absolute_tolerances,
    event_list,
)
from mubo.solvers.dynamics.settings import STIFF, SimulationSettings
from mubo.solvers.dynamics.simulation_events import require_start
from mubo.solvers.dynamics.stiff import StiffIntegrator
from mubo.solvers.dynamics.unwrap import StatesBetween, euler_angles

# Formulations that are registered by name and loaded when asked for: functions of a tree, a time grid and settings.
REGISTERED = {"wittenburg": "mubo.legacy.wittenburg.integrate:by_wittenburg"}


@dataclass(frozen=True)
class TreeMotion:
    """Positions, velocities and accelerations of the core at the output times reached, and how they were integrated."""

    t: Array
    q: Array
    v: Array
    a: Array
    effort: Array  # driver force or torque of each velocity
    angles: dict[int, Array]  # Euler angles of the balls that have them, by link
    exchanged: Array | None  # energies dissipated and supplied; None where they are not known
    done: IntegrationResult
    notes: tuple[Note, ...] = ()
    loops: Array = field(default_factory=lambda: np.zeros((0, 3, 0)))  # gaps, rates, multipliers of closing equations
    friction: dict[str, Array] = field(default_factory=dict)  # sizes of reaction friction at the rows
    smallest_pivot: Array = field(default_factory=lambda: np.ones(0))  # of the loops, relative, at the rows
    lost: dict[str, float] = field(default_factory=dict)  # joints whose Euler angles became singular: first time


def tree_motion(tree: Tree, grid: Array, settings: SimulationSettings, sensor: EventSensor | None) -> TreeMotion:
    """Integrate from the initial conditions to the end of the grid, or to where the motion must stop."""
    y = tree.begin(float(grid[0]))
    require_start(tree, float(grid[0]), y, settings.user)
    if settings.formulation in REGISTERED:
        return _registered_motion(tree, grid, settings)
    corners = law_corners(tree.model, grid)
    done = integrate(tree, grid, y, corners, settings, event_list(tree) if settings.events else [], sensor)
    return motion_of_run(tree, grid[: len(done.states)], done, corners, settings)


def motion_of_run(
    tree: Tree, t: Array, done: IntegrationResult, corners: Array, settings: SimulationSettings
) -> TreeMotion:
    """Motion at the rows of a whole run, with its Euler angles."""
    between = _states_between(tree, corners, settings)
    euler = euler_angles(tree, t, done.states, done.ends, between, max(settings.rtol, settings.atol))
    return replace(motion_at(tree, t, done.states, settings), done=done, angles=euler.angles, lost=euler.lost)


def motion_at(tree: Tree, t: Array, states: Array, settings: SimulationSettings) -> TreeMotion:
    """Motion at some states of a run; its Euler angles are NaN, because only a whole run determines them."""
    q, v, a, effort = _accelerations(tree, t, states, settings)
    loops, smallest_pivot = _loops(tree, t, q, v, tree.turns(states), settings)
    return TreeMotion(
        t,
        q,
        v,
        a,
        effort,
        {m.link: np.full((len(t), 3), np.nan) for m in tree.links.motions if m.euler},
        states[:, -2:],
        IntegrationResult(states, float(t[-1])),
        loops=loops,
        friction=_friction_sizes(tree, t, q, v, tree.turns(states), settings),
        smallest_pivot=smallest_pivot,
    )


def _registered_motion(tree: Tree, grid: Array, settings: SimulationSettings) -> TreeMotion:
    """Motion by a formulation that is registered by name."""
    module, name = REGISTERED[settings.formulation].split(":")
    done, a, angles, notes = getattr(import_module(module), name)(tree, grid, settings)
    t = grid[: len(done.states)]
    q, v, _, effort = _accelerations(tree, t, done.states, settings)
    exchanged = None if tree.model.forces or tree.model.drivers else done.states[:, -2:]
    return TreeMotion(t, q, v, a, effort, angles, exchanged, done, tuple(notes))


def integrate(
    tree: Tree,
    grid: Array,
    y: Array,
    corners: Array,
    settings: SimulationSettings,
    watched: list[Watched],
    sensor: EventSensor | None = None,
) -> IntegrationResult:
    """Integrate by the method of the settings: DOP853 in the core, or a stiff method on the core's right side."""
    if len(grid) == 1:
        return IntegrationResult(y[None], float(grid[0]))  # the start itself: nothing to integrate
    if settings.method in STIFF:
        return StiffIntegrator(tree, grid, y, settings, watched, sensor).run(corners)
    atol = absolute_tolerances(tree, grid, y, settings, ENERGY_FREE)
    start, end = float(grid[0]), float(grid[-1])
    stops, most = corners[(corners > start) & (corners < end)], settings.most_steps(len(grid), sensor is not None)
    run = _core.TreeRun(
        tree.system, start, end, y, grid, settings.rtol, atol, 0.0, end - start, most, stops,
        watched, settings.user, sensor,
    )  # fmt: skip
    status = _advance_to_end(run, start, end, settings)
    return IntegrationResult.of_run(
        run,
        run.states(),
        status,
        tree.closing.equations,
        component=run.component,
        impulses=run.impulses(),
        last=run.last(),
        fastest=run.stiffness[0],
    )


def _advance_to_end(run: _core.TreeRun, start: float, end: float, settings: SimulationSettings) -> Status:
    """Advance slice by slice; where the model is first found to be stiff, the settings may ask to leave."""
    status = Status.running
    while status == Status.running:
        known = run.stiffness[0] > 0
        status = run.advance(SLICE)
        settings.progress(run.t - start, end - start)
        if settings.leave_if_stiff is not None and run.stiffness[0] > 0 and not known and status == Status.running:
            stiffness = StiffnessDetected(*run.stiffness, start, end)
            if settings.leave_if_stiff(stiffness):
                raise stiffness
    return status


def _friction_sizes(
    tree: Tree, t: Array, q: Array, v: Array, near: Array | None, settings: SimulationSettings
) -> dict[str, Array]:
    """Sizes of the friction that depends on a reaction."""
    names = [load.name for load in tree.mechanism.loads if load.reaction_friction is not None]
    if not names:
        return {}
    status, _, sizes = _core.frictions_at(tree.system, t, q, v, settings.user, near)
    if status != Status.done:
        raise SimulationError(f"friction cannot be evaluated ({status_text(status)})")
    return dict(zip(names, sizes.T, strict=True))


def _loops(
    tree: Tree, t: Array, q: Array, v: Array, near: Array | None, settings: SimulationSettings
) -> tuple[Array, Array]:
    """Gaps, their rates and multipliers of the equations that close loops, and their smallest pivot, at every row."""
    if not tree.closing.rows:
        return np.zeros((len(t), 3, 0)), np.ones(len(t))
    status, _, rows, smallest_pivot = _core.loop_rows(tree.system, t, q, v, settings.user, near)
    if status != Status.done:
        raise SimulationError(f"the loops cannot be evaluated ({status_text(status)})")
    return rows, smallest_pivot


def _states_between(tree: Tree, corners: Array, settings: SimulationSettings) -> StatesBetween:
    """Return the function that integrates states between rows, by the same method from the row before."""
    quiet = replace(settings, progress=lambda done, total: None)

    def between(start: float, state: Array, times: Array) -> Array:
        done = integrate(tree, np.append(start, times), state, corners, quiet, [])
        if not done.completed:
            when = tree.model.units.time_text(start)
            raise SimulationError(f"the motion between rows cannot be followed again from t = {when}")
        return done.states[1:]

    return between


def law_corners(model: ModelDefinition, grid: Array) -> Array:
    """Times at which a law of a driver or force has a corner: steps end there."""
    laws = [driver.motion for driver in model.drivers.values()]
    laws += [value for force in model.forces.values() for value in force.options.values() if isinstance(value, Law)]
    times = {float(t) for law in laws for t in breaks_of(law, float(grid[0]), float(grid[-1]))}
    return np.array(sorted(times))


def _accelerations(
    tree: Tree, t: Array, states: Array, settings: SimulationSettings
) -> tuple[Array, Array, Array, Array]:
    """Positions and velocities with the driven ones by their laws; accelerations and efforts by articulated bodies."""
    nq, nv = tree.links.positions, tree.links.velocities
    q, v, _ = tree.system.drive(t, np.ascontiguousarray(states[:, :nq]), states[:, nq : nq + nv].copy())
    status, _, rows, a, effort = tree.system.aba(t, q, v, np.zeros_like(v), settings.user, tree.turns(states))
    if status != Status.done:
        when = tree.model.units.time_text(t[rows])
        raise SimulationError(f"the accelerations of the row at t = {when} cannot be computed: {status_text(status)}")
    return q, v, a, effort
