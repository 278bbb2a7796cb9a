"""Quasi-static sweep: what holds a mechanism wherever its drivers lead it, as if it stood there."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np

from mubo.analyses.inverse import ForceProblem, force_problem
from mubo.analyses.kinematics import solve_motion, time_grid
from mubo.analyses.statics.load_notes import load_notes
from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.results import Columns, Run
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.forces.force_solution import ForceSolution
from mubo.solvers.kinematics.problem import MotionRows


@dataclass(frozen=True)
class QuasiStaticProblem(ForceProblem):
    """A kinematic problem with the forces of a mechanism at rest; its rates are those of the sweep and move no mass."""

    study: ClassVar[str] = "statics"

    def forces(self, rows: MotionRows) -> ForceSolution:
        still = at_rest(rows)
        columns = super(ForceProblem, self).columns(still)
        rates = [column.name for column in columns.of_kind("driver") if column.order == 1]
        columns = columns.replaced({name: np.zeros(len(rows.t)) for name in rates})
        return self.solver.solve(still.absolute, still.motion, columns)

    def columns(self, rows: MotionRows) -> Columns:
        columns, resting = super(ForceProblem, self).columns(rows), super().columns(rows)
        columns.extend((c, resting.raw(c.name)) for c in resting.schema if c.name not in columns)
        return columns

    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        return [*super().notes(rows, columns, whole), *load_notes(self.analysis.form.mechanism)]


def at_rest(rows: MotionRows) -> MotionRows:
    """The positions with all rates zero."""
    states, motion = rows.absolute.copy(), rows.motion.copy()
    states[:, 1:] = 0.0
    motion[:, 1::3] = motion[:, 2::3] = 0.0
    return replace(rows, absolute=states, motion=motion)


def quasi_static(
    model: ModelDefinition, times: tuple[float, float, float], settings: Settings, length_scale: float | None = None
) -> Run:
    """Holding efforts of the drivers and reactions of the joints at start, start + step, … end."""
    grid: Array = time_grid(*times)
    problem = force_problem(model, grid, settings, length_scale)
    return solve_motion(
        QuasiStaticProblem(**{f.name: getattr(problem, f.name) for f in fields(problem)}), grid, times, []
    )
