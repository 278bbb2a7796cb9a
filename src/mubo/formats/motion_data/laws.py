"""Motion laws from files: a single column, or a segment between two markers.

A segment runs from one marker to another, seen in the plane of two of their axes. With P and Q the markers there,

    x, y = P + at (Q − P),    phi = atan2(Q_y − P_y, Q_x − P_x), continued without jumps of 2π.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.source import Source
from mubo.laws import Table
from mubo.lazy_dataclass import dataclass
from mubo.quantities.units import Units

PLANES = tuple("".join(pair) for pair in permutations("xyz", 2))
COORDINATES = {"x": "length", "y": "length", "phi": "angle"}


def column_law(given: Mapping[str, Any], folder: Path, units: Units, holds: str, over: str = "time") -> Table:
    """{ table, column }, and if wanted time_column, smooth, max_gap. The driver `holds` an "angle" or a "length"."""
    if "column" not in given:
        raise ModelError('a motion by table needs "column", the name of the column to follow')
    name = str(given["column"])
    source = Source(folder / str(given["table"]), given, units, [name], over)
    return source.table([source.column(name, holds)], lambda value: value)


def segment_law(given: Mapping[str, Any], folder: Path, units: Units, holds: str, over: str = "time") -> Table:
    """{ segment, from, to, coordinate }, and if wanted plane, at, time_column, smooth, max_gap."""
    segment = _segment(given)
    if COORDINATES[segment.coordinate] != holds:
        kind, driven = (f"a{'n' * (word == 'angle')} {word}" for word in (COORDINATES[segment.coordinate], holds))
        raise ModelError(f"{segment.coordinate} of a segment is {kind}; {driven} is driven here")
    source = Source(folder / str(given["segment"]), given, units, segment.named, over)
    for name in segment.named:
        source.data.column(name)  # a misspelt marker is refused even where its data is not needed
    parts = [source.column(name, "length") for name in segment.used]
    if segment.coordinate != "phi":
        return source.table(parts, segment.along)
    px, py, qx, qy = (part.value for part in parts)
    together = (px == qx) & (py == qy)
    if np.any(together):
        raise ModelError(
            f"{source.data.path}: {segment.start} and {segment.end} coincide in the plane {segment.plane} "
            f"at t = {source.time[np.argmax(together)]:g}: no angle there"
        )
    return source.table(parts, lambda *columns: segment.angle(*columns) / units.angle_factor())


_READ = ("time_column", "smooth", "max_gap")  # options for reading any file


@dataclass(frozen=True)
class DataForm:
    """A form of a law whose samples stand in a file of their own: its keys, and what reads it."""

    keys: tuple[str, ...]
    read: Callable[[Mapping[str, Any], Path, Units, str, str], Table]


COLUMN_FORM = DataForm(("table", "column", *_READ), column_law)
SEGMENT_FORM = DataForm(("segment", "from", "to", "coordinate", "plane", "at", *_READ), segment_law)


@dataclass(frozen=True)
class _Segment:
    start: str
    end: str
    coordinate: str
    plane: str
    at: float

    @property
    def named(self) -> list[str]:
        """The columns of both markers: of the first, then of the second."""
        axes = self.plane if self.coordinate == "phi" else self.plane["xy".index(self.coordinate)]
        return [f"{marker}.{axis}" for marker in (self.start, self.end) for axis in axes]

    @property
    def used(self) -> list[str]:
        """Those that must be complete: at the first marker itself, x and y do not need the second."""
        return self.named if self.coordinate == "phi" or self.at else self.named[:1]

    def along(self, *columns: Array) -> Array:
        """One coordinate of the point at the fraction `at`."""
        p, q = columns[0], columns[-1]
        return p + self.at * (q - p)

    def angle(self, px: Array, py: Array, qx: Array, qy: Array) -> Array:
        """Radians, without jumps."""
        return np.unwrap(np.arctan2(qy - py, qx - px))


def _segment(given: Mapping[str, Any]) -> _Segment:
    for key, meaning in (("from", "a marker"), ("to", "a marker"), ("coordinate", '"x", "y" or "phi"')):
        if key not in given:
            raise ModelError(f'a motion by segment needs "{key}", {meaning}')
    start, end, coordinate = (str(given[key]) for key in ("from", "to", "coordinate"))
    plane, at = str(given.get("plane", "xy")), given.get("at", 0.0)
    if coordinate not in COORDINATES:
        raise ModelError(f'coordinate should be "x", "y" or "phi"; found "{coordinate}"')
    if plane not in PLANES:
        raise ModelError(f'plane should be one of {", ".join(PLANES)}; found "{plane}"')
    if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at):
        raise ModelError(f"at should be a number, 0 at the first marker and 1 at the second; found {at!r}")
    if start == end:
        raise ModelError(f'from and to are both "{start}": a segment needs two markers')
    return _Segment(start, end, coordinate, plane, float(at))
