"""The moment of a measured wrench about a body that moves.

A force plate measures a force and its moment about a place of the laboratory; what acts on a body is its moment about
the origin of that body, which depends on where the body is:

    M = m(t) − x f_y(t) + y f_x(t)

with m the moment about the origin of the ground, counter-clockwise, and x, y the origin of the body.
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

KEYS = {"about": "", "fx": "force", "fy": "force", "moment": "torque"}


@dataclass(frozen=True)
class MomentLaw(ColumnLaw):
    """Moment about the origin of a body of a force that is known by its components and its moment about the ground's.

    torque = { about = "foot", fx = "10*t", fy = "700", moment = "35" }
    """

    about: str
    fx: Law
    fy: Law
    moment: Law

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.about}.x", f"{self.about}.y")

    @property
    def description(self) -> str:
        return f"moment about {self.about} of a force through the ground: {self.moment.description}"

    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        if self.names[0] not in sizes:
            bodies = {name.partition(".")[0] for name in sizes if name.endswith(".phi")}
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
        for law in (self.fx, self.fy, self.moment):
            first, last = law.domain
            slack = 1e-9 * (last - first) if np.isfinite(last - first) else 0.0
            outside = (t < first - slack) | (t > last + slack)
            if np.any(outside):
                at = float(t[np.argmax(outside)])
                raise ModelError(f"its data covers t = {first:g} to {last:g}; t = {at:g} is asked for")
        fx, fy, moment = (law.values(t) for law in (self.fx, self.fy, self.moment))
        return np.asarray(moment * unit - x * fy + y * fx)

    def to_file(self) -> FileForm:
        return {"about": self.about, **{key: getattr(self, key).to_file() for key in ("fx", "fy", "moment")}}


def moment_law(given: Any, units: Units) -> MomentLaw | None:
    """The law that somebody wrote with "about"; None where it is another one."""
    if isinstance(given, MomentLaw) or not isinstance(given, Mapping) or "about" not in given:
        return None
    require_keys(given, "a moment about a body", KEYS)
    missing = [key for key in KEYS if key not in given]
    if missing:
        raise ModelError(f'a moment about a body needs "{missing[0]}"')
    laws = {key: read_law(given[key], units, kind) for key, kind in KEYS.items() if kind}
    return MomentLaw(str(given["about"]), **laws)
