"""The kinematic problem: equations of a mechanism in one formulation, its first state, and the results derived from it.

A model is solved in absolute coordinates or by vector loops. Continuation, branch switching, events and summary are the
same for both formulations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.formats import added, extension_of
from mubo.laws.law import Law
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.model import ModelDefinition
from mubo.note import Note
from mubo.results import Columns, Event
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.continuation.steppers import ContinuationResult, KinematicStepper, Settings
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.events import change_point_event, near_singularity_event, singular_event

if TYPE_CHECKING:
    from mubo.results.record import ForceRecord
    from mubo.solvers.transmission.transmission import Transmission, TransmissionSample

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
    laws: Array  # value, rate and acceleration of the drivers at the output times
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
class KinematicProblem:
    """A mechanism in one formulation from its analysed start; `settings` have the tolerance in use."""

    model: ModelDefinition
    name: str  # of the formulation
    stepper: KinematicStepper
    weight: Array  # of the unknowns
    settings: Settings
    state: Array  # at the first time
    loops: Loops | None
    analysis: StartAnalysis
    first_corrections: int  # Newton iterations of the assembly
    study: ClassVar[str] = "kinematics"

    @property
    def laws(self) -> list[Law]:
        """The motion laws of the drivers."""
        return [driver.motion for driver in self.model.drivers.values()]

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver: one line per time, three columns per driver."""
        return self.analysis.form.motion(t)

    def driver_values(self, motion: Array) -> dict[str, float]:
        """Values of the drivers in the model's units, from a line of `motion`."""
        return self.analysis.form.mechanism.driver_values(motion)

    @property
    def driver_weight(self) -> Array:
        """Weight of every driver: 1 for angles, one over the mechanism's size for lengths."""
        return self.analysis.form.mechanism.driver_weight

    def regular(self, state: Array, time: float) -> bool:
        """Whether a position is far from singular."""
        from mubo.solvers.assembly.singular_positions import is_regular

        motion = self.motion(np.array([time]))
        return is_regular(self.analysis.form, self.stepper.bodies(state[None], motion)[0][0], motion[0])

    def absolute(self, states: Array, motion: Array) -> Array:
        """The states in coordinates of the bodies, which satisfy all equations, redundant ones included."""
        poses = self.stepper.bodies(states, motion)
        if not self.analysis.diagnosis.dependent:
            return poses
        from mubo.solvers.kinematics.redundant_rows import satisfy_all_equations

        return satisfy_all_equations(self.analysis.form, poses, motion)

    def transmission(self, states: Array, motion: Array) -> Transmission:
        """Transmission of every group at the rows reached."""
        from mubo.solvers.transmission.transmission import measure_transmission

        return measure_transmission(self.analysis, self.loops, states, motion, self.settings.transmission)

    def residuals(self, rows: MotionRows) -> tuple[Sequence[str], Array]:
        """Owners of the equations, and the largest |Φ|, |J v − ν|, |J a − γ| of each: 3 × equations."""
        form = self.analysis.form
        largest = form.system.residuals(np.ascontiguousarray(rows.absolute), rows.motion)
        return [equation.owner for equation in form.equations], largest

    def columns(self, rows: MotionRows) -> Columns:
        """Columns of the run."""
        with np.errstate(over="ignore", invalid="ignore"):  # a column that is not finite is refused by its name
            return motion_columns(self.analysis.form, rows.t, rows.absolute, motion=rows.motion)

    def more_notes(self, rows: MotionRows, columns: Columns) -> list[Note]:
        """Notes besides those on the motion."""
        return []

    def crossing_event(self, crossing: ChangePoint, turned: float = math.nan) -> Event:
        """Event of a change point that was passed; `turned` is when the drivers were reversed before it."""
        return change_point_event(self.analysis.form, self.stepper, crossing, self.settings.branch, turned)

    def stop_event(self, path: ContinuationResult, turned: float = math.nan) -> Event:
        """Event that ended the motion; `turned` is when the drivers were reversed before it."""
        return singular_event(self.analysis, self.stepper, path, turned)

    def near_singularity_event(self, transmission: Transmission, miss: TransmissionSample) -> Event:
        """Event of a near-singular position."""
        return near_singularity_event(self.analysis.form, transmission, miss)

    def mobility(self) -> dict[str, Any]:
        """Counts of the mobility analysis for the summary."""
        return self.analysis.diagnosis.summary()

    def more(self, rows: MotionRows) -> dict[str, Any]:
        """Further entries of the summary."""
        if not self.has_cams:
            return {"mode": self.settings.mode}
        from mubo.solvers.columns.cam_columns import cam_summary

        return {"mode": self.settings.mode, **cam_summary(self.analysis.form)}

    @property
    def has_cams(self) -> bool:
        """Whether a joint of the model has a profile."""
        return any(self.model.kinds[joint.kind].profiled for joint in self.model.joints.values())

    def listing(self, columns: Columns) -> str:
        """Classic listing of the run."""
        from mubo.formats.listing import model_listing

        write = added(extension_of(self.model).listing) or model_listing
        return str(write(self.model, columns))

    def rows(self, grid: Array, trip: Reversibility) -> MotionRows:
        """Rows of the table: those of the forward motion, and of the backward motion where the drivers are reversed.

        The last position then appears twice, with the rates of both senses.
        """
        path, count = trip.there, trip.there.reached + 1
        path.corrections[0] = self.first_corrections
        t, states, motion = grid[:count], path.states[:count], trip.laws[:count]
        corrections = path.corrections[:count]
        forward = MotionRows(t, states, motion, corrections, self.absolute(states, motion))
        if not self.settings.reverse or path.status != Status.done:
            return forward
        back, more = trip.back, trip.back.reached + 1
        turned = MotionRows(t[-more:], back.states[:more][::-1], motion[-more:], back.corrections[:more][::-1], t[:0])
        return join_rows(forward, reverse_rows(self, turned, float(t[-1])))

    def further_events(self, rows: MotionRows, between: DenseMotion) -> list[Event]:
        """Further events at the rows, or between them."""
        return []

    def record_of_forces(self, rows: MotionRows) -> ForceRecord | None:
        """Record of the force solution at the rows, where the problem has forces."""
        return None

    def drivers_at(self, time: float) -> dict[str, float]:
        """Values of the drivers at a time."""
        return self.driver_values(self.motion(np.array([time]))[0])


def reverse_rows(problem: KinematicProblem, rows: MotionRows, turned: float) -> MotionRows:
    """Rows of the forward motion as those of the backward motion that begins at the time `turned`."""
    states = rows.states[::-1] * BACKWARDS[:, None]
    motion = rows.motion[::-1] * np.tile(BACKWARDS, rows.motion.shape[1] // 3)
    return MotionRows(
        2 * turned - rows.t[::-1], states, motion, rows.corrections[::-1], problem.absolute(states, motion)
    )


def join_rows(first: MotionRows, second: MotionRows) -> MotionRows:
    """Rows one after the other."""
    pairs = ((getattr(first, field.name), getattr(second, field.name)) for field in fields(MotionRows))
    return MotionRows(*(np.concatenate(pair) for pair in pairs))
