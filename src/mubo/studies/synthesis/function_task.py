"""Function generation as it is asked for: pairs of angles, or pairs of a function of x."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import Units
from mubo.studies.synthesis.choose import MOST, chosen
from mubo.studies.synthesis.function import follow, four_bars, freudenstein, grid_of_starts
from mubo.studies.synthesis.result import Synthesis
from mubo.studies.synthesis.task import ANGLE, Task

FEWEST = 3
SAME = 1e-9  # radians: pairs of the same crank angle are one


def function(
    pairs: Array,
    *,
    ground: float = 1.0,
    crank_start: float | None = None,
    rocker_start: float | None = None,
    units: Units | None = None,
    most: int = MOST,
) -> Synthesis:
    """Four-bars through pairs of crank and rocker angles (radians, a line each), counted from the starts."""
    pairs = require_pairs(pairs)
    if not ground > 0:
        raise ModelError(f"the ground must be longer than zero; found {ground:g}")
    turned = pairs - pairs[0] if crank_start is not None or rocker_start is not None else pairs
    first, second = grid_of_starts(crank_start, rocker_start)
    phi = first[:, None] + turned[:, 0]
    psi = second[:, None] + turned[:, 1]
    exact = len(pairs) == FEWEST
    task = Task(
        f"function at {len(pairs)} points",
        {"rocker.phi": np.degrees(pairs[:, 1])},
        {"rocker.phi": ANGLE},
        exact,
        units or Units(),
        relative=True,
    )
    K = freudenstein(phi, psi)
    if exact:
        return chosen(task, [four_bars(phi, psi, K, ground)], most=most)
    family, errors = follow(phi, psi, K, ground)
    return chosen(task, [family], [errors], most)


def require_pairs(pairs: Array) -> Array:
    """Refuses pairs that no linkage could tell apart."""
    pairs = np.asarray(pairs, float)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ModelError("pairs are a crank angle and an output each: [(0, 0), (30, 20), (60, 50)]")
    if len(pairs) < FEWEST:
        raise ModelError(f"a function needs at least {FEWEST} pairs; found {len(pairs)}")
    steps = np.diff(pairs[:, 0])
    if np.any(np.abs(steps) < SAME):
        k = int(np.argmin(np.abs(steps)))
        raise ModelError(f"pairs {k + 1} and {k + 2} have the same crank angle", suggestion="Leave one of them out.")
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise ModelError("the crank angles of the pairs must go one way, one after the other")
    if np.ptp(pairs[:, 0]) >= 2 * np.pi:
        raise ModelError(
            f"the crank angles span {np.degrees(np.ptp(pairs[:, 0])):.6g} deg: less than a turn is allowed"
        )
    return pairs
