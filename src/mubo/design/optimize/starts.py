"""Where local searches start: the design in hand, and the best of many that run, from Sobol points spread over the
bounds, from differential evolution (SciPy) or from the evolution of a covariance matrix (`cma`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.evolution import CROWD, Tries, covariance, evolution
from mubo.design.optimize.problem import OptimizationProblem
from mubo.design.optimize.trial import Trial
from mubo.design.ranges import unit_points
from mubo.design.variants import RAN, Done, work_through

SAMPLES = 4  # Sobol points for every start


def pool_of(
    problem: OptimizationProblem, first: Trial, method: str, starts: int, seed: int, tries: Tries
) -> list[Trial]:
    """Designs that were tried all over the bounds, the design in hand first; those that do not run are among them."""
    count = max(SAMPLES * starts, 2 * CROWD * len(problem.names) if method != "starts" else 0)
    pool = [first, *tries(unit_points("sobol", count, len(problem.names), seed))] if starts > 1 else [first]
    if method == "evolution":
        pool += evolution(problem, pool, seed, tries)
    elif method == "cma":
        pool += covariance(problem, min(pool, key=problem.rank), seed, tries)
    return pool


def best_of(problem: OptimizationProblem, pool: Sequence[Trial], starts: int) -> list[Trial]:
    """The design in hand, and the best of the others that ran."""
    ran = sorted((trial for trial in pool[1:] if trial.ran), key=problem.rank)
    return [pool[0], *ran[: starts - 1]]


def in_batch(problem: OptimizationProblem, places: Array) -> list[Trial]:
    """Many designs at once, in the core's batch where it can; without their runs."""
    values = np.array([problem.values(x) for x in places])
    done: Done = work_through(problem.work, values)
    return [_of_batch(problem, x, v, done, k) for k, (x, v) in enumerate(zip(places, values, strict=True))]


def _of_batch(problem: OptimizationProblem, x: Array, values: Array, done: Done, k: int) -> Trial:
    if done.status[k] != RAN or not np.all(np.isfinite(done.values[k])):
        return Trial(x, values, done.status[k] if done.status[k] != RAN else "failed: a measure is not finite")
    names = (objective.name for objective in problem.work.objectives)
    numbers = dict(zip(names, done.values[k].tolist(), strict=True))
    given = dict(zip(problem.names, values.tolist(), strict=True))
    return Trial(x, values, RAN, numbers | problem.of_parameters(problem.work.model.replace(**given)))
