"""Inverse dynamics: what a prescribed motion takes of its drivers and what its joints carry, with the proof."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from mubo.analyses.kinematics import require_settings, settings_of, solve_motion, time_grid
from mubo.analyses.singular_reactions import unbounded_events
from mubo.arrays import Array
from mubo.mechanism.loads import load_notes
from mubo.model import ModelDefinition
from mubo.results import Columns, Event, Run
from mubo.results.forces import ForceRecord
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.meshes import missing_bearing_notes
from mubo.solvers.forces.reaction_friction import rest_notes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units
from mubo.solvers.forces.uniqueness import force_record, uniqueness_labels, uniqueness_notes
from mubo.solvers.kinematics.formulations import kinematic_problem
from mubo.solvers.kinematics.problem import DenseMotion, KinematicProblem, MotionRows
from mubo.solvers.kinematics.run_notes import law_corner_notes
from mubo.studies.options import WithForces

COLUMNS_OF_A_BODY = {2: 20, 3: 40}


def inverse(
    model: ModelDefinition,
    start: float,
    end: float,
    step: float,
    settings: Settings | None = None,
    length_scale: float | None = None,
) -> Run:
    """Motion, efforts of all drivers and reactions of all joints at start, start + step, … end.

    `length_scale` weighs moments against forces where reactions are not unique, in the model's unit of length; one
    metre if left out, or one unit where the model declares none.
    """
    settings = settings or Settings()
    require_settings(model, settings)
    grid = time_grid(start, end, step, COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies))
    corners = law_corner_notes(model, grid)
    return solve_motion(force_problem(model, grid, settings, length_scale), grid, (start, end, step), corners)


@dataclass(frozen=True)
class ForceProblem(KinematicProblem):
    """A kinematic problem whose columns have its forces."""

    solver: ForceSolver = None  # type: ignore[assignment]  # given by force_problem
    study: ClassVar[str] = "inverse"
    last: list[tuple[MotionRows, ForceSolution]] = field(
        default_factory=list, repr=False
    )  # those of the rows asked for last

    def columns(self, rows: MotionRows) -> Columns:
        found = self.found(rows)
        columns = found.columns.replaced({})
        columns.extend(force_columns(self.solver, found, motion_energy(self.solver, found)))
        return columns

    def found(self, rows: MotionRows) -> ForceSolution:
        """The forces at the rows; asked for the same rows again, the same."""
        if not self.last or self.last[0][0] is not rows:
            self.last[:] = [(rows, self.forces(rows))]
        return self.last[0][1]

    def forces(self, rows: MotionRows) -> ForceSolution:
        """The forces at any rows."""
        return self.solver.solve(rows.absolute, rows.motion, super().columns(rows))

    def more(self, rows: MotionRows) -> dict[str, Any]:
        found = self.found(rows)
        proof = force_residuals(self.solver, found, motion_energy(self.solver, found))
        return {**super().more(rows), **proof, "reactions": uniqueness_labels(self.solver, found)}

    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        found = self.found(rows)
        form = self.solver.form
        mine = [
            *mass_notes(form),
            *load_notes(self.model),
            *rest_notes(form, columns),
            *missing_bearing_notes(form),
            *uniqueness_notes(self.solver, found),
        ]
        return [*super().notes(rows, columns, whole), *mine]

    def further_events(self, rows: MotionRows, between: DenseMotion) -> list[Event]:
        """Positions at which reactions are beyond all bounds."""
        return unbounded_events(self, rows, self.found(rows), between)

    def record_of_forces(self, rows: MotionRows) -> ForceRecord:
        return force_record(self.solver, self.found(rows))


def force_problem(
    model: ModelDefinition, grid: Array, settings: Settings, length_scale: float | None = None
) -> ForceProblem:
    """The kinematic problem of a model with a solver for its forces; raises where its motion is not determined."""
    problem = kinematic_problem(model, grid, settings)
    solver = ForceSolver(problem.analysis.form, length_scale_in_units(model, length_scale))
    return ForceProblem(**{f.name: getattr(problem, f.name) for f in fields(problem)}, solver=solver)


def answer_inverse(definition: ModelDefinition, asked: WithForces) -> Run:
    """Answers the study `inverse`."""
    return inverse(definition, *asked.times, settings_of(asked), asked.scale)
