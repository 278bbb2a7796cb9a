"""The result of a gait analysis: joints, events, cycles, and their verification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.events import PERCENT, Cycles, Strikes
from mubo.applications.gait.ground import Residual
from mubo.applications.gait.legs import Leg
from mubo.applications.gait.normative import Normative
from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.results import Run
from mubo.results.presentation import DrawnResult, presented_by

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class Gait(DrawnResult):
    """Joint angles, moments and powers of a walk, its strikes and cycles; print it for the summary.

    `run.plot(kind="gait")` draws the figure: angles, moments and powers of three joints over the cycle.

    >>> found = mubo.load("walker.toml").gait()
    >>> found.cycles["r"].mean("knee_angle_r").shape, found.ok
    ((101,), True)
    """

    run: Run
    legs: tuple[Leg, ...]
    strikes: dict[str, Strikes]  # by side, "r" and "l"
    cycles: dict[str, Cycles]  # by side
    residual: Residual | None
    threshold: float  # of the force that makes a stance
    notes: tuple[str, ...]
    belt: float = 0.0  # speed of a treadmill
    normative: Normative | None = None  # a reference group

    @property
    def ok(self) -> bool:
        """Whether the motion was solved to its end, with a whole cycle of every leg.

        >>> mubo.load("walker.toml").gait().ok
        True
        """
        return self.run.summary["status"] == "ok" and all(cycles.times for cycles in self.cycles.values())

    @property
    def percent(self) -> Array:
        """0, 1, … 100 per cent of a cycle.

        >>> mubo.load("walker.toml").gait().percent[:3]
        array([0., 1., 2.])
        """
        return PERCENT

    @property
    def flipped(self) -> tuple[str, ...]:
        """Columns, without their side, that a given skeleton has with the other sign; none of people of our own.

        >>> mubo.load("walker.toml").gait().flipped
        ()
        """
        return self.legs[0].flipped

    def mean(self, column: str) -> Array:
        """The mean of a column over the cycles of its foot, in 101 steps.

        >>> bool(mubo.load("walker.toml").gait().mean("knee_angle_r").max() > 50)
        True
        """
        return self._cycles(column).mean(column)

    def deviation(self, column: str) -> Array:
        """The standard deviation of a column over the cycles of its foot.

        >>> mubo.load("walker.toml").gait().deviation("knee_angle_r").shape
        (101,)
        """
        return self._cycles(column).deviation(column)

    def _cycles(self, column: str) -> Cycles:
        known = {name: cycles for cycles in self.cycles.values() for name in cycles.of}
        if column not in known:
            raise ResultError(f'there are no cycles of "{column}". {nearest(column, known)}')
        if not known[column].times:
            raise ResultError(f"{column}: there is no whole cycle")
        return known[column]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text.

        >>> sorted(mubo.load("walker.toml").gait().as_dict()["events"]["r"])
        ['heel_strikes', 'rule', 'toe_offs']
        """
        entries: dict[str, Any] = presented_by("Gait.as_dict")(self)
        return entries

    def table(self) -> pandas.DataFrame:
        """Mean and deviation of all columns over 0 to 100 per cent as a pandas table.

        >>> len(mubo.load("walker.toml").gait().table())
        101
        """
        table: pandas.DataFrame = presented_by("Gait.table")(self)
        return table

    def save(self, path: str | Path) -> None:
        """Writes the mean cycles: .csv or .json; .txt for the text; .sto for OpenSim (angles and moments over time).

        >>> mubo.load("walker.toml").gait().save("cycles.csv")
        """
        presented_by("Gait.save")(self, path)

    def largest(self, column: str) -> tuple[float, float]:
        """The largest of a mean cycle and its per cent.

        >>> value, at = mubo.load("walker.toml").gait().largest("ankle_angle_r_power")
        >>> 45 < at < 70
        True
        """
        mean = self.mean(column)
        k = int(np.argmax(mean))
        return float(mean[k]), float(PERCENT[k])
