"""There and back over a time grid: a motion that does not come back to its start has changed its branch somewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.studies.motion.crossing import Crosser
from mubo.studies.motion.march import Cross, Motion, Path, Settings, Stepper, march

BACK_AT_START = 1e-6  # how far, scaled, a run there and back may end from its start
REFINEMENTS = (1, 8, 64)


@dataclass(frozen=True)
class RoundTrip:
    """The way there, the way back from its last row, and how far that ends from the start."""

    there: Path
    back: Path
    apart: float  # angles in radians, lengths in sizes of the mechanism
    same: bool  # whether it came back to its start


def round_trip(
    motion: Motion,
    stepper: Stepper,
    weight: Array,
    grid: Array,
    state: Array,
    settings: Settings,
    regular: Callable[[Array, float], bool],
    wrapped: Callable[[Cross], Cross] = lambda cross: cross,
) -> RoundTrip:
    """Marches over the grid and back; with shorter steps between the rows as long as that does not end at the start.

    `wrapped` may put another way to pass a position before the crossing of change points.
    """
    accepted = max(BACK_AT_START, 1e4 * settings.tolerance / settings.scale)
    same = max(1e-6, 1000 * settings.tolerance / settings.scale)
    crosser = wrapped(Crosser(motion, stepper, weight, settings.branch == "other"))
    for substeps in REFINEMENTS:
        stepper.at(state[0], motion(grid[:1])[0])
        there = march(motion, stepper, grid, state, settings.progress, substeps, regular, same, crosser)
        last, rows = there.states[there.reached], grid[: there.reached + 1]
        stepper.at(last[0], motion(rows[-1:])[0])
        back = march(motion, stepper, rows[::-1], last, _quiet, substeps, regular, same, crosser)
        apart = float(np.max(np.abs((back.states[back.reached][0] - there.states[0][0]) * weight), initial=0.0))
        if apart <= accepted:
            break
    return RoundTrip(there, back, apart, apart <= accepted)


def _quiet(done: int, total: int) -> None:
    pass
