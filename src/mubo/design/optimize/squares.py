"""Least squares from one start, by SciPy's trust-region reflective method with bounds.

A design that does not run answers no numbers (NaN), at which the method takes its step back to a quarter.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.derivatives import Local, local
from mubo.design.optimize.problem import OptimizationProblem
from mubo.design.optimize.search import End
from mubo.design.optimize.trial import Trial

INSIDE = 1e-9  # of the box
CLOSE = 1e-13  # of the sum of squares, of the step, of the slope


class _NoSlopes(Exception):
    """No design near by runs: there is nowhere to go from here."""


def squares(problem: OptimizationProblem, start: Trial, budget: int) -> End:
    """The best design near a start, among at most `budget` tried."""
    from scipy.optimize import least_squares

    inside = np.clip(start.x, INSIDE, 1.0 - INSIDE)  # the method wants to begin off the bounds
    begin = start if np.array_equal(inside, start.x) else problem.trial(inside)
    if not begin.ran:
        return End(start, 2, 1)
    tried: dict[bytes, Trial] = {trial.x.tobytes(): trial for trial in (start, begin)}
    slopes: dict[bytes, Local] = {}
    count = len(problem.residuals(start))

    def residuals(x: Array) -> Array:
        trial = tried.get(x.tobytes()) or problem.trial(x.copy())
        tried[x.tobytes()] = trial
        return problem.residuals(trial) if trial.ran else np.full(count, np.nan)

    def jacobian(x: Array) -> Array:
        here = local(problem, tried[x.tobytes()])
        if here is None or here.residual_slopes is None:
            raise _NoSlopes
        slopes[x.tobytes()] = here
        return here.residual_slopes

    try:
        found = least_squares(
            residuals, begin.x, jacobian, bounds=(0.0, 1.0), ftol=CLOSE, xtol=CLOSE, gtol=CLOSE, max_nfev=budget
        )
        settled = bool(found.success)
    except _NoSlopes:
        settled = False
    best = min(tried.values(), key=problem.rank)
    lost = sum(not trial.ran for trial in tried.values())
    return End(best, len(tried), lost, settled, slopes.get(best.x.tobytes()) or local(problem, best))
