"""Where every body is along a result: place and unit quaternion in ground axes, in the plane and in space alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.model import GROUND
from mubo.model.rotation import about, matrix
from mubo.results import Trajectory

UNIT_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Poses:
    """Times, and for each body places (rows × 3) and quaternions (rows × 4, scalar first, without change of sign)."""

    times: Array
    place: dict[str, Array]
    turn: dict[str, Array]
    notes: tuple[str, ...]

    def point(self, body: str, at: Array) -> Array:
        """The path of a point fixed in a body: r + A s."""
        return np.asarray(self.place[body] + matrix(self.turn[body]) @ at)

    @property
    def names(self) -> list[str]:
        """Bodies in the order of the model, the ground among them."""
        return list(self.place)


def poses_of(run: Trajectory) -> Poses:
    """The poses of all bodies at the rows that have them; rows with gaps are left out and counted."""
    times = run["t"]
    if len(times) == 0:
        raise ResultError("the result has no rows: there is nothing to show")
    place, turn = {}, {}
    for name in run.model.bodies:
        if name == GROUND:
            place[name], turn[name] = np.zeros((len(times), 3)), np.tile([1.0, 0, 0, 0], (len(times), 1))
        elif run.model.dimension == 2:
            flat = [run[f"{name}.x"], run[f"{name}.y"], np.zeros(len(times))]
            place[name] = np.column_stack(flat)
            turn[name] = about((0.0, 0.0, 1.0), run[f"{name}.phi"] * run.units.angle_factor())
        else:
            place[name] = np.column_stack([run[f"{name}.{c}"] for c in ("x", "y", "z")])
            turn[name] = np.column_stack([run[f"{name}.{c}"] for c in ("qw", "qx", "qy", "qz")])
    whole = np.isfinite(times)
    for name in place:
        whole &= np.isfinite(place[name]).all(axis=1) & np.isfinite(turn[name]).all(axis=1)
    if not whole.any():
        raise ResultError("the result has no row in which every body has a place: there is nothing to show")
    notes = () if whole.all() else (_gap_note(times, whole),)
    held = {name: _continuous(name, q[whole], times[whole]) for name, q in turn.items()}
    return Poses(times[whole], {name: r[whole] for name, r in place.items()}, held, notes)


def _gap_note(times: Array, whole: Any) -> str:
    missing = int(np.sum(~whole))
    first = times[int(np.argmin(whole))]
    return f"{missing} of {len(times)} rows have no numbers (the first at t = {first:g}) and are left out"


def _continuous(body: str, turn: Array, times: Array) -> Array:
    """Unit quaternions; p and −p are the same turn, and the one nearer to the row before is taken."""
    length = np.linalg.norm(turn, axis=1)
    if np.max(np.abs(length - 1)) > UNIT_TOLERANCE:
        worst = int(np.argmax(np.abs(length - 1)))
        raise ResultError(f"body {body}: the quaternion at t = {times[worst]:g} has length {length[worst]:.6g}, not 1")
    flips = np.sum(turn[1:] * turn[:-1], axis=1) < 0
    sign = (-1.0) ** np.concatenate([[0], np.cumsum(flips)])
    return np.asarray(turn / length[:, None] * sign[:, None])
