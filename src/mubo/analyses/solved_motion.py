"""A motion that was solved over its time grid, and what else is known of it: found when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mubo.analyses.summary import EXTREMES, ORDERS, extremes_summary, residuals_per_element, transmission_summary
from mubo.arrays import Array
from mubo.results import Columns, Deferred, Event, Record, Summary
from mubo.solvers.kinematics.dense_output import COSTLY, DenseOutput
from mubo.solvers.kinematics.law_notes import law_data_notes
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows, Reversibility
from mubo.solvers.kinematics.reversibility import ending_events
from mubo.solvers.search.transmission_extremes import MotionTransmission, passed_events


@dataclass
class SolvedMotion:
    """The rows of a motion with its columns; events, transmission, extremes and residuals follow when asked for."""

    problem: KinematicProblem
    grid: Array
    trip: Reversibility
    rows: MotionRows
    columns: Columns
    first_notes: list[str]
    advantage: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def dense_output(self) -> DenseOutput:
        """The motion between its rows."""
        return DenseOutput(self.problem, *self.trip.solved)

    @cached_property
    def quality(self) -> MotionTransmission:
        """Transmission along the motion, with its near-singular positions."""
        return MotionTransmission(self.problem, *self.trip.solved, self.dense_output)

    @cached_property
    def endings(self) -> list[Event]:
        """The reasons why the motion ended early, if it did."""
        return ending_events(self.problem, self.grid, self.trip)

    @cached_property
    def all_events(self) -> list[Event]:
        """Everything that happened, in the order of time; what ended the motion comes before events of forces."""
        found = [*passed_events(self.problem, self.trip, self.quality), *self.endings]
        return found + self.problem.further_events(self.rows, self.dense_output)

    def events(self) -> list[Event]:
        """The list that a run owns."""
        return list(self.all_events)

    def solve(self, times: Array) -> Columns:
        """The columns of the motion at any times, solved there."""
        return self.dense_output.columns(self.columns, times)

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
            Deferred(("warnings",), lambda: {"warnings": self._notes(whole)}),
            Deferred((), lambda: problem.more(self.rows)),
        )

    def _notes(self, whole: bool) -> list[str]:
        return [*self.first_notes, *self.problem.notes(self.rows, self.columns, whole)]

    def _residuals(self) -> dict[str, Any]:
        owners, largest = self.problem.residuals(self.rows)
        total = {name: float(np.max(line, initial=0.0)) for name, line in zip(ORDERS, largest, strict=True)}
        return {"residual": total, "residual_per_element": residuals_per_element(owners, largest)}

    def _transmission(self) -> dict[str, Any]:
        found = transmission_summary(self.quality, self.problem.model.units, self.problem.driver_values)
        return {"transmission": {**found, **self.advantage}}

    def _extremes(self) -> dict[str, Any]:
        """The extremes of every reported quantity; of a large mechanism they are interpolated between rows."""
        problem, times = self.problem, self.trip.solved[0]
        everywhere = self.columns if len(times) == len(self.grid) else self.solve(times)
        solve = self.solve if len(problem.weight) <= COSTLY else None
        return extremes_summary(problem.model, everywhere, solve, self.all_events, problem.settings.extremes)

    def record(self, times: tuple[float, float, float]) -> Record:
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
            between=self.solve,
            forces=problem.record_of_forces(self.rows),
            rows=lambda at: self.dense_output.rows(at),
        )
