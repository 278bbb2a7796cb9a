"""Designs for several goals: of those that run, meet all limits and stand their proof, the ones that none betters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.design.optimize.optimize import no_design, proved, tried_designs
from mubo.design.optimize.problem import Trial
from mubo.design.optimize.task import OptimizationTask, optimization_task
from mubo.design.pareto.result import FrontDesign, ParetoFront
from mubo.design.pareto.search import best_of_each, between, dominated, goals_of
from mubo.design.sweep import analysis_of
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.optimization import GOAL_SIGNS, Optimization, optimization_of
from mubo.quantities.output_times import OutputTimes
from mubo.studies.optimize import ParetoOptions

SHARES = (0.2, 0.3)  # of the work: designs all over the bounds, and the best of every goal


def pareto(
    model: ModelDefinition,
    optimization: Optimization,
    signs: Mapping[str, int],
    study: str,
    times: OutputTimes,
    *,
    designs: int = 12,
    workers: int | None = None,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> ParetoFront:
    """Designs spread over the front; every one is run in full, meets all limits and stands its proof."""
    asked = _asked(model, optimization, signs, study, times)
    problem, (first, second) = asked.problem, SHARES
    pool = tried_designs(asked, optimization, workers, lambda part: progress(first * part, 1.0))
    ends, corners = best_of_each(
        problem, pool, optimization.starts, workers, lambda part: progress(first + second * part, 1.0)
    )
    if not corners:
        raise no_design(asked, ends, [])
    best = [ends[n].trial for n in corners]
    ended = [end.trial for end in ends]
    rest = between(
        problem,
        best,
        [*ended, *pool],
        designs,
        workers,
        lambda part: progress(first + second + (1 - first - second) * part, 1.0),
    )
    kept = _undominated(asked, [t for t in (*best, *(end.trial for end in rest)) if _counts(asked, t)])
    tried = len(pool) + sum(end.tried for end in (*ends, *rest))
    lost = sum(not trial.ran for trial in pool) + sum(end.lost for end in (*ends, *rest))
    return _proved(asked, _spread(asked, kept, designs), pool, tried, lost)


def _asked(
    model: ModelDefinition, optimization: Optimization, signs: Mapping[str, int], study: str, times: OutputTimes
) -> OptimizationTask:
    """The task of all goals, each with its own sense."""
    asked = optimization_task(model, optimization, study, times)
    wanted = tuple(replace(one, sign=signs[one.term.text]) for one in asked.problem.wanted)
    return replace(asked, problem=replace(asked.problem, wanted=wanted, beside=wanted))


def _counts(asked: OptimizationTask, trial: Trial) -> bool:
    return trial.ran and asked.problem.missed(trial) == 0


def _undominated(asked: OptimizationTask, trials: Sequence[Trial]) -> list[Trial]:
    """The designs that none betters, along the first goal."""
    goals = np.array([goals_of(asked.problem, trial) for trial in trials])
    keep = ~dominated(goals, np.ptp(goals, axis=0))
    chosen = sorted((trial for trial, good in zip(trials, keep, strict=True) if good), key=lambda t: _first(asked, t))
    return chosen


def _first(asked: OptimizationTask, trial: Trial) -> float:
    return float(goals_of(asked.problem, trial)[0])


def _spread(asked: OptimizationTask, trials: Sequence[Trial], count: int) -> list[Trial]:
    """At most `count` of them: the best of each goal, then always the one farthest from those that are taken."""
    if len(trials) <= count:
        return list(trials)
    goals = np.array([goals_of(asked.problem, trial) for trial in trials])
    scaled = goals / np.maximum(np.ptp(goals, axis=0), 1e-300)
    taken = list(dict.fromkeys(int(np.argmin(goals[:, k])) for k in range(goals.shape[1])))
    while len(taken) < count:
        far = np.min(np.linalg.norm(scaled[:, None] - scaled[taken][None], axis=2), axis=1)
        taken.append(int(np.argmax(far)))
    return [trials[k] for k in sorted(taken)]


def _proved(
    asked: OptimizationTask, trials: Sequence[Trial], pool: Sequence[Trial], tried: int, lost: int
) -> ParetoFront:
    """Every design in full; one that fails is left out and reported."""
    designs, fallen = [], Counter[str]()
    for trial in trials:
        stood = proved(asked.problem, trial)
        if isinstance(stood, str):
            fallen[stood] += 1
        else:
            designs.append(FrontDesign(*stood))
    return ParetoFront(asked, tuple(designs), tuple(pool), tried, lost, dict(fallen))


def answer_pareto(definition: ModelDefinition, options: ParetoOptions) -> ParetoFront:
    """Answers the study `pareto`: bounds, limits and choices are those of [optimize] where none are given."""
    goals = [(text, key) for key in ("minimize", "maximize") for text in _texts(getattr(options, key))]
    texts = [text for text, _ in goals]
    if len(texts) < 2 or len(set(texts)) < len(texts):
        found = ", ".join(texts) or "none"
        raise ModelError(
            f"a front needs two or more different goals; found {found}",
            suggestion="Name goals by minimize and maximize; for one goal there is `optimize`.",
        )
    stored = definition.optimization
    keys = ("vary", "constraints", "choices", "seed")
    given: dict[str, Any] = {key: getattr(stored, key) for key in keys} if stored is not None else {}
    given |= {key: getattr(options, key) for key in (*keys, "starts") if getattr(options, key) is not None}
    read = optimization_of(given | {"minimize": texts[0]})
    wanted = replace(read, of=dict.fromkeys(texts))
    return pareto(
        definition,
        wanted,
        {text: GOAL_SIGNS[key] for text, key in goals},
        analysis_of(definition, options.analysis),
        options.times,
        designs=options.designs,
        workers=options.workers,
        progress=options.progress,
    )


def _texts(given: Sequence[str] | str | None) -> list[str]:
    """Goals in one form of blanks."""
    texts = [given] if isinstance(given, str) else given or ()
    return [" ".join(text.split()) for text in texts]
