"""Places of joints from markers: in the plane of walking, gaps filled, in the model's unit of length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.gaps import Filled
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import Axes
from mubo.laws import Table

Place = tuple[Filled, Filled]  # forward and up


class Markers:
    """The markers of a file that are used, each seen forwards and upwards."""

    def __init__(self, source: Source, axes: Axes) -> None:
        self.source, self.axes = source, axes
        self.path, self.time = source.data.path, source.time

    def whole(self, names: Sequence[str]) -> dict[str, Array]:
        """Markers in all axes that the file has, gaps as they are: frames × axes, in the unit of the file."""
        columns = self.source.data.columns
        return {
            name: np.column_stack([columns[f"{name}.{axis}"] for axis in "xyz" if f"{name}.{axis}" in columns])
            for name in dict.fromkeys(names)
        }

    def place(self, names: Sequence[str]) -> Place:
        """The middle of some markers."""
        columns = [[self.source.column(f"{name}.{letter}", "length") for letter in self.axes.letters] for name in names]
        forward, up = (
            Filled(
                sign * np.mean([one.value for one in parts], axis=0), np.any([one.supplied for one in parts], axis=0)
            )
            for sign, parts in zip(self.axes.signs, zip(*columns, strict=True), strict=True)
        )
        return forward, up

    def law(self, values: Filled) -> Table:
        """The law that follows samples, smoothed as was asked for."""
        return self.source.table([values], lambda column: column)


def angle_between(path: object, first: Place, second: Place, what: str) -> Filled:
    """The angle of the line from one place to another from the forward axis, counter-clockwise, without jumps."""
    x, y = (b.value - a.value for a, b in zip(first, second, strict=True))
    known = np.isfinite(x) & np.isfinite(y)
    if np.any((x == 0) & (y == 0)):
        raise ModelError(f"{path}: the markers of the {what} coincide: it has no angle")
    value = np.full(len(x), np.nan)
    value[known] = np.unwrap(np.arctan2(y[known], x[known]))
    value[known] -= 2 * np.pi * np.round(np.median(value[known]) / (2 * np.pi)) if np.any(known) else 0.0
    return Filled(value, np.any([part.supplied for part in (*first, *second)], axis=0))


def shifted(angle: Filled, by: float) -> Filled:
    """An angle counted from another zero."""
    return Filled(angle.value + by, angle.supplied)


def difference(first: Filled, second: Filled) -> Filled:
    """The second minus the first."""
    return Filled(second.value - first.value, first.supplied | second.supplied)


def distance(first: Place, second: Place) -> tuple[float, float]:
    """Mean distance of two places and its standard deviation."""
    x, y = (b.value - a.value for a, b in zip(first, second, strict=True))
    length = np.hypot(x, y)
    return float(np.nanmean(length)), float(np.nanstd(length))


def seen_from(origin: Place, angle: Filled, place: Place) -> tuple[float, float]:
    """Where a place lies on the mean in the axes of a body at `origin` that is turned by `angle`."""
    x, y = (b.value - a.value for a, b in zip(origin, place, strict=True))
    c, s = np.cos(angle.value), np.sin(angle.value)
    return float(np.nanmean(c * x + s * y)), float(np.nanmean(c * y - s * x))
