"""Values of accelerations and forces at change points, extrapolated from positions beside them.

Close to a change point accelerations, and forces with them, are lost to rounding, like ε/τ³ of the time τ to it; on a
smooth motion they are smooth there all the same. So rows that are too close are not used, and the value at the point
itself is that of the cubic through four positions farther away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.numerics.extremum_search import Sample
from mubo.results import Columns, Event

PART = 1 / 800  # of the run: rows closer to a change point are not used
MOST = 100
# Sample points, and the weights of the cubic through them at the change point: on both sides, or on one.
STENCILS = (
    (np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1.0, 4.0, 4.0, -1.0]) / 6),
    (np.array([-4.0, -3.0, -2.0, -1.0]), np.array([-1.0, 4.0, -6.0, 4.0])),
    (np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0, -6.0, 4.0, -1.0])),
)


def sample_beside(
    at: float, away: float, solve: Callable[[Array], Any], count: Callable[[Any], int]
) -> tuple[Any, Array] | None:
    """Samples beside a change point, and the weights that extrapolate to it; None where others or the ends of the run
    are too close. `count` is the number of samples that were reached."""
    for points, weights in STENCILS:
        found = solve(at + away * points)
        if count(found) == len(points):
            return found, weights
    return None


class ChangePointValues:
    """Change points that a run passed, with columns beside them; `t` are its rows."""

    def __init__(self, t: Array, events: Sequence[Event], solve: Callable[[Array], Columns]) -> None:
        self.t = np.unique([event.t for event in events if event.passed and event.kind != "near_miss"])[:MOST]
        self._unbounded = [event for event in events if event.kind == "unbounded"]
        few = len(t) < 2 or not len(self.t)
        self._close = 0.0 if few else PART * float(t[-1] - t[0])
        away = 0.0 if few else max(0.25 * float(t[1] - t[0]), self._close)
        self._beside = (
            [] if few else [sample_beside(at, away, solve, lambda found: len(found.raw("t"))) for at in self.t]
        )

    def steps(self, t: Array) -> set[int]:
        """Steps between rows that contain a change point or end at one."""
        after = np.searchsorted(t, self.t)
        on_row = after[np.isin(self.t, t)]
        return {int(k) for k in (*(after - 1), *on_row)}

    def clear(self, t: Array, values: Array) -> Array:
        """Values at the rows, without those too close to a change point."""
        if not len(self.t) or not len(t):
            return values
        nearest = np.min(np.abs(t[:, None] - self.t[None, :]), axis=1)
        kept = np.where(nearest < self._close, np.nan, values)
        return kept if np.any(np.isfinite(kept)) else values

    def places(self, read: Callable[[Columns], Array]) -> list[Sample]:
        """Samples at each change point that is clear of others and of the ends, and beside it."""
        out = []
        for at, beside in zip(self.t, self._beside, strict=False):
            if beside is not None:
                columns, weights = beside
                values = read(columns)
                out += [Sample(float(at), float(weights @ values))]
                out += [Sample(float(t), float(v)) for t, v in zip(columns.raw("t"), values, strict=True)]
        return out

    def infinite(self, owner: str) -> list[Sample]:
        """Samples where the forces of a joint or driver are unbounded."""
        return [Sample(event.t, np.inf) for event in self._unbounded if owner in event.joints]
