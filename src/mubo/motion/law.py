"""What every motion law can do, and where it has corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from mubo.arrays import Array

EVERYWHERE = (-np.inf, np.inf)
ORDERS = ("value", "velocity", "acceleration")


@runtime_checkable
class Law(Protocol):
    """f(t) with f'(t) and f''(t).

    A law with corners also has `breaks(start, end)`: the times between start and end where it changes its formula.
    """

    def __call__(self, t: Array) -> Array:
        """f, f', f'' at the times t, as an array of shape (len(t), 3)."""

    @property
    def domain(self) -> tuple[float, float]:
        """First and last time at which the law is defined."""

    def notes(self) -> dict[str, Any]:
        """Facts for the summary, such as the smoothing used."""


@dataclass(frozen=True)
class Jump:
    """A law's value, velocity or acceleration is not the same before and after a time."""

    t: float
    order: int
    size: float

    def __str__(self) -> str:
        return f"its {ORDERS[self.order]} jumps by {self.size:.4g} at t = {self.t:.9g}"


def breaks_of(law: Law, start: float, end: float) -> Array:
    """Times inside (start, end) where the law changes its formula."""
    found = getattr(law, "breaks", None)
    times = np.zeros(0) if found is None else np.asarray(found(start, end), float)
    return times[(times > start) & (times < end)]


def jumps_of(law: Law, start: float, end: float) -> list[Jump]:
    """The lowest-order jump at each corner of the law."""
    found = []
    span = max(end - start, abs(start), abs(end), 1e-300)
    for t in breaks_of(law, start, end):
        before, after = law(np.array([t - 1e-9 * span, t + 1e-9 * span]))
        size = np.abs(after - before)
        # Away from a corner these differ by the next derivative times 2e-9 of the span.
        expected = 1e-8 * span * np.abs(np.append((np.abs(before) + np.abs(after))[1:], 0.0))
        scale = 1e-7 * np.maximum(np.abs(before), np.abs(after)) + expected + 1e-12
        orders = np.flatnonzero(size > scale)
        if len(orders):
            found.append(Jump(float(t), int(orders[0]), float(size[orders[0]])))
    return found
