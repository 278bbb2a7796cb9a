"""How the numbers of a design change with its parameters: exact where a run has them (the constraint equations are
differentiated), else by central differences of designs that run; the result states which."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.gradients import Gradients
from mubo.design.optimize.problem import OptimizationProblem, Trial
from mubo.design.paths import gaps_of, moved_by
from mubo.errors import MuboError
from mubo.laws.dependent import slope_of
from mubo.lazy_dataclass import dataclass
from mubo.model.objectives import Objective
from mubo.solvers.forces.shaking_sensitivity import sensitivity_of_motion
from mubo.solvers.kinematics.sensitivity import MotionSensitivity

STEP = 1e-5  # of the bounds, of differences
Derivatives = dict[str, Array]


@dataclass(frozen=True)
class Local:
    """A trial with the derivatives of its aim and limits in the unit box; a fit also has the Jacobian of its residuals.

    `differences` names what has no exact derivative.
    """

    trial: Trial
    aim: float
    beyond: Array
    down: Array  # gradient of the aim
    pieces: tuple[tuple[float, Array], ...]  # the aim is the greatest of these, each with its gradient
    across: Array  # derivatives of the limits, a line each
    residual_jacobian: Array | None = None
    differences: tuple[str, ...] = ()

    @property
    def x(self) -> Array:
        return self.trial.x


def local(problem: OptimizationProblem, trial: Trial) -> Local | None:
    """The derivatives at a trial that ran; None where there are none: no design near by runs."""
    numbers, gaps = _exact(problem, trial)
    rest = tuple(text for text in trial.numbers if text not in numbers)
    lines = tuple(text for text in trial.gaps if text not in gaps)
    if rest or lines:
        found = _differences(problem, trial, rest, lines)
        if found is None:
            return None
        numbers, gaps = numbers | found[0], gaps | found[1]
    width, aim, beyond = len(problem.names), problem.aim(trial), problem.beyond(trial)
    across = np.array([(w.sign or 1) * numbers[w.term.text] / w.size for w in problem.limits]).reshape(-1, width)
    differenced = tuple(dict.fromkeys((*rest, *lines)))
    if problem.fits:
        parts = [gaps.get(w.term.text, numbers[w.term.text][None] / w.size) for w in problem.wanted]
        derivatives = np.concatenate(parts)
        down = derivatives.T @ problem.residuals(trial)
        return Local(trial, aim, beyond, down, ((aim, down),), across, derivatives, differenced)
    downs = [w.sign * numbers[w.term.text] / w.size for w in problem.wanted]
    pieces = tuple((float(value), line) for value, line in zip(problem.pieces(trial), downs, strict=True))
    _, down = max(pieces, key=lambda piece: piece[0])
    return Local(trial, aim, beyond, down, pieces, across, None, differenced)


def _exact(problem: OptimizationProblem, trial: Trial) -> tuple[Derivatives, Derivatives]:
    """Derivatives of numbers and gaps, of those that have exact ones, in the unit box."""
    assert trial.model is not None
    widths = problem.high - problem.low
    numbers: Derivatives = {}
    for one in (*problem.wanted, *problem.limits, *problem.beside):
        if one.term.objective is None:
            value = one.term.of_parameters(trial.model.parameters)
            numbers[one.term.text] = np.array([slope_of(value, name) for name in problem.names]) * widths
    motions = [sensitivity_of_motion(run, problem.names) for _, run in trial.designs]
    gaps: Derivatives = {}
    for wanted in problem.wanted:
        if wanted.term.text in trial.gaps and wanted.term.objective is not None:
            found = _of_gaps(problem, wanted.term.objective, motions[wanted.case])
            if found is not None:
                gaps[wanted.term.text] = found * widths / wanted.size
                numbers[wanted.term.text] = np.zeros(len(widths))  # the error itself is not what is seen of it
    for work, motion in zip(problem.works, motions, strict=True):
        rest = [objective for objective in work.objectives if objective.name not in numbers]
        gradients = Gradients(motion, rest)
        for objective in rest:
            line = _of_number(objective, gradients) if objective.name not in numbers else None
            if line is not None:
                numbers[objective.name] = line * widths
    return numbers, gaps


def _of_number(objective: Objective, gradients: Gradients) -> Array | None:
    """None where an exact derivative is not known, or does not exist at this place."""
    try:
        found = gradients.gradient(objective)
    except MuboError:  # it says why; differences are taken, and reported as such
        return None
    return found if np.all(np.isfinite(found)) else None


def _of_gaps(problem: OptimizationProblem, objective: Objective, motion: MotionSensitivity) -> Array | None:
    gaps = gaps_of(objective, motion.run.model, motion.run.columns)
    try:
        shift = gaps.across(moved_by(objective, gaps, motion))
    except MuboError:
        return None
    found = shift.reshape(-1, len(problem.names)) / np.sqrt(len(gaps.apart))
    return found if np.all(np.isfinite(found)) else None


def _differences(
    problem: OptimizationProblem, trial: Trial, texts: tuple[str, ...], lines: tuple[str, ...]
) -> tuple[Derivatives, Derivatives] | None:
    """Derivatives of some numbers and gaps by differences of designs on both sides, or on one side where the other
    does not run or is out of bounds."""
    width = len(problem.names)
    numbers = {text: np.zeros(width) for text in texts}
    gaps = {text: np.zeros((len(trial.gaps[text]), width)) for text in lines}
    for k in np.flatnonzero(problem.high > problem.low).tolist():
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
