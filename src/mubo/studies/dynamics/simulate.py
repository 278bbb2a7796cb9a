"""Forward dynamics of a spatial tree from initial conditions, with its energy balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, nearest
from mubo.mechanism import mechanism_of
from mubo.mechanism.forms.tree import Tree, tree_form
from mubo.model import GROUND, Model, target_of
from mubo.motion.law import breaks_of
from mubo.results import Column, Columns, Event, Record, Run
from mubo.results.schema import TIME, driver_columns
from mubo.studies.dynamics.balance import Balance, balance_of
from mubo.studies.dynamics.by_wittenburg import by_wittenburg
from mubo.studies.dynamics.integrate import METHODS, Integrated, integrate
from mubo.studies.dynamics.simulation_events import start_error, stop_event, watched_events
from mubo.studies.dynamics.unwrap import euler_angles
from mubo.studies.motion.kinematics import time_grid
from mubo.studies.motion.notes import law_corners
from mubo.studies.motion.space_columns import moving_columns

RTOL, ATOL = 1e-10, 1e-10
FORMULATIONS = ("tree", "wittenburg")


@dataclass(frozen=True)
class SimulationSettings:
    """Tolerances and method of an integration; `user(t, q, v)` answers generalised forces of the core's velocities."""

    rtol: float = RTOL
    atol: float = ATOL
    method: str = "DOP853"
    formulation: str = "tree"  # or "wittenburg", the independent check
    max_steps: int = 10_000_000
    progress: Callable[[float, float], None] = lambda done, total: None
    user: Callable[[float, Array, Array], Array] | None = None


def simulate(model: Model, start: float, end: float, step: float, settings: SimulationSettings) -> Run:
    """The motion at start, start + step, … end, integrated to the tolerances.

    A run that stops early answers the rows reached, with status "stopped" and the reason as its last event; an event
    that the model asked to stop at is an ordinary end.
    """
    _require(model, settings)
    grid = time_grid(start, end, step, 19 * len(model.bodies))
    notes = law_corners(model, grid)
    if grid[-1] < end - 1e-9 * step:
        notes.append(f"the step does not divide the time: the run ends with its last row, t = {grid[-1]:.9g}")
    tree = tree_form(mechanism_of(model), float(grid[0]), float(grid[-1]))
    y = np.concatenate([*tree.start(), [0.0, 0.0]])
    fault = start_error(tree, float(grid[0]), y, settings.user)
    if fault is not None:
        raise fault
    told: list[str] = []
    if settings.formulation == "wittenburg":
        done, a, angles, told = by_wittenburg(tree, grid, settings)
    else:
        done = integrate(tree, grid, y, _corners(model, grid), settings)
        angles = euler_angles(tree, grid[: len(done.states)], done.states, settings)
    t = grid[: len(done.states)]
    q, v, accelerations, effort = _motion(tree, t, done, settings)
    if settings.formulation == "tree":
        a = accelerations
    links = tree.system.forward(q, v, a)
    bodies = {name: tree.body_motion(name, links) for name in model.bodies if name != GROUND}
    columns = Columns(model.units, [(TIME, t)])
    columns.extend(moving_columns(model, bodies, tree.joint_columns(q, v, a, angles)))
    exchanged = done.states[:, -2:] if settings.formulation == "tree" or not (model.forces or model.drivers) else None
    balance = balance_of(tree, t, q, v, exchanged)
    columns.extend(_driver_entries(tree, v, q, effort))
    columns.extend(balance.columns())
    events = watched_events(tree, done)
    stopped = stop_event(tree, done, told)
    if stopped is not None:
        events.append(stopped)
    return Run(
        columns=columns,
        events=events,
        summary=_summary(tree, t, done, balance, events, stopped is not None, columns, settings, [*told, *notes]),
        record=Record(
            model=model,
            study="simulate",
            formulation=settings.formulation,
            times=(start, end, step),
            settings=settings,
            form=tree,
            tolerance=settings.rtol,
        ),
    )


def _require(model: Model, settings: SimulationSettings) -> None:
    if model.linkage is not None:
        raise ModelError("a deck has no masses and no forces: it cannot be simulated")
    if model.dimension != 3:
        raise ModelError(
            "a simulation needs a spatial model: this one is planar",
            suggestion="Write dimension = 3; a planar mechanism may be placed in space.",
        )
    if settings.formulation not in FORMULATIONS:
        known = nearest(settings.formulation, FORMULATIONS)
        raise ModelError(f'a simulation has no formulation "{settings.formulation}". {known}')
    if settings.method not in METHODS:
        raise ModelError(f'there is no method "{settings.method}". {nearest(settings.method, METHODS)}')
    for name in ("rtol", "atol"):
        if not 0 < getattr(settings, name) < 1:
            raise ModelError(f"{name} must be positive and below 1; found {getattr(settings, name):g}")
    if settings.rtol < 1e-15:
        raise ModelError(f"rtol {settings.rtol:g} is below what double precision can hold; take 1e-14 or more")


def _corners(model: Model, grid: Array) -> Array:
    """Times at which a law of a driver or force has a corner: steps end there."""
    laws = [driver.motion for driver in model.drivers.values()]
    laws += [value for force in model.forces.values() for value in force.options.values() if hasattr(value, "domain")]
    times = {float(t) for law in laws for t in breaks_of(law, float(grid[0]), float(grid[-1]))}
    return np.array(sorted(times))


def _motion(tree: Tree, t: Array, done: Integrated, settings: SimulationSettings) -> tuple[Array, ...]:
    nq, nv = tree.links.positions, tree.links.velocities
    q, v, _ = tree.system.drive(t, np.ascontiguousarray(done.states[:, :nq]), done.states[:, nq : nq + nv].copy())
    status, _, rows, a, effort = tree.system.aba(t, q, v, np.zeros_like(v), settings.user)
    if status != Status.done:
        raise SimulationError(f"the accelerations of the row at t = {t[rows]:g} cannot be computed (status {status})")
    return q, v, a, effort


def _driver_entries(tree: Tree, v: Array, q: Array, effort: Array) -> Iterator[tuple[Column, Array]]:
    for name, number in tree.driven.items():
        motion = next(m for m in tree.links.motions if m.v.start == number)
        holds = target_of(tree.model, tree.model.drivers[name].of).holds
        values = (q[:, motion.q.start], v[:, number], effort[:, number])
        yield from zip(driver_columns(name, holds, effort=True), values, strict=True)


def _summary(
    tree: Tree,
    t: Array,
    done: Integrated,
    balance: Balance,
    events: list[Event],
    stopped: bool,
    columns: Columns,
    settings: SimulationSettings,
    told: list[str],
) -> dict[str, Any]:
    lost = [name for name, column in columns.items() if np.any(np.isnan(column))]
    warnings = [*tree.notes, *told]
    if lost:
        joints = sorted({name.partition(".")[0] for name in lost})
        warnings.append(
            f"the Euler angles of {', '.join(joints)} pass a singular position: their rates are not defined there (NaN)"
        )
    if any("velocity jumps" in text for text in told):
        warnings.append("where a driver's velocity jumps, the blow that this gives to free bodies is not computed")
    if settings.user is not None:
        warnings.append(
            "a Python function gives forces: every evaluation calls it, which is slower than the core alone"
        )
    return {
        "status": "stopped" if stopped else "ok",
        "model": tree.model.name,
        "formulation": settings.formulation,
        "rows": len(t),
        "reached": float(done.reached),
        "method": settings.method,
        "tolerance": {"rtol": settings.rtol, "atol": settings.atol},
        "freedoms": tree.links.velocities - len(tree.driven),
        "steps": {"taken": done.steps, "rejected": done.rejected, "evaluations": done.evaluations},
        "energy": balance.summary(),
        "events": [event.as_dict() for event in events],
        "warnings": warnings,
        "files": [],
    }
