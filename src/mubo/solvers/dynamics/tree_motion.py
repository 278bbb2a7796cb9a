"""The motion of a tree over a time grid, by its recursions or by Wittenburg's equations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SimulationError, status_text
from mubo.laws import Law
from mubo.laws.law import breaks_of
from mubo.mechanism.formulations.tree import Tree
from mubo.model import ModelDefinition
from mubo.solvers.dynamics.integrate import Integrated, Look, integrate, watch_list
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.simulation_events import require_start
from mubo.solvers.dynamics.unwrap import Between, euler_angles

# Formulations that are registered by name and loaded when asked for: functions of a tree, a time grid and settings.
REGISTERED = {"wittenburg": "mubo.legacy.wittenburg.integrate:by_wittenburg"}


@dataclass(frozen=True)
class TreeMotion:
    """Positions, velocities and accelerations of the core at the output times reached, and how they came about."""

    t: Array
    q: Array
    v: Array
    a: Array
    effort: Array  # of each velocity: what a driver needs
    angles: dict[int, Array]  # Euler angles of balls that have them, by link
    exchanged: Array | None  # energies dissipated and supplied; None where they are not known
    done: Integrated
    notes: tuple[str, ...] = ()
    loops: Array = field(default_factory=lambda: np.zeros((0, 3, 0)))  # gaps, rates and multipliers of closing rows
    friction: dict[str, Array] = field(default_factory=dict)  # sizes of friction by reactions, at the rows
    weakest: Array = field(default_factory=lambda: np.ones(0))  # smallest pivot of the loops over its size, at the rows
    lost: dict[str, float] = field(default_factory=dict)  # joints whose Euler angles met their singular position: when


def tree_motion(tree: Tree, grid: Array, settings: SimulationSettings, look: Look | None) -> TreeMotion:
    """From the initial conditions to the end of the grid, or to where the motion must stop."""
    y = tree.begin(float(grid[0]))
    require_start(tree, float(grid[0]), y, settings.user)
    if settings.formulation in REGISTERED:
        module, name = REGISTERED[settings.formulation].split(":")
        done, a, angles, notes = getattr(import_module(module), name)(tree, grid, settings)
        t = grid[: len(done.states)]
        q, v, _, effort = _accelerated(tree, t, done, settings)
        exchanged = None if tree.model.forces or tree.model.drivers else done.states[:, -2:]
        return TreeMotion(t, q, v, a, effort, angles, exchanged, done, tuple(notes))
    corners = corners_of(tree.model, grid)
    done = integrate(tree, grid, y, corners, settings, watch_list(tree), look)
    t = grid[: len(done.states)]
    between = _states_between(tree, corners, settings)
    euler = euler_angles(tree, t, done.states, done.ends, between, max(settings.rtol, settings.atol))
    accelerated = _accelerated(tree, t, done, settings)
    loops, weakest = _loops(tree, t, *accelerated[:2], tree.turns(done.states), settings)
    exchanged, friction = (
        done.states[:, -2:],
        _friction_sizes(tree, t, *accelerated[:2], tree.turns(done.states), settings),
    )
    return TreeMotion(
        t, *accelerated, euler.angles, exchanged, done, loops=loops, lost=euler.lost, friction=friction, weakest=weakest
    )


def motion_at(tree: Tree, t: Array, states: Array, settings: SimulationSettings) -> TreeMotion:
    """The motion at some states of a run; Euler angles, which only a whole run determines, are NaN."""
    done = Integrated(states, float(t[-1]))
    accelerated = _accelerated(tree, t, done, settings)
    loops, weakest = _loops(tree, t, *accelerated[:2], tree.turns(states), settings)
    euler = {m.link: np.full((len(t), 3), np.nan) for m in tree.links.motions if m.euler}
    friction = _friction_sizes(tree, t, *accelerated[:2], tree.turns(states), settings)
    return TreeMotion(t, *accelerated, euler, states[:, -2:], done, loops=loops, friction=friction, weakest=weakest)


def _friction_sizes(
    tree: Tree, t: Array, q: Array, v: Array, near: Array | None, settings: SimulationSettings
) -> dict[str, Array]:
    """Sizes of friction that depends on a reaction."""
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
    """Gaps, their rates and multipliers of the rows that close loops, and their weakest pivot, at every row."""
    if not tree.closing.rows:
        return np.zeros((len(t), 3, 0)), np.ones(len(t))
    status, _, rows, weakest = _core.loop_rows(tree.system, t, q, v, settings.user, near)
    if status != Status.done:
        raise SimulationError(f"the loops cannot be evaluated ({status_text(status)})")
    return rows, weakest


def _states_between(tree: Tree, corners: Array, settings: SimulationSettings) -> Between:
    """States at times between rows, by the same method from the row before."""
    quiet = replace(settings, progress=lambda done, total: None)

    def between(start: float, state: Array, times: Array) -> Array:
        done = integrate(tree, np.append(start, times), state, corners, quiet, [])
        if not done.whole:
            raise SimulationError(f"the motion between rows cannot be followed again from t = {start:.9g}")
        return done.states[1:]

    return between


def corners_of(model: ModelDefinition, grid: Array) -> Array:
    """Times at which a law of a driver or force has a corner: steps end there."""
    laws = [driver.motion for driver in model.drivers.values()]
    laws += [value for force in model.forces.values() for value in force.options.values() if isinstance(value, Law)]
    times = {float(t) for law in laws for t in breaks_of(law, float(grid[0]), float(grid[-1]))}
    return np.array(sorted(times))


def _accelerated(
    tree: Tree, t: Array, done: Integrated, settings: SimulationSettings
) -> tuple[Array, Array, Array, Array]:
    """q and v of the states with the driven ones by their laws, accelerations and efforts by articulated bodies."""
    nq, nv = tree.links.positions, tree.links.velocities
    q, v, _ = tree.system.drive(t, np.ascontiguousarray(done.states[:, :nq]), done.states[:, nq : nq + nv].copy())
    near = tree.turns(done.states)
    status, _, rows, a, effort = tree.system.aba(t, q, v, np.zeros_like(v), settings.user, near)
    if status != Status.done:
        raise SimulationError(f"the accelerations of the row at t = {t[rows]:g} cannot be computed (status {status})")
    return q, v, a, effort
