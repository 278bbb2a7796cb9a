"""The kinematic problem: equations of a mechanism in one formulation, its first state, and the results derived from it.

A model is solved in absolute coordinates or by vector loops. Continuation, branch switching, events and summary are the
same for all formulations.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.laws.law import Law
from mubo.mechanism.formulations.loops import Loops
from mubo.model import ModelDefinition
from mubo.results import Columns, Event
from mubo.solvers.continuation.stepping import ContinuationResult, KinematicStepper, Settings, SingularityPassage
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.transmission.transmission import Transmission, TransmissionSample

if TYPE_CHECKING:
    from mubo.results.forces import ForceRecord


BACKWARDS = np.array([1.0, -1.0, 1.0])  # signs of value, rate and acceleration when time runs back


@dataclass(frozen=True)
class MotionRows:
    """Output times reached, with states (times × 3 × unknowns) and drivers (value, rate, acceleration).

    `absolute` are the states in absolute coordinates of the bodies, where the unknowns are others.
    """

    t: Array
    states: Array
    motion: Array
    corrections: Array  # Newton iterations of every row
    absolute: Array


@dataclass(frozen=True)
class Reversibility:
    """Motion forward and back from its last row, and the distance of its end from the start."""

    there: ContinuationResult
    back: ContinuationResult
    solved: tuple[Array, ContinuationResult]  # the forward motion at all its times, those between the rows included
    apart: float  # angles in radians, lengths in sizes of the mechanism
    same: bool  # whether it returned to its start


class DenseMotion(Protocol):
    """A motion that can be solved at any time between the rows of a run."""

    @property
    def crossings(self) -> list[ChangePoint]:
        """The change points that the run passed."""

    @property
    def step(self) -> float:
        """Time between the first two rows; zero for a run of one row."""

    def rows(self, times: Array) -> MotionRows:
        """Rows at the times, in order; times outside the run and those that cannot be reached are left out."""

    def among(self, rows: MotionRows, times: Array) -> MotionRows:
        """Merge the rows of the run with rows at further times, in order."""


@dataclass(frozen=True)
class KinematicProblem(ABC):
    """A mechanism in one formulation, ready for continuation; `settings` have the tolerance in use."""

    model: ModelDefinition
    name: str  # of the formulation
    stepper: KinematicStepper
    weight: Array  # of the unknowns
    settings: Settings
    state: Array  # at the first time
    loops: Loops | None

    @abstractmethod
    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver: one line per time, three columns per driver."""

    @abstractmethod
    def driver_values(self, motion: Array) -> dict[str, float]:
        """Values of the drivers in the model's units, from a line of `motion`."""

    @property
    @abstractmethod
    def driver_weight(self) -> Array:
        """Weight of every driver: 1 for angles, one over the mechanism's size for lengths."""

    @abstractmethod
    def regular(self, state: Array, time: float) -> bool:
        """Whether a position is far from singular."""

    @abstractmethod
    def transmission(self, states: Array, motion: Array) -> Transmission:
        """Transmission of every group at the rows reached."""

    @abstractmethod
    def residuals(self, rows: MotionRows) -> tuple[Sequence[str], Array]:
        """Owners of the equations, and the largest |Φ|, |J v − ν|, |J a − γ| of each: 3 × equations."""

    @abstractmethod
    def columns(self, rows: MotionRows) -> Columns:
        """Columns of the run."""

    @abstractmethod
    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        """Notes on the run; `whole` says that it came to its end."""

    @abstractmethod
    def crossing_event(self, crossing: ChangePoint, turned: float = math.nan) -> Event:
        """Event of a change point that was passed; `turned` is when the drivers were reversed before it."""

    @abstractmethod
    def stop_event(self, path: ContinuationResult, turned: float = math.nan) -> Event:
        """Event that ended the motion; `turned` is when the drivers were reversed before it."""

    @abstractmethod
    def miss_event(self, transmission: Transmission, miss: TransmissionSample) -> Event:
        """Event of a near-singular position."""

    @abstractmethod
    def mobility(self) -> dict[str, Any]:
        """Counts of the mobility analysis for the summary."""

    @abstractmethod
    def listing(self, columns: Columns) -> str:
        """Classic listing of the run."""

    @property
    def laws(self) -> list[Law]:
        """The motion laws of the drivers."""
        return [driver.motion for driver in self.model.drivers.values()]

    inspection: Any = None  # the analysis of the start
    first_corrections: int = 0  # Newton iterations of the assembly
    study: ClassVar[str] = "kinematics"

    def absolute(self, states: Array, motion: Array) -> Array:
        """The states in coordinates of the bodies."""
        return self.stepper.bodies(states, motion)

    def crossing(self, cross: SingularityPassage) -> SingularityPassage:
        """Handler of singular positions that wraps the branch switch."""
        return cross

    def more(self, rows: MotionRows) -> dict[str, Any]:
        """Further entries of the summary."""
        return {}

    def rows(self, grid: Array, trip: Reversibility) -> MotionRows:
        """Rows of the table: those of the forward motion, and of the backward motion where the drivers are reversed.

        The last position then appears twice, with the rates of both senses.
        """
        path, count = trip.there, trip.there.reached + 1
        path.corrections[0] = self.first_corrections
        t, states, motion = grid[:count], path.states[:count], self.motion(grid[:count])
        corrections = path.corrections[:count]
        if self.settings.reverse and path.status == Status.done:
            more = trip.back.reached + 1
            signs = np.tile(BACKWARDS, motion.shape[1] // 3)
            states = np.concatenate([states, trip.back.states[:more] * BACKWARDS[:, None]])
            motion = np.concatenate([motion, motion[::-1][:more] * signs])
            t = np.concatenate([t, 2 * t[-1] - t[::-1][:more]])
            corrections = np.concatenate([corrections, trip.back.corrections[:more]])
        return MotionRows(t, states, motion, corrections, self.absolute(states, motion))

    def events_back(self, grid: Array, trip: Reversibility) -> list[Event]:
        """Events of the backward motion, where the table contains it."""
        if not self.settings.reverse:
            return []
        end = float(grid[-1])
        events = [self.crossing_event(crossing, end) for crossing in trip.back.crossings]
        return [*events, self.stop_event(trip.back, end)] if trip.back.status != Status.done else events

    def further_events(self, rows: MotionRows, between: DenseMotion) -> list[Event]:
        """Further events at the rows, or between them."""
        return []

    def record_of_forces(self, rows: MotionRows) -> ForceRecord | None:
        """Record of the force solution at the rows, where the problem has forces."""
        return None

    def drivers_at(self, time: float) -> dict[str, float]:
        """Values of the drivers at a time."""
        return self.driver_values(self.motion(np.array([time]))[0])
