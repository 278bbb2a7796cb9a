"""A way to move a mechanism: the equations it is solved by, its first state, and what is told of it.

A model is moved in absolute coordinates or by vector loops; a card deck has loops alone. Marching, crossing, events
and summary are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.laws.law import Law
from mubo.mechanism.formulations.loops import Loops
from mubo.model import ModelDefinition
from mubo.results import Columns, Event
from mubo.results.forces import ForceRecord
from mubo.solvers.continuation.continuation import ContinuationResult, KinematicStepper, Settings, SingularityPassage
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.reversibility import Reversibility
from mubo.solvers.transmission.transmission import Transmission

if TYPE_CHECKING:
    from mubo.solvers.kinematics.dense_output import DenseOutput
    from mubo.solvers.kinematics.near_singularity import TransmissionSample


@dataclass(frozen=True)
class MotionRows:
    """Output times reached, states (times × 3 × unknowns) and drivers (value, rate, acceleration) there.

    `absolute` are the states in coordinates of the bodies, where the unknowns are others.
    """

    t: Array
    states: Array
    motion: Array
    corrections: Array  # Newton corrections of every row
    absolute: Array


@dataclass(frozen=True)
class KinematicProblem(ABC):
    """What steps, from which state, and how exactly. `settings` have the tolerance in use."""

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
        """Of every driver: 1 for angles, one part of the mechanism's size for lengths."""

    @abstractmethod
    def regular(self, state: Array, time: float) -> bool:
        """Whether a position is far from singular."""

    @abstractmethod
    def transmission(self, states: Array, motion: Array) -> Transmission:
        """Every group at the rows reached."""

    @abstractmethod
    def residuals(self, rows: MotionRows) -> tuple[Sequence[str], Array]:
        """Owners of the equations, and the largest |Φ|, |J v − ν|, |J a − γ| of each: 3 × equations."""

    @abstractmethod
    def columns(self, rows: MotionRows) -> Columns:
        """The table of the run."""

    @abstractmethod
    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        """What to know about the run; `whole` says that it came to its end."""

    @abstractmethod
    def crossing_event(self, crossing: ChangePoint) -> Event:
        """A change point that was passed."""

    @abstractmethod
    def stop_event(self, path: ContinuationResult) -> Event:
        """Where and why the motion ended."""

    @abstractmethod
    def miss_event(self, transmission: Transmission, miss: TransmissionSample) -> Event:
        """A singular position that was passed closely."""

    @abstractmethod
    def mobility(self) -> dict[str, Any]:
        """The counts of the summary."""

    @abstractmethod
    def listing(self, columns: Columns) -> str:
        """The classic listing of the run."""

    @property
    def laws(self) -> list[Law]:
        """The motion laws of the drivers."""
        return [driver.motion for driver in self.model.drivers.values()]

    inspection: Any = None  # what the first look found
    first_corrections: int = 0  # Newton corrections of the assembly
    study: ClassVar[str] = "kinematics"

    def absolute(self, states: Array, motion: Array) -> Array:
        """The states in coordinates of the bodies."""
        return self.stepper.bodies(states, motion)

    def crossing(self, cross: SingularityPassage) -> SingularityPassage:
        """What is tried before the crossing of change points."""
        return cross

    def more(self, rows: MotionRows) -> dict[str, Any]:
        """Further entries of the summary."""
        return {}

    def rows(self, grid: Array, trip: Reversibility) -> MotionRows:
        """The rows of the table: the way there."""
        path, count = trip.there, trip.there.reached + 1
        path.corrections[0] = self.first_corrections
        states, motion = path.states[:count], self.motion(grid[:count])
        return MotionRows(grid[:count], states, motion, path.corrections[:count], self.absolute(states, motion))

    def events_back(self, grid: Array, trip: Reversibility) -> list[Event]:
        """What happened on the way back, where the table has it."""
        return []

    def further_events(self, rows: MotionRows, between: DenseOutput) -> list[Event]:
        """What else happened at the rows, or between them."""
        return []

    def record_of_forces(self, rows: MotionRows) -> ForceRecord | None:
        """How the forces of the rows were found, where the way has forces."""
        return None

    def drivers_at(self, time: float) -> dict[str, float]:
        """Values of the drivers at a time."""
        return self.driver_values(self.motion(np.array([time]))[0])
