"""Kinematic problems of a model: vector loops where they apply, absolute coordinates everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, SingularityError, status_text
from mubo.formats import added, extension_of
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import ModelDefinition
from mubo.results import Columns, Event
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.columns.cam_columns import cam_layout_notes, cam_summary
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.columns.space_columns import turn_count_notes
from mubo.solvers.continuation.steppers import LoopStepper, absolute_stepper
from mubo.solvers.continuation.stepping import ContinuationResult, KinematicStepper, Settings, SingularityPassage
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.events import change_point_event, near_singularity_event, singular_event
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows
from mubo.solvers.kinematics.redundant_rows import most_independent_rows, redundant_row_passage, satisfy_all_equations
from mubo.solvers.kinematics.run_notes import dependence_notes, unused_notes
from mubo.solvers.transmission.transmission import Transmission, TransmissionSample, measure_transmission

FORMULATIONS = ("auto", "absolute", "loops")
MAX_ROUNDING = 1e-3  # of its size: what rounding may make of the places of bodies


@dataclass(frozen=True)
class ModelProblem(KinematicProblem):
    """Kinematic problem of a model from its analysed start, in one formulation."""

    inspection: StartAnalysis = None  # type: ignore[assignment]  # always given

    def motion(self, t: Array) -> Array:
        return self.inspection.form.motion(t)

    def driver_values(self, motion: Array) -> dict[str, float]:
        return self.inspection.form.mechanism.driver_values(motion)

    @property
    def driver_weight(self) -> Array:
        return self.inspection.form.mechanism.driver_weight

    def regular(self, state: Array, time: float) -> bool:
        from mubo.solvers.assembly.singular_positions import is_regular

        motion = self.motion(np.array([time]))
        return is_regular(self.inspection.form, self.stepper.bodies(state[None], motion)[0][0], motion[0])

    def absolute(self, states: Array, motion: Array) -> Array:
        poses = super().absolute(states, motion)
        return (
            satisfy_all_equations(self.inspection.form, poses, motion) if self.inspection.diagnosis.dependent else poses
        )

    def crossing(self, cross: SingularityPassage) -> SingularityPassage:
        return redundant_row_passage(self.inspection, self.stepper)(cross)

    def transmission(self, states: Array, motion: Array) -> Transmission:
        return measure_transmission(self.inspection, self.loops, states, motion, self.settings.transmission)

    def residuals(self, rows: MotionRows) -> tuple[Sequence[str], Array]:
        form = self.inspection.form
        largest = form.system.residuals(np.ascontiguousarray(rows.absolute), rows.motion)
        return [equation.owner for equation in form.equations], largest

    def columns(self, rows: MotionRows) -> Columns:
        return motion_columns(self.inspection.form, rows.t, rows.absolute, motion=rows.motion)

    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        analysis = self.inspection
        origin = self.model.origin
        return [
            *(origin.notes if origin is not None else ()),
            *dependence_notes(analysis, rows.absolute, whole),
            *turn_count_notes(analysis.form, columns),
            *analysis.notes,
            *cam_layout_notes(analysis.form, rows.absolute),
            *analysis.form.mechanism.notes,
            *(unused_notes(self.model) if self.study == "kinematics" else ()),
        ]

    def crossing_event(self, crossing: ChangePoint, turned: float = math.nan) -> Event:
        return change_point_event(self.inspection.form, self.stepper, crossing, self.settings.branch, turned)

    def stop_event(self, path: ContinuationResult, turned: float = math.nan) -> Event:
        return singular_event(self.inspection, self.stepper, path, turned)

    def miss_event(self, transmission: Transmission, miss: TransmissionSample) -> Event:
        return near_singularity_event(self.inspection.form, transmission, miss)

    def mobility(self) -> dict[str, Any]:
        return self.inspection.diagnosis.summary()

    def more(self, rows: MotionRows) -> dict[str, Any]:
        return {"mode": self.settings.mode, **cam_summary(self.inspection.form)}

    def listing(self, columns: Columns) -> str:
        from mubo.formats.listing import listing

        if (own := added(extension_of(self.model).listing)) is not None:
            return str(own(self.model, columns))
        bodies = [column.owner for column in columns.of_kind("body") if column.quantity == "x" and column.order == 0]
        return listing(columns, bodies, [*self.model.points])


def _require_digits(settings: Settings) -> None:
    """Refuse a mechanism so far from the origin that rounding is a visible part of its size."""
    if settings.same(0.0, 0.0) > MAX_ROUNDING:
        raise ModelError(
            f"the mechanism stands about {1e4 * settings.scale / settings.size:.0e} times its size from the origin: of "
            "16 digits too few are left to resolve its motion",
            suggestion="Move it nearer to the origin, or check the units of the positions.",
        )


def kinematic_problem(model: ModelDefinition, grid: Array, settings: Settings) -> ModelProblem:
    """Analyse the model at the first time and choose its formulation; raises where its motion is not determined."""
    analysis = analyse_start(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    if settings.mode != 1:
        from mubo.solvers.structure.circuits import start_in_mode

        analysis = start_in_mode(analysis, settings.mode)
    return problem_from_start(analysis, grid, settings)


def problem_from_start(analysis: StartAnalysis, grid: Array, settings: Settings) -> ModelProblem:
    """Kinematic problem of a model from the analysis of its start."""
    start = float(grid[0])
    analysis.form.motion(grid)  # refuses motion laws that do not cover the grid, before any work
    if not analysis.sound:
        raise undetermined_motion_error(analysis, start)
    settings = replace(
        settings, tolerance=analysis.tolerance, scale=analysis.form.scale, size=analysis.form.mechanism.size
    )
    _require_digits(settings)
    name, stepper, weight = choose_formulation(analysis, settings)
    status, state = stepper.start(analysis.assembly.q, analysis.motion)
    if status != Status.done:
        raise SingularityError(f"at the start, t = {start:g}: {status_text(status)}", numbers={"t": start})
    loops = analysis.loops if name == "loops" else None
    return ModelProblem(
        analysis.form.model, name, stepper, weight, settings, state, loops, analysis, analysis.assembly.corrections
    )


def choose_formulation(analysis: StartAnalysis, settings: Settings) -> tuple[str, KinematicStepper, Array]:
    """Formulation asked for: its name, its stepper and the weights of its unknowns.

    "auto" takes loops where they apply; a model whose ground is a body of its own, as KABIOS writes it, is solved in
    KABIOS's formulation.
    """
    form, wanted = analysis.form, settings.formulation
    if wanted == "auto" and len(form.fixed) > 1:
        wanted = "absolute"
    if wanted != "absolute":
        try:
            return "loops", LoopStepper(analysis.loops, settings), analysis.loops.weight
        except NoLoops as reason:
            if wanted == "loops":
                raise ModelError(
                    f"the model cannot be solved by vector loops: {reason}",
                    suggestion="Use --formulation absolute, or auto.",
                ) from None
    active = analysis.diagnosis.independent
    if analysis.diagnosis.dependent:
        active = most_independent_rows(form, analysis.assembly.q, analysis.motion)
    return "absolute", absolute_stepper(form, active, settings), form.weight


def undetermined_motion_error(analysis: StartAnalysis, time: float) -> MuboError:
    """Error that says why a motion is not determined, with a fix that was tested where there is one."""
    from mubo.solvers.assembly.suggested_fix import suggest_fix

    repair = suggest_fix(analysis, time)
    error = start_error(analysis, str(repair) if repair else "")
    assert error is not None
    return error
