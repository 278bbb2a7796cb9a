"""The moment of a measured wrench about a body that moves.

A force plate measures a force and its moment about a place of the laboratory; what acts on a body is its moment about
the origin of that body, which depends on where the body is:

    M = m(t) − x f_y(t) + y f_x(t)

with m the moment about the origin of the ground, counter-clockwise, and x, y the origin of the body. In space this is
the moment about z; those about x and y follow by exchanging the letters in a cycle, y, z and z, x for x, y.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws import Law
from mubo.laws.file_form import require_keys
from mubo.laws.law import FileForm
from mubo.lazy_dataclass import dataclass
from mubo.model.column_laws import ColumnLaw
from mubo.model.laws import read_law
from mubo.quantities.sizes import Size
from mubo.quantities.units import Units

PAIRS = ("xy", "yz", "zx")  # axes of the force across the moments about z, x and y


@dataclass(frozen=True)
class MomentLaw(ColumnLaw):
    """Moment about the origin of a body of a force that is known by its components and its moment about the ground's.

    torque = { about = "foot", fx = "10*t", fy = "700", moment = "35" }

    `axes` are those of both components of the force: "xy" of a moment about z.
    """

    about: str
    first: Law
    second: Law
    moment: Law
    axes: str = "xy"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.about}.{letter}" for letter in self.axes)

    @property
    def description(self) -> str:
        return f"moment about {self.about} of a force through the ground: {self.moment.description}"

    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        if self.names[0] not in sizes:
            bodies = {name.partition(".")[0] for name in sizes if name.endswith((".phi", ".qw"))}
            raise ModelError(f'there is no body "{self.about}". {nearest(self.about, bodies)}')

    def values(
        self, columns: Mapping[str, Array], sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size
    ) -> Array:
        x, y = (columns[name] for name in self.names)
        return self._moment(columns["t"], x, y, wanted.unit)

    def value(self, t: float, state: Mapping[str, float], unit: float) -> float:
        x, y = (np.array([state[name]]) for name in self.names)
        return float(self._moment(np.array([t]), x, y, unit)[0]) / unit

    def _moment(self, t: Array, x: Array, y: Array, unit: float) -> Array:
        """The moment in coherent units; `unit` is that of the moment law."""
        for law in (self.first, self.second, self.moment):
            law.require_domain(f"wrench about {self.about}", t, "{:.9g}".format)
        fx, fy, moment = (law.values(t) for law in (self.first, self.second, self.moment))
        return np.asarray(moment * unit - x * fy + y * fx)

    def to_file(self) -> FileForm:
        laws = {f"f{self.axes[0]}": self.first, f"f{self.axes[1]}": self.second, "moment": self.moment}
        return {"about": self.about, **{key: law.to_file() for key, law in laws.items()}}


def moment_law(given: Any, units: Units) -> MomentLaw | None:
    """The law that somebody wrote with "about"; None where it is another one."""
    if isinstance(given, MomentLaw) or not isinstance(given, Mapping) or "about" not in given:
        return None
    axes = next((pair for pair in PAIRS if {f"f{letter}" for letter in pair} <= given.keys()), PAIRS[0])
    keys = {"about": "", f"f{axes[0]}": "force", f"f{axes[1]}": "force", "moment": "torque"}
    require_keys(given, "a moment about a body", keys)
    missing = [key for key in keys if key not in given]
    if missing:
        raise ModelError(f'a moment about a body needs "{missing[0]}"')
    first, second, moment = (read_law(given[key], units, kind) for key, kind in keys.items() if kind)
    return MomentLaw(str(given["about"]), first, second, moment, axes)
