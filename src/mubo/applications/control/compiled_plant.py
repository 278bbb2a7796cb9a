"""A tree compiled for stepping: inputs are sizes of loads that are set, outputs are programs of the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.contact_units import refuse_switching
from mubo.mechanism.formulations.tree import tree_form
from mubo.mechanism.mechanism import Mechanism
from mubo.model import EventDefinition, ModelDefinition
from mubo.solvers.dynamics.integration import BY_COLUMNS, ENERGY_FREE, absolute_tolerances, event_list
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.tree_motion import law_corners

AHEAD = 500  # steps for which laws of time are tabulated at once


@dataclass(frozen=True)
class CompiledPlant:
    """The core's stepper, whether it reads all outputs (others need columns), whether it knows all events, and the time
    up to which the laws of time are tabulated."""

    core: _core.TreeStepper
    senses: bool
    knows_events: bool
    end: float


def compile_plant(
    mechanism: Mechanism, outputs: Sequence[str], t: float, dt: float, y: Array, settings: SimulationSettings
) -> CompiledPlant:
    """Compile a mechanism from time t and state y on, for steps of about dt."""
    refuse_switching(mechanism, "a stepper")
    model = mechanism.model
    varying = [law for law in _laws(model) if not law.is_constant]
    known = min([law.domain[1] for law in varying], default=np.inf)
    end = max(t + dt, min(known, t + AHEAD * dt)) if varying else t + 1.0
    read = {f"output {k}": EventDefinition(f"output {k}", name, 0.0) for k, name in enumerate(outputs)}
    tree = tree_form(replace(mechanism, model=model.changed(events={**model.events, **read})), t, end)
    positions, velocities = tree.links.positions, tree.links.velocities
    q, v = y[:positions].copy(), y[positions : positions + velocities].copy()
    if tree.closing.rows:
        _core.choose_rows(tree.system, t, q)
    watched = event_list(tree, model.events.values()) if settings.events else []
    knows_events = all(entry != BY_COLUMNS for entry, *_ in watched)
    atol = absolute_tolerances(replace(tree, state=(q, v)), np.array([t, t + (dt or 1.0)]), y, settings, ENERGY_FREE)
    corners = law_corners(model, np.array([t, end]))
    core = _core.TreeStepper(
        tree.system, t, y, settings.rtol, atol, corners, watched if knows_events else [], settings.most_steps(2)
    )
    programs = [tree.watched.get(name, -1) for name in read]
    senses = -1 not in programs
    core.set_outputs(np.array(programs if senses else [], np.int32))
    return CompiledPlant(core, senses, knows_events, end if varying else np.inf)


def _laws(model: ModelDefinition) -> Iterator[Law]:
    """Laws of time of drivers and loads."""
    yield from (driver.motion for driver in model.drivers.values())
    for force in model.forces.values():
        yield from (value for value in force.options.values() if isinstance(value, Law))
