"""Solution of forward dynamics, which every formulation returns: columns, energy balance, closure of the loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Mechanism
from mubo.model import GROUND, ModelDefinition, target_of
from mubo.model.column_names import energy_column
from mubo.note import Note
from mubo.results import Column, Columns
from mubo.solvers.dynamics.integration import IntegrationResult


@dataclass(frozen=True)
class EnergyBalance:
    """Energies at every output time; the error E(t) − E(0) − supplied + dissipated is zero in exact arithmetic."""

    energies: dict[str, Array]  # kinetic, potential, total; dissipated, supplied and error where they are known
    error: float | None  # largest, absolute; None where the energy that forces exchange is not known
    scale: float  # largest energy that was exchanged: kinetic, or change of potential
    drift: dict[str, float] = field(default_factory=dict)  # of momenta that are conserved, relative

    @property
    def relative(self) -> float | None:
        return self.error if self.error is None or not self.scale > 0 else self.error / self.scale

    def columns(self) -> Iterator[tuple[Column, Array]]:
        """Columns of the table."""
        return ((energy_column(word), values) for word, values in self.energies.items())

    def summary(self, joule: float) -> dict[str, Any]:
        """Entries of a summary; `joule` is the model's unit of energy in internal units."""
        return {"error": None if self.error is None else self.error / joule, "relative": self.relative, **self.drift}


@dataclass(frozen=True)
class DynamicSolution:
    """Columns of a motion, its energy balance, and how it was integrated."""

    formulation: str
    method: str
    columns: Columns  # time, bodies, points, joints, drivers with efforts, energies
    balance: EnergyBalance
    done: IntegrationResult
    loops: dict[str, Any]  # for the summary: closed equations and their residuals; empty where there are none
    notes: list[Note]
    chosen: Note | None = None  # why this formulation, where it was not the one that is tried first
    lost: dict[str, float] = field(default_factory=dict)  # joints whose Euler angles became singular: first time
    friction: dict[str, Array] = field(default_factory=dict)  # sizes of reaction friction at the rows
    # Distance of the loops from a change point at every row: the root of their smallest relative pivot
    loop_margin: Array = field(default_factory=lambda: np.zeros(0))
    switches: tuple[Any, ...] = ()  # impacts and changes of contacts, see contact.py
    units: Any = None  # what the contacts consist of
    contacts: Any = None  # their forces at the rows, see contact_forces.py
    impacts: Any = None  # jumps of velocity and impulses of impacts, where reactions are asked for

    @property
    def t(self) -> Array:
        return self.columns["t"]


def loops_summary(joints: list[str], equations: list[str], left_out: list[int], gaps: Array) -> dict[str, Any]:
    """Number of closed equations, their largest gaps and gap rates (times × 2 × equations), and those left out."""
    largest = np.max(np.abs(gaps), axis=0, initial=0.0)
    return {
        "joints": joints,
        "equations": len(equations),
        "left_out": [equations[k] for k in left_out],
        "gap": float(np.max(largest[0], initial=0.0)),
        "gap_rate": float(np.max(largest[1], initial=0.0)),
    }


def driver_efforts(
    mechanism: Mechanism, t: Array, equation_of: dict[str, int], multipliers: Array
) -> Iterator[tuple[str, tuple[Array, Array, Array]]]:
    """Value, rate and effort of the drivers that are equations: the effort is −λ per unit of the coordinate."""
    if not equation_of:
        return
    model, names = mechanism.model, list(mechanism.model.drivers)
    laws, factors = mechanism.motion(t), mechanism.motion_factors
    for name, equation in equation_of.items():
        k = names.index(name)
        turn = model.units.angle_factor() if target_of(model, model.drivers[name].of).holds == "angle" else 1.0
        scale = turn / factors[k]  # a screw is driven by its angle, while its equation prescribes the slide
        value, rate = laws[:, 3 * k] * scale, laws[:, 3 * k + 1] * scale
        yield name, (value, rate, -multipliers[:, equation] / scale)


def redundant_notes(names: list[str]) -> Iterator[Note]:
    """A note on the redundant equations that were left out, by name."""
    if names:
        yield Note("dynamics.equations_left_out", equations=names)


def energy_balance(model: ModelDefinition, numbers: Array, exchanged: Array | None) -> EnergyBalance:
    """Energies, their balance and the drift of momenta, from kinetic energy, potentials of gravity and loads, and
    linear and angular momentum."""
    kinetic, potential = numbers[:, 0], numbers[:, 1] + numbers[:, 2]
    total = kinetic + potential
    energies = {"kinetic": kinetic, "potential": potential, "total": total}
    if exchanged is not None:
        energies["dissipated"], energies["supplied"] = exchanged.T
        energies["error"] = total - total[0] - energies["supplied"] + energies["dissipated"]
    error = float(np.max(np.abs(energies["error"]))) if exchanged is not None else None
    scale = max(float(np.max(kinetic)), float(np.ptp(potential)))
    drift = {}
    if _is_free(model):
        for word, first in (("linear_momentum", 3), ("angular_momentum", 6)):
            momentum = numbers[:, first : first + 3]
            size = float(np.max(np.linalg.norm(momentum, axis=1)))
            away = float(np.max(np.linalg.norm(momentum - momentum[0], axis=1)))
            drift[word] = away / size if size > 1e-12 * scale else away
    return EnergyBalance(energies, error, scale, drift)


def _is_free(model: ModelDefinition) -> bool:
    """Whether nothing external acts: no gravity, no joint to the ground with equations, no driver, no external load."""
    to_ground = set()
    for name, joint in model.joints.items():
        if any(end.partition(".")[0] == GROUND for end in joint.between):
            if model.kinds[joint.kind].rows:
                return False
            to_ground.add(name)
    internal = {"of": to_ground, "between": {GROUND}}  # where they do not touch the ground
    for force in model.forces.values():
        key = loads_of(model.dimension)[force.kind].key
        if key not in internal or internal[key] & {end.partition(".")[0] for end in force.on}:
            return False
    return not any(model.gravity or ()) and not model.drivers
