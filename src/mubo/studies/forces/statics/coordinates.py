"""Coordinates in which free motions are told: those of joints where they do, of bodies else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import product
from mubo.results import Columns
from mubo.studies.forces.statics.spot import Spot
from mubo.studies.motion.columns import motion_columns

TELLING = 0.05  # of a coordinate's own rate: what the coordinates before it do not tell


@dataclass(frozen=True)
class Coordinate:
    """A column, and its rates along the free motions of a position."""

    name: str
    rates: Array


def telling_coordinates(spot: Spot) -> list[Coordinate]:
    """As many coordinates as there are free motions, in the order in which the model has its joints and bodies."""
    columns = _moving(spot)
    size = spot.rest.form.mechanism.size
    known = np.zeros((0, len(spot.free)))
    chosen: list[Coordinate] = []
    for column in (*columns.of("joint"), *columns.of("body")):
        after = columns.derivative(column.name)
        if column.order or after is None or len(chosen) == len(spot.free):
            continue
        rates = columns.solved(after)
        line = rates / (size if column.holds == "length" else 1.0)
        rest = line - known.T @ (known @ line)
        length = float(np.linalg.norm(rest))
        if length > TELLING * max(float(np.linalg.norm(line)), TELLING):
            known = np.vstack([known, rest / length])
            chosen.append(Coordinate(column.name, rates))
    return chosen


def _moving(spot: Spot) -> Columns:
    """Columns of the position moving along one free motion after the other: one row each."""
    rest, count = spot.rest, len(spot.free)
    rates = spot.free / rest.weight
    states = np.zeros((count, 3, len(spot.q)))
    states[:, 0] = spot.q
    states[:, 1] = rates if rest.form.mechanism.dimension == 2 else _quaternion_rates(spot.q, rates)
    return motion_columns(rest.form, np.full(count, rest.time), states)


def _quaternion_rates(q: Array, twists: Array) -> Array:
    """Rates of places and quaternions, ṗ = ½ ω p."""
    lines, p = twists.reshape(len(twists), -1, 6), q.reshape(-1, 7)[:, 3:]
    omega = np.concatenate([np.zeros((*lines.shape[:2], 1)), lines[..., 3:]], -1)
    return np.concatenate([lines[..., :3], 0.5 * product(omega, np.broadcast_to(p, omega.shape))], -1).reshape(
        len(twists), -1
    )
