"""Dead loads: constant forces and torques have a potential, which no spring stores: −F·r, −M φ, −τ q.

What stands still in ground axes or along one coordinate does the same work whatever the way.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo._core import Along
from mubo.arrays import Array
from mubo.mechanism import Mechanism
from mubo.mechanism.loads import PLAIN, NamedLoad
from mubo.model.coordinates import coordinate_names
from mubo.model.quantities import BODY
from mubo.model.rotation import point_on
from mubo.motion import Law
from mubo.results import Columns
from mubo.studies.motion.plane_columns import point_motion

LOOKS = np.array([0.0, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.7, 10.0, 100.0])


def stands(law: Law, time: float) -> bool:
    """Whether a law of time has one value, as far as looks at some times tell."""
    values = law(np.clip(time + LOOKS, *law.domain))[:, 0]
    return bool(np.ptp(values) == 0)


def dead_potential(mechanism: Mechanism, columns: Columns, sizes: Mapping[str, Array]) -> Array:
    """Of all dead loads together, at the rows of the columns; `sizes` are those of the loads."""
    parts = (_potential(mechanism, load, columns, sizes[load.name]) for load in mechanism.loads)
    return np.sum([part for part in parts if part is not None], axis=0) + np.zeros(len(columns["t"]))


def _potential(mechanism: Mechanism, load: NamedLoad, columns: Columns, size: Array) -> Array | None:
    if not isinstance(load.law, Law) or not stands(load.law, float(columns["t"][0])):
        return None
    if load.coordinate is not None:
        joint, number = load.coordinate
        name = coordinate_names(mechanism.model, mechanism.model.joints[joint])[number]
        return -size * columns.solved(f"{joint}.{name}")
    if load.along is not Along.body:
        return None
    body, at = load.ends[0]
    directions = [v for how, _, v in load.numbers if how == PLAIN and len(v) == mechanism.dimension]
    if load.holds == "force" and directions:
        return -size * (_place(mechanism, columns, body, at) @ np.array(directions[0]))
    turns = load.holds == "torque" and mechanism.dimension == 2 and body in mechanism.free
    return -size * columns.solved(f"{body}.phi") if turns else None


def _place(mechanism: Mechanism, columns: Columns, body: str, at: tuple[float, ...]) -> Array:
    """A point of a body at the rows."""
    if body not in mechanism.free:
        return np.zeros((len(columns["t"]), mechanism.dimension))  # what stands does no work
    motion = np.stack([columns.solved(f"{body}.{word}") for word, *_ in BODY[mechanism.dimension]], 1)
    if mechanism.dimension == 2:
        return point_motion(motion.reshape(-1, 3, 3), at)[:, 0]
    return np.asarray(point_on(motion, np.array(at))[0])
