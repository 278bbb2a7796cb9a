"""The problem of assembly modes: vector loops at one position of the drivers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.errors import ModelError
from mubo.legacy.okins1964.deck_problem import close
from mubo.legacy.okins1964.vectors import Vectors, columns_of, vectors_of
from mubo.mechanism.formulations.deck import DeckLoops, deck_loops
from mubo.mechanism.formulations.loops import Loops, NoLoops
from mubo.model import ModelDefinition, target_of
from mubo.model.linkage import vector_name
from mubo.results import Columns
from mubo.solvers.assembly.start_analysis import TOLERANCE, StartAnalysis, analyse_start, start_error
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.continuation.steppers import LoopStepper
from mubo.solvers.continuation.stepping import Settings


@dataclass(frozen=True)
class UnlockedDriver:
    """A driver in the loops: whether it turns, whether it is the distance of two points, and its factor."""

    name: str
    of: str
    turns: bool
    distance: bool
    factor: float  # radians per unit of the model, or 1


@dataclass(frozen=True)
class ModeProblem(ABC):
    """Loops, the drivers at one time, and the accuracy of the solution."""

    model: ModelDefinition
    time: float
    loops: Loops
    motion: Array
    tolerance: float
    scale: float
    size: float
    drivers: tuple[UnlockedDriver, ...]

    @property
    @abstractmethod
    def inspection(self) -> StartAnalysis | DeckLoops:
        """Analysis of the start for the record of a run."""

    @property
    @abstractmethod
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates that `places` returns."""

    @abstractmethod
    def places(self, q: Array) -> dict[str, tuple[float, ...]]:
        """Coordinates of everything that moves, in the model's units."""

    @abstractmethod
    def columns(self, path: Array) -> Columns:
        """Columns of positions along a path, angles and places only."""


@dataclass(frozen=True)
class ModelModeProblem(ModeProblem):
    analysis: StartAnalysis

    @property
    def inspection(self) -> StartAnalysis:
        return self.analysis

    @property
    def coordinates(self) -> tuple[str, ...]:
        return COORDINATES

    def places(self, q: Array) -> dict[str, tuple[float, ...]]:
        factor = np.array([1.0, 1.0, self.model.units.angle_factor()])
        poses = zip(self.analysis.form.free, q.reshape(-1, 3) / factor, strict=True)
        return {name: tuple(map(float, pose)) for name, pose in poses}

    def columns(self, path: Array) -> Columns:
        return motion_columns(self.analysis.form, np.full(len(path), self.time), _static_states(path))


@dataclass(frozen=True)
class DeckSubject(ModeProblem):
    deck: DeckLoops

    @property
    def inspection(self) -> DeckLoops:
        return self.deck

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("theta",)

    def places(self, q: Array) -> dict[str, tuple[float, ...]]:
        angles: dict[str, tuple[float, ...]] = {}
        for group, turned in zip(self.deck.turning, q.reshape(-1, 3)[:, 2], strict=True):
            first = min(group)
            angles[vector_name(first)] = (self.deck.linkage.angles[first - 1] + float(np.degrees(turned)),)
        return angles

    def columns(self, path: Array) -> Columns:
        deck, states = self.deck, _static_states(path[:, 2::3])
        motion = np.tile(self.motion, (len(path), 1))
        if deck.driver == "ram":
            motion[:, 0] = self._ram(vectors_of(deck, states, motion))
        vectors = vectors_of(deck, states, motion)
        return columns_of(self.model, deck.linkage, np.full(len(path), self.time), vectors, motion[:, :2])

    def _ram(self, vectors: Vectors) -> Array:
        """The length of the ram z1 that closes its loop, Σ ± z = 0: less what the others have along it."""
        loop = next(loop.vectors for loop in self.deck.linkage.loops if 1 in map(abs, loop.vectors))
        z = vectors.moving()[:, 0]
        others = sum(np.sign(v) * z[:, abs(v) - 1] for v in loop if abs(v) != 1)
        sense = next(np.sign(v) for v in loop if abs(v) == 1)
        return np.asarray(-sense * np.real(others * np.exp(-1j * vectors.held[:, 3, 0])))


def _static_states(path: Array) -> Array:
    """Positions as states at rest."""
    states = np.zeros((len(path), 3, path.shape[1]))
    states[:, 0] = path
    return states


def mode_problem(model: ModelDefinition) -> ModeProblem:
    """Mode problem of a model at its start; raises where its motion is not determined or it has no loop form."""
    time = model.analysis.start if model.analysis else 0.0
    if model.linkage is not None:
        return deck_subject(deck_loops(model))
    if model.dimension != 2:
        raise ModelError("assembly modes are found for planar models; this one is spatial")
    return mode_problem_from_start(analyse_start(model, time))


def mode_problem_from_start(analysis: StartAnalysis) -> ModelModeProblem:
    """Mode problem of a model from the analysis of its start."""
    error = start_error(analysis)
    if error is not None:
        raise error
    form = analysis.form
    freed = []
    for driver, factor in zip(form.model.drivers.values(), form.mechanism.motion_factors, strict=True):
        target = target_of(form.model, driver.of)
        of = driver.of if isinstance(driver.of, str) else "distance of " + " and ".join(driver.of)
        distance = isinstance(driver.of, tuple)
        freed.append(UnlockedDriver(driver.name, of, target.holds == "angle", distance, float(factor)))
    return ModelModeProblem(
        form.model,
        analysis.time,
        _require_loops(analysis),
        analysis.motion,
        analysis.tolerance,
        form.scale,
        form.mechanism.size,
        tuple(freed),
        analysis,
    )


def _require_loops(analysis: StartAnalysis) -> Loops:
    if analysis.diagnosis.dependent:
        repeats = "; ".join(d.describe() for d in analysis.diagnosis.dependent)
        raise ModelError(
            f"assembly modes need constraints that are independent: {repeats}",
            suggestion="Remove the redundant constraint; `mubo check` without --modes suggests a fix.",
        )
    try:
        return analysis.loops
    except NoLoops as reason:
        raise ModelError(f"assembly modes are found from vector loops, which this model has not: {reason}") from None


def deck_subject(deck: DeckLoops) -> DeckSubject:
    """A deck where its cards have it, closed exactly."""
    tolerance = TOLERANCE * deck.scale
    close(deck, LoopStepper(deck.loops, Settings(tolerance, scale=deck.scale)))  # refuses loops that cannot be closed
    turns = deck.driver == "crank"
    freed = UnlockedDriver(deck.driver, vector_name(1), turns, not turns, deck.factor)
    motion = deck.motion(np.zeros(1))[0]
    return DeckSubject(deck.model, 0.0, deck.loops, motion, tolerance, deck.scale, deck.size, (freed,), deck)
