"""Cycles from heel strike to heel strike of one foot, in 101 steps of per cent, their mean and standard deviation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mubo.applications.gait.events import Strikes
from mubo.arrays import Array
from mubo.results import Run

PERCENT = np.linspace(0.0, 100.0, 101)


@dataclass(frozen=True, eq=False)
class Cycles:
    """All cycles of one foot: `of[column]` is cycles × 101, in the model's units."""

    side: str
    times: tuple[tuple[float, float], ...]
    stance: tuple[float, ...]  # per cent of the cycle until toe-off
    of: dict[str, Array]

    def mean(self, column: str) -> Array:
        """The mean over the cycles."""
        return np.asarray(np.mean(self.of[column], axis=0))

    def deviation(self, column: str) -> Array:
        """The standard deviation over the cycles (n − 1); zeros of a single one."""
        values = self.of[column]
        return np.std(values, axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])

    @property
    def stance_mean(self) -> float:
        """Mean of the per cent at which the toe leaves; NaN where that was not seen."""
        return float(np.mean(self.stance)) if self.stance else float("nan")


def cycles_of(run: Run, side: str, strikes: Strikes, names: list[str]) -> Cycles:
    """The columns over every cycle, by the natural cubic spline through the rows."""
    from scipy.interpolate import CubicSpline

    t = run.columns.raw("t")
    times = tuple((a, b) for a, b in pairwise(strikes.heel))
    stance = [100 * (off - a) / (b - a) for a, b in times if (off := strikes.toe_off_in(a, b)) is not None]
    pieces = CubicSpline(t, np.column_stack([run.columns[name] for name in names]), bc_type="natural")
    each = np.array([pieces(a + PERCENT / 100 * (b - a)) for a, b in times]).reshape(-1, len(PERCENT), len(names))
    return Cycles(side, times, tuple(stance), {name: each[:, :, k] for k, name in enumerate(names)})
