"""An optimisation problem in numbers: designs x in the unit box, the aim to be minimised, and limits c(x) ≤ 0 or = 0.

Everything is relative: parameters to their bounds, the goal to its value at the start, limits to their size. A design
that does not run on the branch of the start has no numbers: it is no candidate, whatever its value might be.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.design.homotopy import NotFollowed
from mubo.design.paths import gaps_of
from mubo.design.variants import RAN, Work, measured, stopped_words
from mubo.errors import MuboError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.model.objectives import PATH, TIMED
from mubo.model.optimization import Term
from mubo.results import Run

Design = tuple[ModelDefinition, Run]
PEAKS = ("max", "largest", "range", "stroke", "pin load", PATH, TIMED)  # the greatest of several pieces
DIPS = ("min", "transmission")  # the least of several


@dataclass(frozen=True)
class Wanted:
    """A term with the value that it is to reach and its size. `sign` is 1 of what is to be least, or at most the value,
    −1 of what is to be greatest, or at least the value, and 0 of what is to be met."""

    term: Term
    value: float
    size: float
    sign: int
    text: str
    case: int = 0  # the run that it is a number of


@dataclass(frozen=True)
class Trial:
    """A design that was tried: where, its parameters, in words how it went, and its numbers where it ran."""

    x: Array
    values: Array
    status: str
    numbers: Mapping[str, float] = field(default_factory=dict)  # of every term by its text
    gaps: Mapping[str, Array] = field(default_factory=dict)  # of paths that are fitted, relative
    designs: tuple[Design, ...] = ()  # of every case

    @property
    def model(self) -> ModelDefinition | None:
        return self.designs[0][0] if self.designs else None

    @property
    def run(self) -> Run | None:
        return self.designs[0][1] if self.designs else None

    @property
    def ran(self) -> bool:
        return self.status == RAN

    def bare(self) -> Trial:
        """Without its run, to be sent to another process or kept."""
        return Trial(self.x, self.values, self.status, self.numbers, self.gaps)


def is_path(term: Term) -> bool:
    """Whether it is a path error, of which a fit sees every point."""
    return term.objective is not None and term.objective.how in (PATH, TIMED)


def bends(term: Term, sign: float) -> bool:
    """Whether a term is the greatest of several smooth pieces, which change over at a kink; the least, of sign −1."""
    return term.objective is not None and term.objective.how in (PEAKS if sign > 0 else DIPS)


MET = 1e-6  # of its size: how far a limit may be missed by rounding


@dataclass(frozen=True)
class OptimizationProblem:
    """`goal` is "minimize", "maximize" or "fit"; `wanted` has one entry a case of the first two, of which the worst
    counts, and all that is met of a fit. Of several goals the worst counts too, each beyond its own value."""

    work: Work
    low: Array
    high: Array
    goal: str
    wanted: tuple[Wanted, ...]
    limits: tuple[Wanted, ...]
    smooth: bool = False  # no design whose motion passes a place where branches meet
    cases: tuple[Work, ...] = ()  # further runs of every design, with other numbers
    beside: tuple[Wanted, ...] = ()  # numbers that are neither aimed at nor limited here, and measured
    chosen: tuple[int, ...] = ()  # which of the names take listed values alone: a local search leaves them

    def closed(self, values: Array) -> OptimizationProblem:
        """The problem with what is chosen from lists closed on the values of a design; all else stays free."""
        if not self.chosen:
            return self
        low, high = self.low.copy(), self.high.copy()
        for k in self.chosen:
            low[k] = high[k] = values[k]
        return replace(self, low=low, high=high)

    @property
    def works(self) -> tuple[Work, ...]:
        """The work of every case, the design itself first."""
        return (self.work, *self.cases)

    @property
    def names(self) -> tuple[str, ...]:
        return self.work.names

    @property
    def fits(self) -> bool:
        return self.goal == "fit"

    @cached_property
    def start(self) -> Array:
        """The design in hand, in the unit box."""
        here = np.array([float(self.work.model.parameters[name].value) for name in self.names])
        return np.asarray((here - self.low) / (self.high - self.low))

    @property
    def equal(self) -> NDArray[np.bool_]:
        """Which limits are to be met exactly."""
        return np.array([limit.sign == 0 for limit in self.limits], bool)

    def values(self, x: Array) -> Array:
        """Parameters of a place in the unit box, never beyond their bounds."""
        return np.clip(self.low + np.clip(x, 0.0, 1.0) * (self.high - self.low), self.low, self.high)

    def trial(self, x: Array) -> Trial:
        """Follows, runs and measures a design."""
        values = self.values(x)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what stops a run is its status
                designs = []
                for work in self.works:
                    model = work.variant(values.tolist())
                    run = work.quick_run(model)
                    if stopped := self._stopped(run):
                        return Trial(x, values, stopped)
                    designs.append((model, run))
            return self.judged(x, designs)
        except NotFollowed as error:
            return Trial(x, values, str(error))
        except MuboError as error:
            return Trial(x, values, f"failed: {str(error).splitlines()[0]}")

    def _stopped(self, run: Run) -> str:
        """Why a run is no candidate; empty where it is one."""
        if run.summary["status"] != "ok":
            return stopped_words(run)
        meets = [event for event in run.events if self.smooth and event.kind == "bifurcation"]
        return f"branches meet at t = {run.units.time_text(meets[0].t, 6)}" if meets else ""

    def judged(self, x: Array, designs: Sequence[Design]) -> Trial:
        """The runs of all cases as a trial: its numbers, or in words that it lacks one of them."""
        values, numbers = self.values(x), self.of_parameters(designs[0][0])
        for work, (_, run) in zip(self.works, designs, strict=True):
            found, status = measured(work, run)
            numbers |= dict(zip((o.name for o in work.objectives), found, strict=True))
            if status != RAN or not all(np.isfinite(number) for number in numbers.values()):
                return Trial(x, values, status if status != RAN else "failed: a measure is not finite")
        paths = [w for w in self.wanted if is_path(w.term)] if self.fits else []
        gaps = {w.term.text: self._gaps(w, *designs[w.case]) for w in paths}
        return Trial(x, values, RAN, numbers, gaps, tuple(designs))

    def of_parameters(self, model: ModelDefinition) -> dict[str, float]:
        """The terms that are expressions of parameters."""
        every = (*self.wanted, *self.limits, *self.beside)
        terms = {one.term.text: one.term for one in every if one.term.objective is None}
        return {text: float(term.of_parameters(model.parameters)) for text, term in terms.items()}

    def _gaps(self, wanted: Wanted, model: ModelDefinition, run: Run) -> Array:
        assert wanted.term.objective is not None
        gaps = gaps_of(wanted.term.objective, model, run.columns)
        return np.asarray(gaps.apart.ravel() / (wanted.size * np.sqrt(len(gaps.apart))))

    def residuals(self, trial: Trial) -> Array:
        """Relative residuals of the targets of a fit; a path has one per point, divided by √points."""
        parts = [
            trial.gaps[w.term.text] if is_path(w.term) else np.array([(trial.numbers[w.term.text] - w.value) / w.size])
            for w in self.wanted
        ]
        return np.concatenate(parts)

    def aim(self, trial: Trial) -> float:
        """The function that is minimised."""
        if self.fits:
            return float(0.5 * np.sum(self.residuals(trial) ** 2))
        return float(np.max(self.pieces(trial)))

    def pieces(self, trial: Trial) -> Array:
        """The numbers of which the greatest is minimised: of every case, or of every goal."""
        return np.array([w.sign * (trial.numbers[w.term.text] - w.value) / w.size for w in self.wanted])

    @property
    def turn(self) -> float:
        return -1.0 if self.goal == "maximize" else 1.0

    def beyond(self, trial: Trial) -> Array:
        """Limits as c ≤ 0, or c = 0."""
        return np.array([(w.sign or 1) * (trial.numbers[w.term.text] - w.value) / w.size for w in self.limits])

    def missed(self, trial: Trial) -> float:
        """How far all limits together are missed; 0 where all are met."""
        beyond = self.beyond(trial)
        short = np.where(self.equal, np.abs(beyond), np.maximum(beyond, 0.0))
        return float(np.sum(np.where(short > MET, short, 0.0)))

    def rank(self, trial: Trial) -> tuple[float, float]:
        """Smaller is better: first limits, then the aim. One that does not run comes last."""
        return (self.missed(trial), self.aim(trial)) if trial.ran else (np.inf, np.inf)

    def kinked(self) -> tuple[bool, NDArray[np.bool_]]:
        """Whether the aim, and which limits, are the greatest of several smooth pieces, that change over at a kink."""
        aim = not self.fits and (len(self.wanted) > 1 or bends(self.wanted[0].term, self.wanted[0].sign))
        return aim, np.array([limit.sign != 0 and bends(limit.term, limit.sign) for limit in self.limits], bool)
