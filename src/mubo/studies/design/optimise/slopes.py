"""How the numbers of a design change with its parameters: exact where the study tells it, else by differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.studies.design.optimise.problem import Problem, Trial

STEP = 1e-5  # of the bounds, of differences


@dataclass(frozen=True)
class Local:
    """A trial with its aim, limits and their slopes in the unit box; of a fit the slopes of its residuals too."""

    trial: Trial
    aim: float
    beyond: Array
    down: Array  # slope of the aim
    across: Array  # slopes of the limits, a line each
    residual_slopes: Array | None = None

    @property
    def x(self) -> Array:
        return self.trial.x


def local(problem: Problem, trial: Trial) -> Local | None:
    """The slopes at a trial that ran; None where there are none: no design near by runs."""
    found = _differences(problem, trial)
    if found is None:
        return None
    numbers, gaps = found
    width = len(problem.names)
    across = np.array([(w.sign or 1) * numbers[w.term.text] / w.size for w in problem.limits]).reshape(-1, width)
    if problem.fits:
        parts = [gaps.get(w.term.text, numbers[w.term.text][None] / w.size) for w in problem.wanted]
        slopes = np.concatenate(parts)
        return Local(
            trial,
            problem.aim(trial),
            problem.beyond(trial),
            slopes.T @ problem.residuals(trial),
            across,
            slopes,
        )
    (wanted,) = problem.wanted
    down = problem.turn * numbers[wanted.term.text] / wanted.size
    return Local(trial, problem.aim(trial), problem.beyond(trial), down, across)


def _differences(problem: Problem, trial: Trial) -> tuple[dict[str, Array], dict[str, Array]] | None:
    """Slopes of all numbers and of all gaps, by differences of designs on both sides, or on one where the other does
    not run or is out of bounds."""
    width = len(problem.names)
    numbers = {text: np.zeros(width) for text in trial.numbers}
    gaps = {text: np.zeros((len(gap), width)) for text, gap in trial.gaps.items()}
    for k in range(width):
        ends = []
        for side in (-1.0, 1.0):
            x = trial.x.copy()
            x[k] = min(max(x[k] + side * STEP, 0.0), 1.0)
            other = problem.trial(x) if x[k] != trial.x[k] else trial
            ends.append(other if other.ran else trial)
        before, after = ends
        apart = float(after.x[k] - before.x[k])
        if apart == 0.0:
            return None
        for text in numbers:
            numbers[text][k] = (after.numbers[text] - before.numbers[text]) / apart
        for text in gaps:
            gaps[text][:, k] = (after.gaps[text] - before.gaps[text]) / apart
    return numbers, gaps
