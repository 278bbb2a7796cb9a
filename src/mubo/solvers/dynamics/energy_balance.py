"""Energy balance of a simulated motion, and momenta where nothing outside acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.model import GROUND, ModelDefinition
from mubo.model.column_names import energy_column
from mubo.results import Column


@dataclass(frozen=True)
class EnergyBalance:
    """Energies at every output time. The error is E(t) − E(0) − supplied + dissipated, which is zero in truth."""

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

    def summary(self) -> dict[str, Any]:
        return {"error": self.error, "relative": self.relative, **self.drift}


def balance_of(model: ModelDefinition, numbers: Array, exchanged: Array | None) -> EnergyBalance:
    """Energies, their balance, and the drift of momenta, of a table of the core: kinetic energy, potential of gravity
    and of loads, linear and angular momentum."""
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
    """Whether nothing outside acts: no gravity, no joint to the ground with rows, no driver, no force from outside."""
    ends = {name: {end.partition(".")[0] for end in joint.between} for name, joint in model.joints.items()}
    to_ground = {name for name, bodies in ends.items() if GROUND in bodies}
    if any(model.kinds[model.joints[name].kind].rows for name in to_ground):
        return False
    outside = {"of": to_ground, "between": {GROUND}}  # the rest of these loads pushes one body off another
    for force in model.forces.values():
        key = loads_of(model.dimension)[force.kind].key
        if key not in outside or outside[key] & {end.partition(".")[0] for end in force.on}:
            return False
    return not any(model.gravity or ()) and not model.drivers
