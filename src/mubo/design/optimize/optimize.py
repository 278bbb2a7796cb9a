"""Optimisation of a model: many starts, a local search from each, and the best design that passes its verification.

The verification of a design is its full run on the branch of the start, with all limits met, and the table of
`verify`. Where no design meets all limits, the error names the nearest one, the limits that it misses and what blocks
them: at the nearest design the gradients of what is missed are balanced by those of limits and bounds that are just
met (Farkas' lemma); those with a positive share contradict it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.analyses.verify.table import Verification
from mubo.analyses.verify.verify import verify
from mubo.arrays import Array
from mubo.design.batch import cores
from mubo.design.optimize.choices import best_choices, places_of
from mubo.design.optimize.derivatives import local
from mubo.design.optimize.optimum import Optimum
from mubo.design.optimize.problem import MET, OptimizationProblem, Trial
from mubo.design.optimize.search import End, search, squares
from mubo.design.optimize.starts import best_of, in_batch, pool_of
from mubo.design.optimize.task import OptimizationTask, asked_for, optimization_task
from mubo.design.sweep import analysis_of
from mubo.design.variants import batch_agrees, stopped_words
from mubo.design.workers import over_cores
from mubo.errors import DesignError
from mubo.model import ModelDefinition
from mubo.model.optimization import Optimization
from mubo.quantities.output_times import OutputTimes
from mubo.studies.optimize import OptimizeOptions

NEAR = 1e-4  # of its size, of the box: where a limit or a bound counts as reached


def no_design(asked: OptimizationTask, ends: Sequence[End], fallen: Sequence[str]) -> DesignError:
    """The error that says why there is no answer."""
    problem = asked.problem
    best = min(ends, key=lambda end: problem.rank(end.trial))
    if not best.trial.ran:
        return DesignError(f"no start runs: {best.trial.status}")
    if problem.missed(best.trial) == 0:
        return DesignError(f"no design stands its proof: {fallen[0]}", suggestion="A shorter step may help.")
    place = ", ".join(f"{n} = {v:.6g}" for n, v in zip(problem.names, best.trial.values, strict=True))
    lines = [f"no design that meets all limits was found from {len(ends)} starts. The nearest one, {place}:"]
    beyond = problem.beyond(best.trial)
    short = np.where(problem.equal, np.abs(beyond), beyond)
    lines += [_missed(asked, best, k) for k in np.flatnonzero(short > MET).tolist()]
    lines += [f"  {text}: just met, and it blocks the others" for text in _holding(asked, best, short)]
    missed = [problem.limits[k].text for k in np.flatnonzero(short > MET)]
    return DesignError("\n".join(lines), names=missed, suggestion="Give up or relax one of these, or widen the bounds.")


def _missed(asked: OptimizationTask, end: End, k: int) -> str:
    limit = asked.problem.limits[k]
    found = end.trial.numbers[limit.term.text]
    unit = f" {asked.units[limit.term.text]}" * bool(asked.units[limit.term.text])
    return f"  {limit.text}: {found:.6g}{unit}, missed by {abs(found - limit.value):.6g}{unit}"


def _holding(asked: OptimizationTask, end: End, short: Array) -> list[str]:
    """The limits and bounds that are reached and without which more could be met."""
    from scipy.optimize import nnls

    problem, here = asked.problem, end.here
    if here is None:
        return []
    wanted = np.where(short > MET, np.sign(here.beyond), 0.0) @ here.across  # where what is missed grows
    rows, texts = [], []
    for k in np.flatnonzero(np.abs(short) <= NEAR).tolist():
        if short[k] <= MET:
            rows.append(here.across[k])
            texts.append(problem.limits[k].text)
    free = [(k, name) for k, name in enumerate(problem.names) if k not in problem.chosen]
    for k, name in free:
        for side, at, bound in ((-1.0, 0.0, problem.low), (1.0, 1.0, problem.high)):
            if abs(here.x[k] - at) < NEAR:
                rows.append(side * np.eye(len(problem.names))[k])
                texts.append(f"the bound {name} {'>=' if side < 0 else '<='} {bound[k]:g}")
    if not rows:
        return []
    shares, _ = nnls(np.array(rows).T, -wanted)
    return [text for text, share in zip(texts, shares, strict=True) if share > 1e-6 * np.max(np.abs(wanted))]


SAME = 1e-6  # relative: what a design was worth in the search, and what it is worth in its proof


def proved(problem: OptimizationProblem, trial: Trial) -> str | tuple[Trial, Verification]:
    """A design with its full runs and the proof of the first; in words what it fails by."""
    designs, problem = [], problem.closed(trial.values)
    for work in problem.works:
        model = work.variant(trial.values.tolist())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = work.run(model)
        if run.summary["status"] != "ok":
            return f"it does not run: {stopped_words(run)}"
        designs.append((model, run))
    judged = problem.judged(trial.x, designs)
    if not judged.ran or problem.missed(judged) > 0:
        return "its full run does not meet the limits"
    apart = [name for name, n in judged.numbers.items() if abs(n - trial.numbers[name]) > SAME * max(abs(n), 1e-9)]
    if apart:
        return f"its full run gives another {apart[0]}"
    proof = verify(designs[0][1])
    return (judged, proof) if proof.holds else f"its proof fails: {proof.verdict}"


BUDGET = 60  # designs that a local search may try
Progress = Callable[[float, float], None]


def optimise(
    model: ModelDefinition,
    optimization: Optimization,
    study: str,
    times: OutputTimes,
    *,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Optimum:
    """The best design found that runs, meets all limits and stands its proof."""
    asked = optimization_task(model, optimization, study, times)
    total = 2.0 * optimization.starts
    pool = tried_designs(asked, optimization, workers, lambda part: progress(optimization.starts * part, total))
    chosen = dict(enumerate(starts_of(asked.problem, pool, optimization.starts)))
    ends: dict[int, End] = {}
    for number, end in over_cores(search_from, asked.problem, chosen, workers):
        ends[number] = end
        progress(total / 2 + total / 2 * len(ends) / len(chosen), total)
    return _answered(asked, [ends[number] for number in sorted(ends)], pool)


def tried_designs(
    asked: OptimizationTask, optimization: Optimization, workers: int | None, progress: Callable[[float], None]
) -> list[Trial]:
    """Designs all over the bounds and of every choice, from the best of which searches start."""
    problem, count = asked.problem, workers or cores()
    numbers = [asked.first.numbers[objective.name] for objective in problem.work.objectives]
    batched = not problem.smooth and not problem.cases and batch_agrees(problem.work, numbers)
    sampling = replace(problem, work=replace(problem.work, batched=batched))
    if problem.chosen:
        jobs = dict(enumerate(places_of(problem, asked.choices, optimization.starts, optimization.seed)))
        done: dict[int, list[Trial]] = {}
        for number, trials in over_cores(_sample_choice, sampling, jobs, workers):
            done[number] = trials
            progress(len(done) / len(jobs))
        return [trial for number in sorted(done) for trial in done[number]]

    def tries(places: Array) -> list[Trial]:
        shares = 1 if problem.work.dimensions else count  # lanes of the core; simulations are shared out
        parts = dict(enumerate(np.array_split(places, min(len(places), shares if batched else 8 * count))))
        found = {}
        for number, trials in over_cores(_sample, sampling, parts, workers):
            found[number] = trials
            progress(len(found) / len(parts))
        return [trial for number in sorted(found) for trial in found[number]]

    return pool_of(problem, asked.first, optimization.method, optimization.starts, optimization.seed, tries)


def starts_of(problem: OptimizationProblem, pool: list[Trial], starts: int) -> list[Trial]:
    """The designs from which searches start, without their runs."""
    best = best_choices(problem, pool, starts) if problem.chosen else best_of(problem, pool, starts)
    return [trial.bare() for trial in best or pool[:1]]


def _sample(problem: OptimizationProblem, places: Array) -> list[Trial]:
    """Some designs: by the batch, or one by one with what the searches see of them."""
    if problem.work.batched:
        return in_batch(problem, places)
    return [problem.trial(x).bare() for x in places]


def _sample_choice(problem: OptimizationProblem, job: tuple[Array, Array]) -> list[Trial]:
    """Some designs of one combination of what is chosen."""
    values, places = job
    return _sample(problem.closed(values), places)


def search_from(problem: OptimizationProblem, start: Trial) -> End:
    """A local search from one start: least squares where targets are to be met and nothing limits them."""
    problem = problem.closed(start.values)
    trial = problem.trial(start.x)
    if not trial.ran or np.all(problem.high == problem.low):  # the batch and its own run differ: the run is believed
        return End(trial.bare(), settled=trial.ran)
    method = squares if problem.fits and not problem.limits else search
    end = method(problem, trial, BUDGET)
    here = end.here and replace(end.here, trial=end.here.trial.bare())
    return replace(end, trial=end.trial.bare(), here=here)


def _answered(asked: OptimizationTask, ends: list[End], pool: list[Trial]) -> Optimum:
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
        best, proof = stood
        here = end.here or local(problem, best)
        return Optimum(asked, best, *best.designs[0], proof, here, tuple(ends), tuple(pool), tuple(fallen))
    raise no_design(asked, ends, fallen)


def answer_optimize(definition: ModelDefinition, options: OptimizeOptions) -> Optimum:
    """Answers the study `optimize`; the design keeps what was asked, so that its file can be optimised again."""
    keys = ("vary", "minimize", "maximize", "fit", "constraints", "cases", "choices", "starts", "method", "seed")
    wanted = asked_for(definition, {key: getattr(options, key) for key in keys})
    how: dict[str, Any] = {"workers": options.workers, "progress": options.progress}
    study = analysis_of(definition, options.analysis)
    return optimise(definition.changed(optimization=wanted), wanted, study, options.times, **how)
