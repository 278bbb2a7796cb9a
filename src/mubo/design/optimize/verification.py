"""The proof of a design: its full run, on the branch of the start, with all limits met, and the table of `verify`."""

from __future__ import annotations

import warnings

from mubo.analyses.verify.table import Verification
from mubo.analyses.verify.verify import verify
from mubo.design.optimize.problem import OptimizationProblem
from mubo.design.optimize.trial import Trial
from mubo.design.variants import stopped_words
from mubo.model import ModelDefinition
from mubo.results import Run

SAME = 1e-6  # relative: what a design was worth in the search, and what it is worth in its proof


def proved(problem: OptimizationProblem, trial: Trial) -> str | tuple[ModelDefinition, Run, Verification]:
    """The model of a design with its full run and its proof; in words what it fails by."""
    model = problem.work.variant(trial.values.tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = problem.work.run(model)
    if run.summary["status"] != "ok":
        return f"it does not run: {stopped_words(run)}"
    judged = problem.judged(trial.x, model, run)
    if not judged.ran or problem.missed(judged) > 0:
        return "its full run does not meet the limits"
    apart = [name for name, n in judged.numbers.items() if abs(n - trial.numbers[name]) > SAME * max(abs(n), 1e-9)]
    if apart:
        return f"its full run tells another {apart[0]}"
    proof = verify(run)
    return (model, run, proof) if proof.holds else f"its proof fails: {proof.verdict}"
