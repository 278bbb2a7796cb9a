"""Optimises a model: many starts, a local search from each, and the best design that stands the whole proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.batch import cores
from mubo.design.optimize.answer import Optimum
from mubo.design.optimize.asked import Asked, asked_for, asked_of
from mubo.design.optimize.contradiction import no_design
from mubo.design.optimize.derivatives import local
from mubo.design.optimize.problem import OptimizationProblem
from mubo.design.optimize.search import End, search
from mubo.design.optimize.squares import squares
from mubo.design.optimize.starts import best_of, in_batch, pool_of
from mubo.design.optimize.trial import Trial
from mubo.design.optimize.verification import proved
from mubo.design.sweep import analysis_of
from mubo.design.variants import batch_agrees
from mubo.design.workers import over_cores
from mubo.model import ModelDefinition
from mubo.model.optimization import Optimization
from mubo.studies.design import OptimizeOptions

BUDGET = 60  # designs that a local search may try
Progress = Callable[[float, float], None]


def optimise(
    model: ModelDefinition,
    optimization: Optimization,
    study: str,
    times: tuple[float, float, float],
    *,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Optimum:
    """The best design found that runs, meets all limits and stands its proof."""
    asked = asked_of(model, optimization, study, times)
    problem, count = asked.problem, workers or cores()
    numbers = [asked.first.numbers[objective.name] for objective in problem.work.objectives]
    batched = not problem.smooth and batch_agrees(problem.work, numbers)
    sampling = replace(problem, work=replace(problem.work, batched=batched))
    total = 2.0 * optimization.starts

    def tries(places: Array) -> list[Trial]:
        parts = {0: places} if batched else dict(enumerate(np.array_split(places, min(len(places), 8 * count))))
        found = {}
        for number, trials in over_cores(_sample, sampling, parts, count):
            found[number] = trials
            progress(optimization.starts * len(found) / len(parts), total)
        return [trial for number in sorted(found) for trial in found[number]]

    pool = pool_of(problem, asked.first, optimization.method, optimization.starts, optimization.seed, tries)
    chosen = {k: trial.x for k, trial in enumerate(best_of(problem, pool, optimization.starts))}
    ends: dict[int, End] = {}
    for number, end in over_cores(seek, problem, chosen, count):
        ends[number] = end
        progress(total / 2 + total / 2 * len(ends) / len(chosen), total)
    return _answered(asked, [ends[number] for number in sorted(ends)], pool)


def _sample(problem: OptimizationProblem, places: Array) -> list[Trial]:
    """Some designs: by the batch, or one by one with what the searches see of them."""
    if problem.work.batched:
        return in_batch(problem, places)
    return [problem.trial(x).bare() for x in places]


def seek(problem: OptimizationProblem, start: Array) -> End:
    """A local search from one start: least squares where targets are to be met and nothing limits them."""
    trial = problem.trial(start)
    if not trial.ran:  # the batch and a run of its own differ: the run is believed
        return End(trial.bare())
    way = squares if problem.fits and not problem.limits else search
    end = way(problem, trial, BUDGET)
    here = end.here and replace(end.here, trial=end.here.trial.bare())
    return replace(end, trial=end.trial.bare(), here=here)


def _answered(asked: Asked, ends: list[End], pool: list[Trial]) -> Optimum:
    """The best end that stands its proof; those that do not are left, and counted."""
    problem = asked.problem
    fallen: list[str] = []
    for end in sorted(ends, key=lambda end: problem.rank(end.trial)):
        if not end.trial.ran or problem.missed(end.trial) > 0:
            break
        stood = proved(problem, end.trial)
        if isinstance(stood, str):
            fallen.append(stood)
            continue
        model, run, proof = stood
        best = problem.judged(end.trial.x, model, run)
        here = end.here or local(problem, best)
        return Optimum(asked, best, model, run, proof, here, tuple(ends), tuple(pool), tuple(fallen))
    raise no_design(asked, ends, fallen)


def answer_optimize(definition: ModelDefinition, asked: OptimizeOptions) -> Optimum:
    """Answers the study `optimize`; the design keeps what was asked, so that its file can be optimised again."""
    keys = ("vary", "minimize", "maximize", "fit", "constraints", "starts", "method", "seed")
    wanted = asked_for(definition, {key: getattr(asked, key) for key in keys})
    how: dict[str, Any] = {"workers": asked.workers, "progress": asked.progress}
    study = analysis_of(definition, asked.analysis)
    return optimise(definition.changed(optimization=wanted), wanted, study, asked.times, **how)
