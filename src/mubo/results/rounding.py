"""Rounding: a number that is nothing beside the largest of its kind in a run is shown as zero, on screens, charts and
pages. Files keep all digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import Units
from mubo.model.column_names import Column

ROUNDING = 1e-12  # of the largest number of its kind in the run: less is rounding
TOGETHER = 100_000  # numbers that are looked at together
LEVER = ("force", "length")  # what a moment consists of
PLACE = ("x", "y", "z")
ENERGIES = (("kinetic", "potential", "total"), ("dissipated", "supplied"))


def clear_rounding(values: Array, scale: float) -> Array:
    """The values with zero in the place of those that are rounding beside `scale`, the largest of their kind."""
    return np.where(np.abs(values) < ROUNDING * scale, 0.0, values)


def clear_number(value: float, *beside: float) -> float:
    """The value, or zero where it is rounding beside the largest of others of its kind that are finite."""
    scale = max((abs(other) for other in beside if math.isfinite(other)), default=0.0)
    return float(clear_rounding(np.array(value), scale))


def clear_extremes(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a quantity in the extremes of a summary, with zeros where only rounding is left."""
    ends = {end: entry[end] for end in ("min", "max") if end in entry}
    beside = [value for value, _ in ends.values()]
    out = {end: [clear_number(value, *beside), t] for end, (value, t) in ends.items()}
    return {**entry, **out, **({"range": clear_number(entry["range"], *beside)} if "range" in entry else {})}


def column_scales(schema: Sequence[Column], values: Mapping[str, Array], units: Units) -> dict[str, float]:
    """The size of the kind of each column (places, their velocities …) in a run, which rounding is judged by, in the
    unit of the column.

    It is the largest number of the kind; for an angle at least a radian, for a moment the largest force at the largest
    distance, and for a rate at least the size of what it is the rate of times the largest frequency of the motion: a
    steady wheel has angular accelerations of rounding alone.
    """
    kinds = {c.name: (chart_of(c), c.holds, c.order) for c in schema}
    size: dict[tuple[str, str, int], float] = {}
    for kind, own in zip(kinds.values(), _largest_values(schema, values), strict=True):
        size[kind] = max(size.get(kind, 0.0), own)
    often = _frequency(values["t"], size)
    force, far = (max((own for (_, h, n), own in size.items() if (h, n) == (w, 0)), default=0.0) for w in LEVER)
    for (chart, holds, order), own in sorted(size.items(), key=lambda entry: entry[0][2]):
        least = often**order if holds == "angle" else often * size.get((chart, holds, order - 1), 0.0)
        size[chart, holds, order] = max(own, least, force * far if holds == "torque" else 0.0)
    return {c.name: size[kinds[c.name]] / units.factor(c.holds, c.order) for c in schema}


def _largest_values(schema: Sequence[Column], values: Mapping[str, Array]) -> Array:
    """The largest finite size in each column, in internal units; 0 for a column without any."""
    if not schema:
        return np.zeros(0)
    block = max(TOGETHER // max(len(values[schema[0].name]), 1), 1)
    out = []
    for first in range(0, len(schema), block):
        some = schema[first : first + block]
        sizes = np.abs([values[column.name] for column in some])
        out.append(np.max(sizes, axis=1, where=np.isfinite(sizes), initial=0.0))
    return np.concatenate(out)


def _frequency(t: Array, size: dict[tuple[str, str, int], float]) -> float:
    """The largest rate per size in radians per time: of turns, and of lengths against themselves."""
    length = float(np.ptp(t)) if len(t) else 0.0
    turns = [own for (_, holds, order), own in size.items() if (holds, order) == ("angle", 1)]
    lengths = [
        own / size[chart, holds, 0]
        for (chart, holds, order), own in size.items()
        if (holds, order) == ("length", 1) and size.get((chart, holds, 0), 0.0) > 0
    ]
    return max([1 / length if length > 0 else 0.0, *turns, *lengths])


def chart_of(column: Column) -> str:
    """The chart that a column shares: coordinates of a place, components of a force, joint coordinates, energies."""
    if column.kind in ("body", "point") and column.quantity in PLACE:
        return "place"
    if column.kind == "joint":
        return "spin" if column.quantity.startswith("turn") else "coordinates"
    if column.kind in ("reaction", "shaking"):
        return "moment" if column.holds == "torque" else "force"
    if column.kind == "energy":
        return next((group[0] for group in ENERGIES if column.quantity in group), column.quantity)
    return column.quantity.partition(" ")[0] if column.holds != "number" else column.kind
