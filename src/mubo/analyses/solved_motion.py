"""A motion that was solved over its time grid, and the entries of its summary: transmission, extremes and residuals.

What costs time is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.analyses.run_notes import law_data_notes, motion_notes
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition, Units
from mubo.note import Note
from mubo.numerics.singularity import NEAR_SINGULAR
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Deferred, Event, Record, Summary
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows, Reversibility
from mubo.solvers.kinematics.time_grid_refinement import ending_events

if TYPE_CHECKING:
    from mubo.solvers.kinematics.dense_output import DenseOutput
    from mubo.solvers.search.extremes import Solve
    from mubo.solvers.search.transmission_extremes import MotionTransmission
    from mubo.solvers.transmission.transmission import Transmission


@dataclass
class SolvedMotion:
    """The rows of a motion with its columns; events, transmission, extremes and residuals follow when asked for."""

    problem: KinematicProblem
    grid: Array
    trip: Reversibility
    rows: MotionRows
    columns: Columns
    first_notes: list[Note]
    advantage: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def dense_output(self) -> DenseOutput:
        """The motion between its rows."""
        from mubo.solvers.kinematics.dense_output import DenseOutput, RoundTripOutput

        if len(self.rows.t) > self.trip.there.reached + 1:  # the table has the backward motion too
            return RoundTripOutput(self.problem, self.grid, self.trip)
        return DenseOutput(self.problem, *self.trip.solved)

    @cached_property
    def transmission(self) -> Transmission:
        """Transmission at the rows of the table; all of them scale it, and further rows with them."""
        return self.problem.transmission(self.rows.states, self.rows.motion)

    @cached_property
    def quality(self) -> MotionTransmission:
        """Transmission along the motion, with its near-singular positions."""
        from mubo.solvers.search.transmission_extremes import MotionTransmission

        return MotionTransmission(self.problem, *self.trip.solved, self.dense_output)

    @cached_property
    def endings(self) -> list[Event]:
        """The reasons why the motion ended early, if it did."""
        return ending_events(self.problem, self.grid, self.trip)

    @cached_property
    def all_events(self) -> list[Event]:
        """Everything that happened, in the order of time; what ended the motion comes before events of forces."""
        from mubo.solvers.search.transmission_extremes import passed_events

        found = [*passed_events(self.problem, self.trip, self.quality), *self.endings]
        return found + self.problem.further_events(self.rows, self.dense_output)

    def events(self) -> list[Event]:
        """The list that a run owns."""
        return list(self.all_events)

    def solve(self, times: Array) -> Columns:
        """The columns of the motion at any times, solved there."""
        return self.dense_output.columns(self.columns, self.dense_output.rows(times))

    def solve_all(self, times: Array) -> Columns:
        """Every column of the table at any times, those of transmission and mechanical advantage among them."""
        rows = self.dense_output.rows(times)
        found = self.dense_output.columns(self.columns, rows)
        if len(rows.t) and self.problem.settings.transmission:
            from mubo.solvers.search.transmission_extremes import solve_transmission_columns

            found.extend(solve_transmission_columns(self.transmission, rows.states, rows.motion))
        if len(rows.t) and (output := self.problem.settings.advantage):
            from mubo.solvers.search.mechanical_advantage import advantage_column

            found.extend([advantage_column(self.problem.model, found, output, self.columns)])
        return found

    def add_advantage(self) -> None:
        """Adds the mechanical advantage towards the output that the settings name, as a column and to the summary."""
        from mubo.solvers.search.mechanical_advantage import add_advantage

        output = self.problem.settings.advantage
        self.advantage["mechanical_advantage"] = add_advantage(self.problem.model, self.columns, output, self.solve)

    def summary(self) -> Summary:
        """The summary of the motion: what was solved, how well, and notes; the costly entries are deferred."""
        problem, whole = self.problem, all(event.passed for event in self.endings)
        return Summary(
            {
                "status": "ok" if whole else "stopped",
                "model": problem.model.name,
                "formulation": problem.name,
                "rows": len(self.rows.t),
                "tolerance": problem.settings.tolerance,
                "there_and_back": self.trip.apart,
                "newton_iterations": int(self.rows.corrections.sum()),
                "files": [],
            },
            Deferred(("mobility",), lambda: {"mobility": problem.mobility()}),
            Deferred(("residual", "residual_per_element"), self._residuals),
            Deferred(("transmission",), self._transmission),
            Deferred(EXTREMES, self._extremes),
            Deferred(("motion",), lambda: {"motion": law_data_notes(problem.model)}),
            Deferred(("events",), lambda: {"events": [event.as_dict() for event in self.all_events]}),
            Deferred(("warnings",), lambda: {"warnings": [str(note) for note in self._notes(whole)]}),
            Deferred((), lambda: problem.more(self.rows)),
        )

    def _notes(self, whole: bool) -> list[Note | str]:
        problem, rows, columns = self.problem, self.rows, self.columns
        notes = motion_notes(problem, rows, columns, whole)
        return [*self.first_notes, *notes, *problem.more_notes(rows, columns)]

    def _residuals(self) -> dict[str, Any]:
        owners, largest = self.problem.residuals(self.rows)
        total = {name: float(np.max(line, initial=0.0)) for name, line in zip(ORDERS, largest, strict=True)}
        return {"residual": total, "residual_per_element": residuals_per_element(owners, largest)}

    def _transmission(self) -> dict[str, Any]:
        found = transmission_summary(self.quality, self.problem.model.units, self.problem.driver_values)
        return {"transmission": {**found, **self.advantage}}

    def _extremes(self) -> dict[str, Any]:
        """The extremes of every reported quantity; of a large mechanism they are interpolated between rows."""
        from mubo.solvers.kinematics.dense_output import COSTLY

        problem, times = self.problem, self.trip.solved[0]
        everywhere = self.columns if len(times) == len(self.grid) else self.solve(times)
        solve = self.solve if len(problem.weight) <= COSTLY else None
        return extremes_summary(problem.model, everywhere, solve, self.all_events, problem.settings.extremes)

    def record(self, times: OutputTimes) -> Record:
        """How the motion was solved."""
        problem = self.problem
        return Record(
            model=problem.model,
            study=problem.study,
            formulation=problem.name,
            times=times,
            settings=problem.settings,
            inspection=problem.analysis,
            form=problem.loops,
            corrections=self.rows.corrections,
            tolerance=problem.settings.tolerance,
            listing=problem.listing if problem.model.dimension == 2 else None,
            between=self.solve_all,
            solved_times=self.trip.solved[0][: self.trip.solved[1].reached + 1],
            forces=problem.record_of_forces(self.rows),
            rows=lambda at: self.dense_output.rows(at),
        )


ORDERS = ("position", "velocity", "acceleration")
EXTREMES = ("extremes", "extremes_left_out", "outputs", "four_bars")  # what `extremes_summary` may give


def transmission_summary(
    quality: MotionTransmission, units: Units, drivers: Callable[[Array], dict[str, float]]
) -> dict[str, Any]:
    """The worst transmission of every group, and of all: value, time, drivers. Angles are in the model's unit.

    `drivers` gives the values of the drivers from a line of their motion.
    """
    factor, unseen = units.angle_factor(), quality.transmission.unseen
    places, count = quality.worst()
    laws = quality.motion(np.array([worst.place.t for worst in places])) if places else ()
    groups = []
    for (place, *ends), law in zip(places, laws, strict=True):
        entry = {"group": place.group.name, "measure": place.group.measure, "minimum": place.sigma}
        if place.group.angle is not None:
            entry |= {"minimum": place.grade / factor, "range": [end / factor for end in ends]}
        groups.append({**entry, "t": place.t, "drivers": drivers(law)})
    out: dict[str, Any] = {**(groups[0] if groups else {}), "unit": units.angle or "rad"}
    out |= {"near_singular_below": NEAR_SINGULAR, "groups": groups}
    if count > quality.most:
        out["groups_left_out"] = count - quality.most
    return {**out, "unseen": unseen} if unseen else out


def extremes_summary(
    model: ModelDefinition,
    columns: Columns,
    solve: Solve | None = None,
    events: Sequence[Event] = (),
    few: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Least and greatest value of every column, the toggle positions, and the class of every four-bar; or of a `few`
    columns alone.

    Without `solve` the columns are interpolated between rows.
    """
    from mubo.solvers.search.extremes import ExtremeValues
    from mubo.solvers.search.interpolation import interpolation_of
    from mubo.solvers.search.reported_quantities import column_quantity, columns_of_quantities, reported_quantities
    from mubo.solvers.structure.groups import four_bars

    if few is not None:
        wanted = [column_quantity(columns, name) for name in few if name in columns]
        return {"extremes": ExtremeValues(model, columns, wanted, solve, events).summarize()}
    subjects, left_out = reported_quantities(model, columns)
    if solve is None:
        columns = columns_of_quantities(model, columns, subjects)
    out: dict[str, Any] = {"extremes": ExtremeValues(model, columns, subjects, solve, events).summarize()}
    if left_out:
        out["extremes_left_out"] = left_out
    if model.drivers:
        from mubo.solvers.search.toggle_positions import toggle_summary

        out["outputs"] = toggle_summary(model, columns, solve or interpolation_of(columns))
    bars = four_bars(model)
    return {**out, "four_bars": bars} if bars else out


def residuals_per_element(owners: Sequence[str], largest: Array) -> dict[str, dict[str, float]]:
    """The largest residuals of every joint and driver."""
    out: dict[str, dict[str, float]] = {}
    for owner, *values in zip(owners, *largest, strict=True):
        residual = out.setdefault(owner, dict.fromkeys(ORDERS, 0.0))
        for name, value in zip(ORDERS, values, strict=True):
            residual[name] = max(residual[name], float(value))
    return out
