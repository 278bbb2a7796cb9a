"""The core's run in absolute coordinates: masses, laws, loads and events as it takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.mechanism import Absolute
from mubo.mechanism.forms.absolute_loads import AbsoluteLoads, absolute_loads, along_joint
from mubo.mechanism.forms.closing import ANGLES
from mubo.mechanism.rows import KINDS
from mubo.model.coordinates import coordinate_of
from mubo.motion import Polynomial
from mubo.motion.chebyshev import pieces_of
from mubo.results import Columns
from mubo.studies.dynamics.absolute_states import states_of
from mubo.studies.dynamics.settings import SimulationSettings
from mubo.studies.dynamics.tree_motion import corners_of
from mubo.studies.forces.masses import masses
from mubo.studies.motion.space_columns import space_columns

Core = _core.PlaneRun | _core.SpatialRun
Pieces = tuple[Array, Array]
Watched = tuple[int, int, int, list[float], float, int, bool, float]
RUNS = {2: _core.PlaneRun, 3: _core.SpatialRun}


def absolute_run(
    form: Absolute,
    grid: Array,
    state: tuple[Array, Array],
    settings: SimulationSettings,
    span: tuple[float, float] | None = None,
) -> Core:
    """A run from the state (coordinates, twists) at the first time of the grid, ready to advance; laws are laid out
    over the `span`, where the grid is only its beginning."""
    model, mechanism = form.model, form.mechanism
    start, end = float(grid[0]), float(grid[-1])
    from_time, to_time = span or (start, end)
    loads = absolute_loads(mechanism, prescribed=False)
    started = _columns_at(form, start, state)
    corners = corners_of(model, grid)
    owners = [equation.owner for equation in form.equations]
    lets_go = any(loads_of(model.dimension)[force.kind].formula.lets_go for force in model.forces.values())
    make: Any = RUNS[model.dimension]
    core: Core = make(
        form.system,
        masses(form),
        np.array(model.gravity, float),
        loads.core,
        np.array([owners.index(owner) for owner in owners], np.int32),
        _weights(form),
        np.array([equation.kind != "body" for equation in form.equations], np.int32),
        list(_driver_laws(form, from_time, to_time)),
        list(_load_laws(loads, from_time, to_time)),
        start,
        end,
        *state,
        np.array([started.get(name, 0.0) for name in loads.near]),
        grid,
        settings.rtol,
        settings.atol,
        lets_go,
        settings.most_steps(len(grid)),
        corners[(corners > start) & (corners < end)],
        list(_watched(form, started)),
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
    for load in loads.lawful:
        law = load.law_of_time() or Polynomial((0.0,))
        pieces = pieces_of(law, start, end, f"force {load.name}", values_only=True)
        yield pieces.edges, pieces.coefficients


def _columns_at(form: Absolute, t: float, state: tuple[Array, Array]) -> dict[str, float]:
    """Coordinates of joints at the start, by column; of the plane they need none to count full turns."""
    if form.mechanism.dimension == 2:
        return {}
    at, (q, v) = np.array([t]), (line[None] for line in state)
    columns = Columns(form.model.units, space_columns(form, at, states_of(form, q, v, np.zeros_like(v))))
    return {name: float(columns.solved(name)[0]) for name in columns}


def _watched(form: Absolute, started: dict[str, float]) -> Iterator[Watched]:
    """Events as the core looks for them: coordinates of joints between their bodies."""
    numbers = {name: k for k, name in enumerate((*form.free, *form.fixed))}
    for watch in form.model.events.values():
        joint, number = coordinate_of(form.model, watch.of)
        place = along_joint(form.mechanism, f"event {watch.name}", joint.name, number)
        way = {"up": 1, "down": -1, "both": 0}[watch.direction]
        bodies = numbers[place.bodies[0]], numbers[place.bodies[-1]]
        geometry = list(place.numbers) if place.along is not Along.turn or form.mechanism.dimension == 3 else []
        near = started.get(place.column, 0.0)
        yield int(place.along), *bodies, geometry, watch.value, way, watch.stop, near
