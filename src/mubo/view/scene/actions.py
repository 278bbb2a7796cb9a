"""Points on bodies, the forces and torques at them, and the scale of their arrows: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class BodyPoint:
    """A point on a body, in its axes."""

    body: str
    at: tuple[float, ...]


def plain(value: Any) -> Any:
    """Arrays and tuples as lists of Python numbers."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def rows_of(values: Array | None) -> list[Any]:
    """Rows as lists; one that holds a NaN is a gap, None."""
    if values is None:
        return []
    gaps = np.isnan(values).any(axis=1)
    rows: list[Any] = values.tolist()
    for k in np.flatnonzero(gaps):
        rows[k] = None
    return rows


def as_end(end: BodyPoint) -> dict[str, Any]:
    return {"body": end.body, "at": list(end.at)}


@dataclass(frozen=True)
class Load:
    """A force, or a torque, on a body at a place, in ground axes: one row of `values` per time.

    In the plane a torque is one number, counter-clockwise. A load is applied or that of a driver, else the reaction of
    a joint; one that equilibrium alone does not determine is not `unique`. The opposite acts on the body that it is
    exerted `by`, at the same place; "" where that is stated as a load of its own, or is no body.
    """

    name: str
    end: BodyPoint
    values: Array
    holds: str  # "force" or "torque"
    on: str  # the body that it acts on; its place may be given on another
    reaction: bool = False
    unique: bool = True
    by: str = ""
    start: Array | None = None  # where it acts, so far from its place at every row: a contact wanders

    def as_json(self) -> dict[str, Any]:
        head = {key: getattr(self, key) for key in ("name", "holds", "on", "reaction", "unique")}
        return {**head, **as_end(self.end), "values": rows_of(self.values)}


@dataclass(frozen=True)
class ArrowScale:
    """The scale of force arrows and of the radii of torque arrows: force and torque per length of
    the drawing, 0 where there is none. Those beyond `cut` are drawn no longer than it; `left_out` are not drawn."""

    force: float = 0.0
    torque: float = 0.0
    units: Mapping[str, str] = field(default_factory=dict)
    cut: Mapping[str, float] = field(default_factory=dict)
    left_out: int = 0
    bending: float = 0.0  # the largest bending moment of links that are beams, drawn on them
