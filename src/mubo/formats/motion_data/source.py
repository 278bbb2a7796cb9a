"""A motion file seen from a model: times and columns in the model's units, gaps filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.gaps import Filled, fill
from mubo.formats.motion_data.read import read_motion_data
from mubo.laws import Table
from mubo.laws.file_form import frequency
from mubo.laws.smoothing import smoothing_of
from mubo.quantities.unit_algebra import FACTORS
from mubo.quantities.units import Units

MAX_GAP = {"time": "0.1 s", "angle": 0.0}  # what a law depends on: time, or the angle of a cam


class Source:
    """The columns `used` of the file, all without them, with what a motion may say besides: smooth, max_gap …"""

    def __init__(
        self, path: Path, given: Mapping[str, Any], units: Units, used: Sequence[str] | None, over: str
    ) -> None:
        self.data = read_motion_data(path, used, given.get("time_column"))
        self.recorded = {name.rpartition(".")[0] for name in self.data.columns}  # markers, before others are computed
        self.units = units
        self.smooth = given.get("smooth", "none")
        if isinstance(self.smooth, Mapping):
            self.smooth = smoothing_of(
                self.smooth, lambda cutoff: frequency(cutoff, lambda text: units.in_own(text, over))
            )
        self.max_gap = units.in_own(given.get("max_gap", MAX_GAP[over]), over)
        if not self.max_gap >= 0:
            raise ModelError(f"max_gap must not be negative; found {self.max_gap:g}")
        self.time = self.data.time * self._factor(self.data.time_unit, over, f"{path}: {over}")
        self.time_unit = getattr(units, over) or {"time": "s", "angle": "rad"}[over]

    @classmethod
    def read_like(cls, data: MotionData, other: Source) -> Source:
        """Other data, read as those of `other` are."""
        out = copy(other)
        out.data, out.time = data, data.time * (other.time[-1] / other.data.time[-1])
        return out

    def column(self, name: str, holds: str) -> Filled:
        """A column as an "angle" or a "length" in the model's unit; one without a unit is in that unit already."""
        data = self.data
        value = data.column(name)
        label = f"{data.path}: {data.label(name)}"
        if data.kind == "markers" and holds == "angle":
            raise ModelError(
                f"{label} is a length; an angle is driven here",
                suggestion='For the angle between two markers write { segment = …, coordinate = "phi" }.',
            )
        if data.kind == "storage" and holds == "angle" and not data.angle_unit:
            raise ModelError(
                f"{label}: the header does not say whether angles are in degrees",
                suggestion="Add the line inDegrees=yes or inDegrees=no above endheader.",
            )
        stated = {"angle": data.angle_unit, "length": data.length_unit}.get(holds, "")
        unit = data.column_units.get(name) or stated
        return fill(self.time, value * self._factor(unit, holds, label), self.max_gap, label, self.time_unit)

    def table(self, parts: Sequence[Filled], combine: Callable[..., Array]) -> Table:
        """`combine` of the parts' values, from the first to the last time at which all parts are known."""
        known = np.all([~np.isnan(part.value) for part in parts], axis=0)
        if known.sum() < 2:
            raise ModelError(f"{self.data.path}: the columns used have fewer than two times in common")
        supplied = np.any([part.supplied for part in parts], axis=0) & known
        value = combine(*(part.value[known] for part in parts))
        return Table(tuple(self.time[known].tolist()), tuple(value.tolist()), self.smooth, int(supplied.sum()))

    def _factor(self, unit: str, kind: str, label: str) -> float:
        """Model units per unit of the file."""
        if not unit:
            return 1.0
        if kind not in FACTORS:
            try:
                return self.units.in_own(f"1 {unit}", kind)
            except ModelError as error:
                raise ModelError(f"{label}: {error}") from None
        if unit not in FACTORS[kind]:
            raise ModelError(f"{label}: its unit [{unit}] is not a unit of {kind}. {nearest(unit, FACTORS[kind])}")
        return self.units.in_own(f"1 {unit}", kind)
