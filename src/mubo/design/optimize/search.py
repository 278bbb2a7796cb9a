"""A local search with limits: sequential quadratic programming in a trust region, with cuts at kinks.

The merit is the exact penalty φ = f + μ Σ max(0, cᵢ) (Fletcher, Practical Methods of Optimization, 1987, section 14.4):
near a solution it is least where the limits hold. Every step is the least of a quadratic model

    z + ½ dᵀBd + μ Σ sᵢ    where    fⱼ + gⱼ·d ≤ f + z,   cᵢⱼ + aᵢⱼ·d ≤ sᵢ,   |d| ≤ Δ,   x + d in the box.

An extreme over a motion, such as a peak torque, is the greatest of several smooth pieces and has kinks where the peak
changes over. So linearisations of rejected designs near by stay in the model (index j) as cuts: each describes a piece.
A design that does not run is no candidate: the step is taken back to a quarter.

A fit without limits is a least-squares problem for SciPy's trust-region reflective method with bounds. A design that
does not run returns NaN, and the method reduces its step to a quarter.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.derivatives import Local, local
from mubo.design.optimize.problem import OptimizationProblem, Trial
from mubo.design.optimize.step import SOFT, Search, TrustRegionStep
from mubo.lazy_dataclass import dataclass

LONGEST, SHORTEST = 0.4, 1e-6  # of the box: the longest and the shortest trust region
GAIN = 1e-8  # of the aim: a step that promises less is none
REACHES = (0.1, 0.01, 0.001)  # of the box: the first trust region, and those of searches that go on
CUTS = 12  # linearisations that are kept


@dataclass
class End:
    """Where a search ended, how many designs it tried and how many of them did not run."""

    trial: Trial
    tried: int = 1
    lost: int = 0
    settled: bool = False  # it could not be bettered, not merely that the trials were used up
    here: Local | None = None


def search(problem: OptimizationProblem, start: Trial, budget: int) -> End:
    """The best design near a start, among at most `budget` tried."""
    end = End(start)
    here = local(problem, start)
    if here is None:
        return end
    best = here
    for reach in REACHES:
        state = Search(problem, best, _first_curvature(best), reach)
        best = _followed(state, end, budget)
        if best is state.here:
            break
        # The path led through designs beyond the limits and came back to them at a worse place: on from the best one.
    end.settled = end.tried < budget
    end.trial, end.here = best.trial, best
    return end


def _followed(state: Search, end: End, budget: int) -> Local:
    """Steps until none is promising; the best design among them."""
    problem, best = state.problem, state.here
    while end.tried < budget and state.reach > SHORTEST:
        step = state.step()
        if step is None or step.promised <= GAIN * max(abs(state.here.aim), 1e-3) * (1e-3 if problem.fits else 1.0):
            if not _without_far_cuts(state):
                break
            continue
        _try(state, step, end)
        best = min(best, state.here, key=lambda at: problem.rank(at.trial))
    return best


def _without_far_cuts(state: Search) -> bool:
    """Nothing better in sight: cuts from far away may be wrong here, so that it is looked again without them."""
    if not state.cuts:
        return False
    state.reach /= 4
    state.cuts = [cut for cut in state.cuts if np.max(np.abs(cut.x - state.here.x)) < state.reach]
    return True


def _first_curvature(here: Local) -> Array:
    width = len(here.x)
    if here.residual_jacobian is not None:
        return np.asarray(here.residual_jacobian.T @ here.residual_jacobian + 1e-9 * np.eye(width))
    return np.eye(width) * max(float(np.max(np.abs(here.down))), 1e-3) * SOFT


def _try(state: Search, step: TrustRegionStep, end: End) -> None:
    """Runs the design of a step and moves there if it is better."""
    problem, here = state.problem, state.here
    length = float(np.max(np.abs(step.d)))
    trial = problem.trial(np.clip(here.x + step.d, 0.0, 1.0))
    end.tried += 1
    if not trial.ran:
        end.lost += 1
        state.reach = 0.25 * length
        return
    gained = state.merit(here.aim, here.beyond) - state.merit(problem.aim(trial), problem.beyond(trial))
    ratio = gained / step.promised
    if ratio < 0.25:
        state.reach = 0.5 * length
    elif ratio > 0.75 and length > 0.8 * state.reach:
        state.reach = min(2 * state.reach, LONGEST)
    kinked, kinks = problem.kinked()
    if ratio <= 1e-4 and not (kinked or np.any(kinks)):
        return
    there = local(problem, trial)
    if there is None:
        end.lost += 1
        state.reach = min(state.reach, 0.25 * length)
        return
    near = 4 * max(state.reach, length)
    if ratio <= 1e-4:
        state.cuts = [there, *(cut for cut in state.cuts if np.max(np.abs(cut.x - here.x)) < near)][:CUTS]
        return
    state.curvature = _updated(state, step, there)
    state.cuts = [here, *state.cuts] if kinked or np.any(kinks) else []
    state.cuts = [cut for cut in state.cuts if np.max(np.abs(cut.x - there.x)) < near][:CUTS]
    state.here = there


def _updated(state: Search, step: TrustRegionStep, there: Local) -> Array:
    """Curvature of the Lagrangian: of a fit that of its linearised residuals (Gauss and Newton), else by the formula of
    Broyden, Fletcher, Goldfarb and Shanno, damped by Powell; it is left where a kink lies between."""
    here, curvature = state.here, state.curvature
    if there.residual_jacobian is not None:
        return np.asarray(there.residual_jacobian.T @ there.residual_jacobian + 1e-9 * np.eye(len(here.x)))
    if step.kinked:
        return curvature
    s = there.x - here.x
    y = there.down - here.down + step.limits @ (there.across - here.across)
    bend = s @ curvature @ s
    part = 1.0 if s @ y >= 0.2 * bend else 0.8 * bend / (bend - s @ y)
    y = part * y + (1 - part) * (curvature @ s)
    if s @ y < 1e-14:
        return curvature
    new = curvature - np.outer(curvature @ s, curvature @ s) / bend + np.outer(y, y) / (s @ y)
    return np.asarray(new + 1e-10 * np.eye(len(s)))


INSIDE = 1e-9  # of the box
CLOSE = 1e-13  # of the sum of squares, of the step, of the gradient


class _NoDerivatives(Exception):
    """No design near by runs: there is nowhere to go from here."""


def squares(problem: OptimizationProblem, start: Trial, budget: int) -> End:
    """The best design near a start, among at most `budget` tried."""
    from scipy.optimize import least_squares

    inside = np.clip(start.x, INSIDE, 1.0 - INSIDE)  # the method wants to begin off the bounds
    begin = start if np.array_equal(inside, start.x) else problem.trial(inside)
    if not begin.ran:
        return End(start, 2, 1)
    tried: dict[bytes, Trial] = {trial.x.tobytes(): trial for trial in (start, begin)}
    linearised: dict[bytes, Local] = {}
    count = len(problem.residuals(start))

    def residuals(x: Array) -> Array:
        trial = tried.get(x.tobytes()) or problem.trial(x.copy())
        tried[x.tobytes()] = trial
        return problem.residuals(trial) if trial.ran else np.full(count, np.nan)

    def jacobian(x: Array) -> Array:
        here = local(problem, tried[x.tobytes()])
        if here is None or here.residual_jacobian is None:
            raise _NoDerivatives
        linearised[x.tobytes()] = here
        return here.residual_jacobian

    try:
        found = least_squares(
            residuals, begin.x, jacobian, bounds=(0.0, 1.0), ftol=CLOSE, xtol=CLOSE, gtol=CLOSE, max_nfev=budget
        )
        settled = bool(found.success)
    except _NoDerivatives:
        settled = False
    best = min(tried.values(), key=problem.rank)
    lost = sum(not trial.ran for trial in tried.values())
    return End(best, len(tried), lost, settled, linearised.get(best.x.tobytes()) or local(problem, best))
