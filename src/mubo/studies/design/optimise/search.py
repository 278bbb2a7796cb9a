"""A local search with limits: sequential quadratic programming in a trust region, with cuts at kinks.

The merit is the exact penalty φ = f + μ Σ max(0, cᵢ) (Fletcher, Practical Methods of Optimization, 1987, section 14.4):
near a solution it is least where the limits hold. Every step is the least of a quadratic model

    z + ½ dᵀBd + μ Σ sᵢ    where    fⱼ + gⱼ·d ≤ f + z,   cᵢⱼ + aᵢⱼ·d ≤ sᵢ,   |d| ≤ Δ,   x + d in the box.

An extreme over a motion, such as a peak torque, is the greatest of several smooth pieces and has kinks where the peak
changes over. So linearisations of rejected designs near by stay in the model (index j) as cuts: each tells of a piece.
A design that does not run is no candidate: the step is taken back to a quarter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mubo.arrays import Array
from mubo.studies.design.optimise.problem import Problem, Trial
from mubo.studies.design.optimise.quadratic import least
from mubo.studies.design.optimise.slopes import Local, local

REACH, LONGEST, SHORTEST = 0.1, 0.4, 1e-6  # of the box: the first, the longest and the shortest trust region
GAIN = 1e-8  # of the aim: a step that promises less is none
CUTS = 12  # linearisations that are kept
STIFF, STIFFEST = 10.0, 1e6  # weight of the limits, at first and at most
SOFT = 1e-2  # curvature of what is linear in the model, which must be strictly convex


@dataclass
class End:
    """Where a search ended, how many designs it tried and how many of them did not run."""

    trial: Trial
    tried: int = 1
    lost: int = 0
    settled: bool = False  # it could not be bettered, not merely that the trials were used up
    here: Local | None = None


@dataclass
class Step:
    """A step of the model: where to, what it promises, and multipliers of the limits."""

    d: Array
    promised: float
    limits: Array
    kinked: bool


@dataclass
class Search:
    """The state of a search: where it is, its cuts, its trust region, its curvature and the weight of its limits."""

    problem: Problem
    here: Local
    end: End
    curvature: Array
    reach: float = REACH
    stiff: float = STIFF
    cuts: list[Local] = field(default_factory=list)

    def merit(self, aim: float, beyond: Array) -> float:
        short = np.where(self.problem.equal, np.abs(beyond), np.maximum(beyond, 0.0))
        return float(aim + self.stiff * np.sum(short))

    def step(self) -> Step | None:
        """The least of the model; the weight of limits grows where they could be met better."""
        found = None
        for _ in range(6):
            found = self._step()
            if found is None or self.stiff >= STIFFEST or not len(self.here.beyond):
                break
            left = self._model_short(found.d)
            now = self.merit(0.0, self.here.beyond) / self.stiff
            if left <= max(1e-9, 0.1 * now) or np.max(np.abs(found.d)) >= 0.99 * self.reach:
                break
            self.stiff *= 5.0
        return found

    def _model_short(self, d: Array) -> float:
        return self.merit(0.0, self.here.beyond + self.here.across @ d) / self.stiff

    def _step(self) -> Step | None:
        here, width, count = self.here, len(self.here.x), len(self.here.beyond)
        kinked, kinks = self.problem.kinked()
        rows, levels, owner = [], [], []  # normals · (d, z, s) ≥ levels; owner −1 of the aim, else of a limit
        for cut in [here, *self.cuts]:
            back = here.x - cut.x
            if cut is here or kinked:
                rows.append(np.concatenate([-cut.down, [1.0], np.zeros(count)]))
                levels.append(min(cut.aim + cut.down @ back - here.aim, 0.0))
                owner.append(-1)
            for i in range(count):
                if cut is here or kinks[i]:
                    rows.append(np.concatenate([-cut.across[i], [0.0], np.eye(count)[i]]))
                    levels.append(min(cut.beyond[i] + cut.across[i] @ back, here.beyond[i]))
                    owner.append(i)
        for i in np.flatnonzero(self.problem.equal).tolist():
            rows.append(np.concatenate([here.across[i], [0.0], np.eye(count)[i]]))
            levels.append(-here.beyond[i])
            owner.append(i - count - 1)  # against its sign
        fence = np.hstack([np.eye(width), np.zeros((width, 1 + count))])
        positive = np.hstack([np.zeros((count, width + 1)), np.eye(count)])
        down, up = np.maximum(-here.x, -self.reach), np.minimum(1 - here.x, self.reach)
        normals = np.vstack([*rows, positive, fence, -fence])
        weights = np.concatenate([np.zeros(width), [1.0], np.full(count, self.stiff)])
        hessian = np.diag(np.maximum(weights, 1.0) * SOFT)
        hessian[:width, :width] = self.curvature
        answer = least(hessian, weights, normals, np.concatenate([levels, np.zeros(count), down, -up]))
        return None if answer is None else self._told(answer, np.array(owner))

    def _told(self, answer: tuple[Array, Array], owner: Array) -> Step:
        (unknowns, multipliers), width, count = answer, len(self.here.x), len(self.here.beyond)
        d, z, short = unknowns[:width], unknowns[width], unknowns[width + 1 :]
        model = z + 0.5 * d @ self.curvature @ d + self.stiff * np.sum(np.maximum(short, 0.0))
        promised = self.merit(0.0, self.here.beyond) - float(model)
        held = multipliers[: len(owner)]
        of = [held[owner == i].sum() - held[owner == i - count - 1].sum() for i in range(count)]
        kinked = any(np.sum(held[owner == i] > 1e-9) > 1 for i in {*owner.tolist()})
        return Step(np.clip(d, -self.here.x, 1 - self.here.x), promised, np.array(of), kinked)


def search(problem: Problem, start: Trial, budget: int) -> End:
    """The best design near a start, among at most `budget` tried."""
    end = End(start)
    here = local(problem, start)
    if here is None:
        return end
    state = Search(problem, here, end, _first_curvature(here))
    while end.tried < budget and state.reach > SHORTEST:
        step = state.step()
        if step is None or step.promised <= GAIN * max(abs(state.here.aim), 1e-3) * (1e-3 if problem.fits else 1.0):
            if not _without_far_cuts(state):
                break
            continue
        _try(state, step)
    end.settled = end.tried < budget
    end.trial, end.here = state.here.trial, state.here
    return end


def _without_far_cuts(state: Search) -> bool:
    """Nothing better in sight: cuts from far away may be wrong here, so that it is looked again without them."""
    if not state.cuts:
        return False
    state.reach /= 4
    state.cuts = [cut for cut in state.cuts if np.max(np.abs(cut.x - state.here.x)) < state.reach]
    return True


def _first_curvature(here: Local) -> Array:
    width = len(here.x)
    if here.residual_slopes is not None:
        return np.asarray(here.residual_slopes.T @ here.residual_slopes + 1e-9 * np.eye(width))
    return np.eye(width) * max(float(np.max(np.abs(here.down))), 1e-3) * SOFT


def _try(state: Search, step: Step) -> None:
    """Runs the design of a step and moves there if it is better."""
    problem, here, end = state.problem, state.here, state.end
    length = float(np.max(np.abs(step.d)))
    trial = problem.trial(np.clip(here.x + step.d, 0.0, 1.0))
    end.tried += 1
    if not trial.ran:
        end.lost += 1
        state.reach = 0.25 * length
        return
    gained = state.merit(here.aim, here.beyond) - state.merit(problem.aim(trial), problem.beyond(trial))
    ratio = gained / step.promised
    if ratio < 0.25:
        state.reach = 0.5 * length
    elif ratio > 0.75 and length > 0.8 * state.reach:
        state.reach = min(2 * state.reach, LONGEST)
    kinked, kinks = problem.kinked()
    if ratio <= 1e-4 and not (kinked or np.any(kinks)):
        return
    there = local(problem, trial)
    if there is None:
        end.lost += 1
        state.reach = min(state.reach, 0.25 * length)
        return
    near = 4 * max(state.reach, length)
    if ratio <= 1e-4:
        state.cuts = [there, *(cut for cut in state.cuts if np.max(np.abs(cut.x - here.x)) < near)][:CUTS]
        return
    state.curvature = _updated(state, step, there)
    state.cuts = [here, *state.cuts] if kinked or np.any(kinks) else []
    state.cuts = [cut for cut in state.cuts if np.max(np.abs(cut.x - there.x)) < near][:CUTS]
    state.here = there


def _updated(state: Search, step: Step, there: Local) -> Array:
    """Curvature of the Lagrangian: of a fit that of its linearised residuals (Gauss and Newton), else by the formula of
    Broyden, Fletcher, Goldfarb and Shanno, damped by Powell; it is left where a kink lies between."""
    here, held = state.here, state.curvature
    if there.residual_slopes is not None:
        return np.asarray(there.residual_slopes.T @ there.residual_slopes + 1e-9 * np.eye(len(here.x)))
    if step.kinked:
        return held
    s = there.x - here.x
    y = there.down - here.down + step.limits @ (there.across - here.across)
    bend = s @ held @ s
    part = 1.0 if s @ y >= 0.2 * bend else 0.8 * bend / (bend - s @ y)
    y = part * y + (1 - part) * (held @ s)
    if s @ y < 1e-14:
        return held
    new = held - np.outer(held @ s, held @ s) / bend + np.outer(y, y) / (s @ y)
    return np.asarray(new + 1e-10 * np.eye(len(s)))
