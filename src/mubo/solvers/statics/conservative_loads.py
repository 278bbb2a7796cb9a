"""Conservative loads: constant forces and torques have the potential −F·r, −M φ, −τ q.

What stands still in ground axes or along one coordinate does the same work whatever the way.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo._core import Along
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.geometry.rotation import point_on
from mubo.laws import Law
from mubo.mechanism import Mechanism
from mubo.mechanism.loads import KINDS, PLAIN, NamedLoad
from mubo.model.column_names import BODY
from mubo.model.coordinates import coordinate_names
from mubo.results import Columns
from mubo.solvers.columns.plane_columns import point_motion

LOOKS = np.array([0.0, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.7, 10.0, 100.0])


def is_constant_law(law: Law, time: float) -> bool:
    """Whether a law of time is constant, as far as some samples show."""
    values = law(np.clip(time + LOOKS, *law.domain))[:, 0]
    return bool(np.ptp(values) == 0)


def all_have_potentials(mechanism: Mechanism, time: float) -> bool:
    """Whether every load at rest is a spring, a constant load, or friction and damping, which exert nothing there."""
    stores = {name for name, *_, kept in KINDS[mechanism.dimension] if kept}
    elements, forces = loads_of(mechanism.dimension), mechanism.model.forces
    for load in mechanism.loads:
        known = load.law is None and (load.formula in stores or not load.lawful)
        if (
            not known
            and not elements[forces[load.name].kind].formula.smooths
            and not _is_constant_load(mechanism, load, time)
        ):
            return False
    return True


def _is_constant_load(mechanism: Mechanism, load: NamedLoad, time: float) -> bool:
    """Whether a load has one size, and a fixed direction in ground axes or along a coordinate."""
    if not isinstance(load.law, Law) or not is_constant_law(load.law, time):
        return False
    if load.coordinate is not None or load.along is not Along.body:
        return load.coordinate is not None
    return bool(_ground_direction(mechanism, load)) if load.holds == "force" else mechanism.dimension == 2


def _ground_direction(mechanism: Mechanism, load: NamedLoad) -> tuple[float, ...]:
    """Direction of a force that is fixed in ground axes; empty where it turns with the body."""
    plain = [values for how, _, values in load.numbers if how == PLAIN and len(values) == mechanism.dimension]
    return plain[0] if plain else ()


def constant_load_potential(mechanism: Mechanism, columns: Columns, sizes: Mapping[str, Array]) -> Array:
    """Potential of all constant loads together, at the rows of the columns; `sizes` are those of the loads."""
    parts = (_potential(mechanism, load, columns, sizes[load.name]) for load in mechanism.loads)
    return np.asarray(np.sum([np.zeros(len(columns["t"])), *(part for part in parts if part is not None)], axis=0))


def _potential(mechanism: Mechanism, load: NamedLoad, columns: Columns, size: Array) -> Array | None:
    if not _is_constant_load(mechanism, load, float(columns["t"][0])):
        return None
    if load.coordinate is not None:
        joint, number = load.coordinate
        name = coordinate_names(mechanism.model, mechanism.model.joints[joint])[number]
        return -size * columns.solved(f"{joint}.{name}")
    body, at = load.ends[0]
    if body not in mechanism.free:
        return None  # what stands does no work
    if load.holds == "torque":
        return -size * columns.solved(f"{body}.phi")
    return np.asarray(-size * (_place(mechanism, columns, body, at) @ np.array(_ground_direction(mechanism, load))))


def _place(mechanism: Mechanism, columns: Columns, body: str, at: tuple[float, ...]) -> Array:
    """A point of a body at the rows."""
    motion = np.stack([columns.solved(f"{body}.{word}") for word, *_ in BODY[mechanism.dimension]], 1)
    if mechanism.dimension == 2:
        return point_motion(motion.reshape(-1, 3, 3), at)[:, 0]
    return np.asarray(point_on(motion, np.array(at))[0])
