"""Starts of the local searches: the design in hand, and the best of many designs that run.

They come from Sobol points spread over the bounds, from differential evolution (SciPy) or from the evolution of a
covariance matrix (`cma`). A design that does not run gets no penalty: it is never a candidate. Evolution keeps a design
only where one that runs is better, limits first (Deb 2000); `cma` gets ranks alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.problem import OptimizationProblem, Trial
from mubo.design.ranges import unit_points
from mubo.design.variants import RAN, Done, work_through
from mubo.errors import ModelError

CROWD = 6  # designs of a generation for every parameter
GENERATIONS = 20
Tries = Callable[[Array], list[Trial]]


class _Seen:
    """Designs by place: what is asked of one twice is computed once."""

    def __init__(self, problem: OptimizationProblem, pool: Sequence[Trial], tries: Tries) -> None:
        self.problem, self.tries = problem, tries
        self.known = {trial.x.tobytes(): trial for trial in pool}
        self.new: list[Trial] = []

    def ranks(self, places: Array) -> list[tuple[float, float]]:
        places = np.ascontiguousarray(np.clip(places, 0.0, 1.0))
        fresh = [x for x in places if x.tobytes() not in self.known]
        if fresh:
            for trial in self.tries(np.array(fresh)):
                self.known[trial.x.tobytes()] = trial
                self.new.append(trial)
        return [self.problem.rank(self.known[x.tobytes()]) for x in places]


def evolution(problem: OptimizationProblem, pool: Sequence[Trial], seed: int, tries: Tries) -> list[Trial]:
    """Differential evolution among designs that run (Storn and Price 1997)."""
    from scipy.optimize import NonlinearConstraint, differential_evolution

    ran = sorted((trial for trial in pool if trial.ran), key=problem.rank)[: CROWD * len(problem.names)]
    if len(ran) < 5:  # too few to be combined: the searches start from them
        return []
    seen = _Seen(problem, pool, tries)

    def column(k: int) -> Callable[[Array], Array]:
        return lambda x: np.array([rank[k] for rank in seen.ranks(np.atleast_2d(x.T))])

    limits: Any = NonlinearConstraint(lambda x: column(0)(x)[None], 0.0, 0.0) if problem.limits else ()
    differential_evolution(
        column(1),
        [(0.0, 1.0)] * len(problem.names),
        init=np.array([trial.x for trial in ran]),
        maxiter=GENERATIONS,
        constraints=limits,
        vectorized=True,
        updating="deferred",
        polish=False,
        rng=seed,
    )
    return seen.new


def covariance(problem: OptimizationProblem, best: Trial, seed: int, tries: Tries) -> list[Trial]:
    """Evolution of a covariance matrix (Hansen 2016). Designs that do not run are drawn again, at last ranked last."""
    try:
        import cma
    except ImportError:
        raise ModelError("the method cma needs its package: pip install 'mubo[cma]'") from None
    seen = _Seen(problem, [best], tries)
    options = {"bounds": [0, 1], "seed": seed + 1, "verbose": -9, "maxiter": GENERATIONS}
    strategy = cma.CMAEvolutionStrategy(best.x.tolist(), 0.2, options)
    while not strategy.stop():
        asked = np.array(strategy.ask())
        ranks = seen.ranks(asked)
        lost = [k for k, rank in enumerate(ranks) if not np.isfinite(rank[0])]
        if lost:
            asked[lost] = strategy.ask(len(lost))
            ranks = seen.ranks(asked)
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        strategy.tell(list(asked), [float(order.index(k)) for k in range(len(ranks))])
    return seen.new


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
