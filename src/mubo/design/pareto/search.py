"""The search of a Pareto front: first the least of every goal alone, then designs between these.

With goals fₖ to be least (of what is to be greatest, −f), the best designs of each goal alone span a box of sides sₖ.
The simplex across it is divided evenly (for two goals: the line between their best designs), and from each of its
points r the front is approached along the diagonal of the box:

    minimise maxₖ (fₖ(x) − rₖ)/sₖ

(A. Pascoletti and P. Serafini, Scalarizing vector optimization problems, J. Optim. Theory Appl. 42 (1984) 499–524). A
weighted sum would leave out every hollow part of a front; this does not, and its designs stand evenly. It is a goal
with kinks, as the searches of `optimize` take it, with the same exact derivatives and limits. Where goals are left
slack, as in the least of one goal alone, each of them is then made less while no other one gets worse.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.optimize.optimize import search_from, starts_of
from mubo.design.optimize.problem import MET, OptimizationProblem, Trial, Wanted
from mubo.design.optimize.search import End
from mubo.design.workers import over_cores
from mubo.lazy_dataclass import dataclass

SLACK = 1e-4  # of the range of a goal: one that is so much below the worst of all is slack
FLAT = 1e-9  # of the size of a goal: a range that is none
SAME = 1e-4  # of the range of a goal: designs that are no better and no worse
NEAREST = 2  # designs from which each search starts
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Piece:
    """One search of a front: its goals, the limits beside those of the problem, and where it starts."""

    wanted: tuple[Wanted, ...]
    start: Trial
    limits: tuple[Wanted, ...] = ()


def followed(problem: OptimizationProblem, piece: Piece) -> End:
    """The end of one search."""
    posed = replace(problem, wanted=piece.wanted, limits=(*problem.limits, *piece.limits))
    return search_from(posed, piece.start)


def goals_of(problem: OptimizationProblem, trial: Trial) -> Array:
    """The goals of a design, each so that less is better."""
    return np.array([wanted.sign * trial.numbers[wanted.term.text] for wanted in problem.wanted])


def dominated(goals: Array, ranges: Array) -> Booleans:
    """Which lines another one betters: in no goal worse, in one better; of lines that are the same the first stays."""
    out = np.zeros(len(goals), bool)
    tolerance = SAME * ranges
    for k, line in enumerate(goals):
        no_worse = np.all(goals <= line + tolerance, axis=1) & ~out
        better = np.any(goals < line - tolerance, axis=1)
        twin = ~better & (np.arange(len(goals)) < k)
        out[k] = bool(np.any(no_worse & (better | twin)))
    return out


def lattice(goals: int, count: int) -> Array:
    """Weights of the corners of a simplex, divided evenly into at most `count` points: a line each."""
    parts = 1
    while math.comb(parts + goals, goals - 1) <= count:
        parts += 1
    lines = [line for line in itertools.product(range(parts + 1), repeat=goals) if sum(line) == parts]
    return np.array(lines) / parts


def best_of_each(
    problem: OptimizationProblem, pool: list[Trial], starts: int, workers: int | None, progress: Progress
) -> tuple[list[End], list[int]]:
    """The ends of the searches for every goal alone, and which of them are the best of their goals."""
    pieces: list[Piece] = []
    owner: list[int] = []
    for k, wanted in enumerate(problem.wanted):
        own = replace(problem, wanted=(wanted,))
        begun = starts_of(own, pool, starts)
        pieces += [Piece((wanted,), start) for start in begun]
        owner += [k] * len(begun)
    ends = _searched(problem, pieces, workers, progress)
    best: list[Trial] = []
    for k, wanted in enumerate(problem.wanted):
        own = replace(problem, wanted=(wanted,))
        found = (end.trial for end, of in zip(ends, owner, strict=True) if of == k)
        best.append(min(found, key=own.rank))
    slack = [np.arange(len(best)) != k for k in range(len(best))]
    ends += _improved(problem, best, slack, _ranges(problem, ends), workers)
    ran = [n for n, end in enumerate(ends) if end.trial.ran and problem.missed(end.trial) == 0]
    if not ran:
        return ends, []
    goals = np.array([goals_of(problem, ends[n].trial) for n in ran])
    corners = []
    for k in range(len(problem.wanted)):
        near = MET * max(float(np.max(np.abs(goals[:, k]))), 1e-12)
        level = goals[:, k] <= goals[:, k].min() + near
        scaled = np.where(level, (goals / (np.ptp(goals, axis=0) + 1e-300)).sum(axis=1), np.inf)
        corners.append(ran[int(np.argmin(scaled))])
    return ends, corners


def _ranges(problem: OptimizationProblem, ends: Sequence[End]) -> Array:
    """How far each goal ranges over the ends of some searches; 1 where it does not."""
    goals = np.array([goals_of(problem, end.trial) for end in ends if end.trial.ran])
    sides = np.ptp(goals, axis=0) if len(goals) else np.zeros(len(problem.wanted))
    return np.where(sides > 0, sides, 1.0)


def _improved(
    problem: OptimizationProblem, begun: Sequence[Trial], slack: Sequence[Booleans], sides: Array, workers: int | None
) -> list[End]:
    """The ends of searches for what is best in the slack goals, one after the other, while no other goal gets worse."""
    current, ends = list(begun), list[End]()
    for k in range(len(sides)):
        jobs = {
            n: _piece_of(problem, trial, k, sides)
            for n, trial in enumerate(current)
            if slack[n][k] and trial.ran and problem.missed(trial) == 0
        }
        for n, end in zip(jobs, _searched(problem, list(jobs.values()), workers, lambda part: None), strict=True):
            ends.append(end)
            if end.trial.ran:
                current[n] = end.trial
    return ends


def _piece_of(problem: OptimizationProblem, trial: Trial, k: int, sides: Array) -> Piece:
    """The search for less of one goal where no other one may get worse."""
    here = [
        replace(wanted, value=trial.numbers[wanted.term.text], size=float(size))
        for wanted, size in zip(problem.wanted, sides, strict=True)
    ]
    return Piece((here[k],), trial, tuple(here[:k] + here[k + 1 :]))


def between(
    problem: OptimizationProblem,
    corners: Sequence[Trial],
    known: Sequence[Trial],
    count: int,
    workers: int | None,
    progress: Progress,
) -> list[End]:
    """Searches from points between the best designs of each goal towards the front."""
    ends = np.array([goals_of(problem, trial) for trial in corners])
    sides = np.ptp(ends, axis=0)
    if np.any(sides <= FLAT * np.maximum(np.max(np.abs(ends), axis=0), 1e-12)):
        return []  # one design is the best in a goal and in all others: there is no front in it
    pieces, posed_of = [], list[OptimizationProblem]()
    for weights in lattice(len(ends), count):
        if len(ends) == 2 and np.max(weights) == 1.0:
            continue  # of two goals the corners are the best designs themselves
        wanted = tuple(
            replace(w, value=w.sign * float(r), size=float(s))
            for w, r, s in zip(problem.wanted, ends.min(axis=0) + weights * sides, sides, strict=True)
        )
        posed = replace(problem, wanted=wanted)
        nearest = sorted((trial for trial in known if trial.ran), key=posed.rank)[:NEAREST]
        pieces += [Piece(wanted, trial.bare()) for trial in nearest]
        posed_of += [posed] * len(nearest)
    found = _searched(problem, pieces, workers, progress)
    slack = []
    for end, posed in zip(found, posed_of, strict=True):
        values = posed.pieces(end.trial) if end.trial.ran else np.zeros(len(sides))
        slack.append(values < values.max() - SLACK)
    return [*found, *_improved(problem, [end.trial for end in found], slack, sides, workers)]


def _searched(
    problem: OptimizationProblem, pieces: Sequence[Piece], workers: int | None, progress: Progress
) -> list[End]:
    found: dict[int, End] = {}
    for number, end in over_cores(followed, problem, dict(enumerate(pieces)), workers):
        found[number] = end
        progress(len(found) / len(pieces))
    return [found[number] for number in sorted(found)]
