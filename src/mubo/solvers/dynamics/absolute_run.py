"""The core's run in absolute coordinates: masses, laws, loads and events as it takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.laws import Polynomial
from mubo.laws.chebyshev import pieces_of
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute_loads import AbsoluteLoads, absolute_loads
from mubo.mechanism.formulations.loop_closure import ANGLES
from mubo.mechanism.formulations.state_dependent_loads import absolute_state_loads
from mubo.mechanism.rows import KINDS, first_equation_of_owner
from mubo.results import Columns
from mubo.solvers.columns.space_columns import space_columns
from mubo.solvers.dynamics.absolute_states import states_of
from mubo.solvers.dynamics.integrate import LOOKED_AT, Look, lets_go, watched_by
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.tree_motion import corners_of
from mubo.solvers.forces.masses import body_masses

Core = _core.PlaneRun | _core.SpatialRun
Pieces = tuple[Array, Array]
RUNS = {2: _core.PlaneRun, 3: _core.SpatialRun}


def absolute_run(
    form: Absolute,
    grid: Array,
    state: tuple[Array, Array],
    settings: SimulationSettings,
    span: tuple[float, float] | None = None,
    look: Look | None = None,
) -> Core:
    """A run from the state (coordinates, twists) at the first time of the grid, ready to advance; laws are laid out
    over the `span`, where the grid is only its beginning. `look` answers for events that no program of the core
    evaluates, from lines of the run's table."""
    model, mechanism = form.model, form.mechanism
    start, end = float(grid[0]), float(grid[-1])
    from_time, to_time = span or (start, end)
    loads = absolute_loads(mechanism, prescribed=False)
    steering = absolute_state_loads(mechanism)
    started = _columns_at(form, start, state)
    corners = corners_of(model, grid)
    watched = [watched_by(model, watch, steering.watched) for watch in model.events.values()] if look else []
    make: Any = RUNS[model.dimension]
    core: Core = make(
        form.system,
        body_masses(form),
        np.array(model.gravity, float),
        loads.core,
        first_equation_of_owner([equation.owner for equation in form.equations]),
        _weights(form),
        np.array([equation.kind != "body" for equation in form.equations], np.int32),
        list(_driver_laws(form, from_time, to_time)),
        list(_load_laws(loads, from_time, to_time)),
        start,
        end,
        *state,
        np.array([*(started.get(name, 0.0) for name in loads.near), *steering.near]),
        grid,
        settings.rtol,
        settings.atol,
        lets_go(model),
        settings.most_steps(len(grid), any(number == LOOKED_AT for number, *_ in watched)),
        corners[(corners > start) & (corners < end)],
        steering.lists,
        watched,
        look,
    )
    return core


def _weights(form: Absolute) -> Array:
    count = {name: rows for name, rows, *_ in KINDS[form.mechanism.dimension]}
    lengths = [row.kind not in ANGLES for row in form.mechanism.rows for _ in range(count[row.kind])]
    return np.where(lengths, 1 / form.mechanism.size, 1.0)


def _driver_laws(form: Absolute, start: float, end: float) -> Iterator[Pieces]:
    """Laws of the drivers as their rows hold them."""
    mechanism = form.mechanism
    for k, driver in enumerate(form.model.drivers.values()):
        pieces = pieces_of(driver.motion, start, end, f"driver {driver.name}")
        pieces.coefficients[:, 0, 0] += mechanism.starts[k]
        yield pieces.edges, pieces.coefficients * mechanism.motion_factors[k]


def _load_laws(loads: AbsoluteLoads, start: float, end: float) -> Iterator[Pieces]:
    for load in loads.with_law:
        law = (None if load.state_dependent else load.law_of_time()) or Polynomial((0.0,))
        pieces = pieces_of(law, start, end, f"force {load.name}", values_only=True)
        yield pieces.edges, pieces.coefficients


def _columns_at(form: Absolute, t: float, state: tuple[Array, Array]) -> dict[str, float]:
    """Coordinates of joints at the start, by column; of the plane they need none to count full turns."""
    if form.mechanism.dimension == 2:
        return {}
    at, (q, v) = np.array([t]), (line[None] for line in state)
    columns = Columns(form.model.units, space_columns(form, at, states_of(form, q, v, np.zeros_like(v))))
    return {name: float(columns.raw(name)[0]) for name in columns}
