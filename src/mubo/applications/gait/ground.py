"""Ground reactions on each foot and the residual at the root, which shows whether motion and forces agree.

All forces but those of the ground are inner forces of the body: what its drivers take of the laboratory altogether, the
root residual, is zero where markers, masses and force plates agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import ForceSample
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model.column_names import Column
from mubo.results import Run


def ground_force(sample: ForceSample, foot: str) -> Array:
    """Force of the loads on a foot and their moment about the origin of the ground: times × 3, in space × 6."""
    form = sample.solver.form
    wrench = np.array(sample.forces.loads.on[:, (*form.free, *form.fixed).index(foot)])
    return _about_origin(wrench, _place(sample, foot, 2 if wrench.shape[1] == 3 else 3))


def _place(sample: ForceSample, body: str, dimension: int) -> Array:
    """The origin of a body over the rows."""
    columns = sample.forces.columns
    return np.stack([columns.raw(f"{body}.{letter}") for letter in "xyz"[:dimension]], axis=1)


def _about_origin(wrench: Array, place: Array) -> Array:
    """A wrench about a place as that about the origin of the ground."""
    if place.shape[1] == 2:
        wrench[:, 2] += place[:, 0] * wrench[:, 1] - place[:, 1] * wrench[:, 0]
    else:
        wrench[:, 3:] += np.cross(place, wrench[:, :3])
    return wrench


def ground_columns(sample: ForceSample, leg: Leg, least: float) -> Iterator[tuple[Column, Array]]:
    """Force on a foot, and its centre of pressure on the floor y = 0 while it is larger than `least`."""
    wrench, name = ground_force(sample, leg.foot), f"ground_{leg.side}"
    for k, letter in enumerate("xyz" if leg.in_space else "xy"):
        yield Column(f"{name}_force_{letter}", "gait", name, f"force {letter}", 0, "force"), wrench[:, k]
    stands = wrench[:, 1] > least
    for letter, moment in (("x", wrench[:, -1]), *((("z", -wrench[:, 3]),) if leg.in_space else ())):
        place = np.full(len(wrench), np.nan)
        place[stands] = moment[stands] / wrench[stands, 1]
        yield Column(f"{name}_point_{letter}", "gait", name, f"point {letter}", 0, "length"), place


@dataclass(frozen=True)
class Residual:
    """The wrench that the laboratory would have to exert on the trunk besides the ground reaction, over the rows.

    It is judged at the rows that `counts` has: those of whole cycles where every foot that stands is on a plate.
    """

    force: Array  # times × 2, in space × 3
    moment: Array  # about the origin of the trunk, times × 1 or 3
    counts: NDArray[np.bool_]
    feet: Mapping[str, Array]  # force of the ground on each foot, times × 2 or 3
    weight: float
    height: float  # of the origin of the trunk above the floor, on the mean

    @property
    def ground(self) -> Array:
        """The force of the ground on both feet."""
        return np.asarray(np.sum([*self.feet.values()], axis=0))

    @property
    def largest_force(self) -> float:
        """The largest ground reaction."""
        return float(np.max(np.linalg.norm(self.ground, axis=1)))

    @property
    def needed(self) -> tuple[float, float]:
        """How many times the measured force, forwards and up, the motion needs: 1 where they agree.

        The motion needs F + R, with F the ground reaction and R the residual; the factor k of least squares of
        F + R = k F is 1 + ΣF R/ΣF².
        """
        force, ground = self.force[self.counts], self.ground[self.counts]
        size = np.sum(ground**2, axis=0)
        factors = 1 + np.sum(force * ground, axis=0) / np.where(size > 0, size, np.inf)
        return float(factors[0]), float(factors[1])

    @property
    def parts(self) -> tuple[float, float]:
        """Largest residual force by the largest ground reaction; largest moment by that and the height of the hip."""
        size = self.largest_force or self.weight
        force = float(np.max(np.linalg.norm(self.force[self.counts], axis=1))) / size
        return force, float(np.max(np.linalg.norm(self.moment[self.counts], axis=1))) / (size * self.height)

    @property
    def rms(self) -> tuple[float, float]:
        """Root mean squares of force and moment."""
        force, moment = self.force[self.counts], self.moment[self.counts]
        return float(np.sqrt(np.mean(np.sum(force**2, axis=1)))), float(np.sqrt(np.mean(np.sum(moment**2, axis=1))))

    @property
    def columns(self) -> Iterator[tuple[Column, Array]]:
        count = self.force.shape[1]
        for k, letter in enumerate("xyz"[:count]):
            yield Column(f"residual.f{letter}", "gait", "residual", f"f{letter}", 0, "force"), self.force[:, k]
        for k, word in enumerate(("m",) if count == 2 else ("mx", "my", "mz")):
            yield Column(f"residual.{word}", "gait", "residual", word, 0, "torque"), self.moment[:, k]


def residual_of(
    run: Run, sample: ForceSample, legs: Sequence[Leg], weight: float, counts: NDArray[np.bool_]
) -> Residual | None:
    """The root residual, judged at the rows that `counts` has.

    None without trunk or with one leg, of which nothing follows, and where no row counts.
    """
    trunk = legs[0].trunk
    if not trunk or len(legs) < 2 or not np.any(counts):
        return None
    count = run.model.dimension
    wrench = -np.stack([run.columns.raw(f"shaking.{word}") for word in run.model.ambient.wrench], axis=1)
    place = _place(sample, trunk, count)
    feet = {leg.foot: ground_force(sample, leg.foot)[:, :count] for leg in legs}
    moment = _about_origin(wrench.copy(), -place)[:, count:]
    return Residual(wrench[:, :count], moment, counts, feet, weight, float(np.mean(place[:, 1])))
