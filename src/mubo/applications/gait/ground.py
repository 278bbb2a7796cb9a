"""Ground reactions on each foot and the residual at the root, which shows whether motion and forces agree.

All forces but those of the ground are inner forces of the body: what its drivers take of the laboratory altogether, the
root residual, is zero where markers, masses and force plates agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import ForceSample
from mubo.arrays import Array
from mubo.model.column_names import Column
from mubo.results import Run


def ground_force(sample: ForceSample, foot: str) -> Array:
    """Force of the loads on a foot and their moment about the origin of the ground: times × 3."""
    form = sample.solver.form
    wrench = np.array(sample.forces.loads.on[:, (*form.free, *form.fixed).index(foot)])
    place = sample.motion_of(foot)[:, 0, :2]
    wrench[:, 2] += place[:, 0] * wrench[:, 1] - place[:, 1] * wrench[:, 0]
    return wrench


def ground_columns(sample: ForceSample, leg: Leg, least: float) -> Iterator[tuple[Column, Array]]:
    """Force on a foot, and its centre of pressure on the floor y = 0 while it is larger than `least`."""
    wrench, name = ground_force(sample, leg.foot), f"ground_{leg.side}"
    for k, letter in enumerate("xy"):
        yield Column(f"{name}_force_{letter}", "gait", name, f"force {letter}", 0, "force"), wrench[:, k]
    stands = wrench[:, 1] > least
    place = np.full(len(wrench), np.nan)
    place[stands] = wrench[stands, 2] / wrench[stands, 1]
    yield Column(f"{name}_point_x", "gait", name, "point x", 0, "length"), place


@dataclass(frozen=True)
class Residual:
    """The wrench that the laboratory would have to exert on the trunk besides the ground reaction, over the rows.

    It is judged at the rows that `counts` has: those of whole cycles, for at the ends of a record a spline knows less.
    """

    force: Array  # times × 2
    moment: Array  # about the origin of the trunk
    counts: NDArray[np.bool_]
    largest_force: float  # of the ground
    weight: float
    height: float  # of the origin of the trunk above the floor, on the mean

    @property
    def parts(self) -> tuple[float, float]:
        """Largest residual force by the largest ground reaction; largest moment by that and the height of the hip."""
        size = self.largest_force or self.weight
        force = float(np.max(np.linalg.norm(self.force[self.counts], axis=1))) / size
        return force, float(np.max(np.abs(self.moment[self.counts]))) / (size * self.height)

    @property
    def rms(self) -> tuple[float, float]:
        """Root mean squares of force and moment."""
        force, moment = self.force[self.counts], self.moment[self.counts]
        return float(np.sqrt(np.mean(np.sum(force**2, axis=1)))), float(np.sqrt(np.mean(moment**2)))

    @property
    def columns(self) -> Iterator[tuple[Column, Array]]:
        for k, letter in enumerate("xy"):
            yield Column(f"residual.f{letter}", "gait", "residual", f"f{letter}", 0, "force"), self.force[:, k]
        yield Column("residual.m", "gait", "residual", "m", 0, "torque"), self.moment


def residual_of(
    run: Run, sample: ForceSample, legs: Sequence[Leg], weight: float, times: Sequence[tuple[float, float]]
) -> Residual | None:
    """The root residual over the cycles at `times`; None without trunk or with one leg, of which nothing follows."""
    trunk = legs[0].trunk
    if not trunk or len(legs) < 2:
        return None
    fx, fy, m = (-run.columns.raw(f"shaking.{word}") for word in ("fx", "fy", "m"))
    place = sample.motion_of(trunk)[:, 0, :2]
    total = sum(ground_force(sample, leg.foot)[:, :2] for leg in legs)
    largest = float(np.max(np.linalg.norm(total, axis=1)))
    moment = m - place[:, 0] * fy + place[:, 1] * fx
    counts = (
        np.any([(sample.t >= a) & (sample.t <= b) for a, b in times], axis=0) if times else np.full(len(sample.t), True)
    )
    return Residual(np.column_stack([fx, fy]), moment, counts, largest, weight, float(np.mean(place[:, 1])))
