"""Ground reactions on each foot and the residual at the root, which shows whether motion and forces agree.

All forces but those of the ground are inner forces of the body: what its drivers take of the laboratory altogether, the
root residual, is zero where markers, masses and force plates agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import ForceSample
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.results import Run

AGREES = 0.1  # motion and forces of one walk differ by less
FORCE_UNITS = ("kgf", "lbf")  # read as newtons they are too small by a few times; larger errors are refused at reading


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

    It is judged at the rows that `counts` has: those of whole cycles where every foot that stands is on a plate.
    """

    force: Array  # times × 2
    moment: Array  # about the origin of the trunk
    counts: NDArray[np.bool_]
    ground: Array  # force of the ground on both feet, times × 2
    weight: float
    height: float  # of the origin of the trunk above the floor, on the mean

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
        across, up = 1 + np.sum(force * ground, axis=0) / np.where(size > 0, size, np.inf)
        return float(across), float(up)

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


def disagreements(residual: Residual, model: ModelDefinition) -> Iterator[str]:
    """Yield why the motion needs a multiple of the forces measured: their unit, their sense, or the mass."""
    assert model.subject is not None
    forwards, up = residual.needed
    if not abs(up - 1) <= AGREES:
        newton = model.units.in_own("1 N", "force")
        sizes = {unit: model.units.in_own(f"1 {unit}", "force") / newton for unit in FORCE_UNITS}
        unit = next((unit for unit, size in sizes.items() if abs(up / size - 1) <= AGREES), "")
        mass = model.subject["mass"] * model.units.size("mass")
        cause = f"{mass / up:.3g} kg would agree with it" if up > 0 else "its sense is reversed"
        if unit:
            cause = f'its unit looks like {unit}: write units = {{ force = "{unit}" }} in the plates'
        yield (
            f"the motion of {mass:.3g} kg needs {up:.3g} times the upward force of the plates; {cause}. "
            "Check the mass of [subject], and whether every step has its plate"
        )
    elif forwards < 0:
        yield (
            f"the motion needs {forwards:.3g} times the forward force of the plates: its sense is reversed. Write "
            'force = ["-Fx", "Fy"] with their columns, or `forward` in the plates'
        )


def residual_of(
    run: Run, sample: ForceSample, legs: Sequence[Leg], weight: float, counts: NDArray[np.bool_]
) -> Residual | None:
    """The root residual, judged at the rows that `counts` has.

    None without trunk or with one leg, of which nothing follows, and where no row counts.
    """
    trunk = legs[0].trunk
    if not trunk or len(legs) < 2 or not np.any(counts):
        return None
    fx, fy, m = (-run.columns.raw(f"shaking.{word}") for word in ("fx", "fy", "m"))
    place = sample.motion_of(trunk)[:, 0, :2]
    total = sum(ground_force(sample, leg.foot)[:, :2] for leg in legs)
    moment = m - place[:, 0] * fy + place[:, 1] * fx
    return Residual(np.column_stack([fx, fy]), moment, counts, np.asarray(total), weight, float(np.mean(place[:, 1])))
