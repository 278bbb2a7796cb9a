"""The ways of a model: vector loops where they apply, absolute coordinates everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, SingularityError, words_for
from mubo.formats.listing import listing
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import ModelDefinition
from mubo.results import Columns, Event
from mubo.solvers.assembly.singular_positions import is_regular
from mubo.solvers.assembly.start_analysis import Inspection, inspect, refusal
from mubo.solvers.assembly.suggested_fix import smallest_repair
from mubo.solvers.columns.cam_columns import cam_summary
from mubo.solvers.columns.cam_layout import layout_notes
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.columns.space_columns import miscounted
from mubo.solvers.continuation.continuation import Cross, Path, Settings, Stepper
from mubo.solvers.continuation.steppers import LoopStepper, stepper_for
from mubo.solvers.kinematics.bifurcation import Crossing
from mubo.solvers.kinematics.events import crossing_event, near_miss_event, singular_event
from mubo.solvers.kinematics.near_singularity import Lowest
from mubo.solvers.kinematics.notes import dependence_notes, unused_notes
from mubo.solvers.kinematics.problem import KinematicProblem, Rows
from mubo.solvers.kinematics.redundant_rows import best_rows, mended, reselecting
from mubo.solvers.structure.choose_mode import in_mode
from mubo.solvers.transmission.transmission import Transmission, transmission

FORMULATIONS = ("auto", "absolute", "loops")
FEWEST_DIGITS = 1e-3  # of its size: what rounding may make of the places of bodies


@dataclass(frozen=True)
class ModelProblem(KinematicProblem):
    """A model that was inspected, in one of its forms."""

    inspection: Inspection = None  # type: ignore[assignment]  # given by model_way

    def motion(self, t: Array) -> Array:
        return self.inspection.form.motion(t)

    def driver_values(self, motion: Array) -> dict[str, float]:
        return self.inspection.form.mechanism.driver_values(motion)

    @property
    def driver_weight(self) -> Array:
        return self.inspection.form.mechanism.driver_weight

    def regular(self, state: Array, time: float) -> bool:
        motion = self.motion(np.array([time]))
        return is_regular(self.inspection.form, self.stepper.bodies(state[None], motion)[0][0], motion[0])

    def absolute(self, states: Array, motion: Array) -> Array:
        poses = super().absolute(states, motion)
        return mended(self.inspection.form, poses, motion) if self.inspection.diagnosis.dependent else poses

    def crossing(self, cross: Cross) -> Cross:
        return reselecting(self.inspection, self.stepper)(cross)

    def transmission(self, states: Array, motion: Array) -> Transmission:
        return transmission(self.inspection, self.loops, states, motion, self.settings.transmission)

    def residuals(self, rows: Rows) -> tuple[Sequence[str], Array]:
        form = self.inspection.form
        largest = form.system.residuals(np.ascontiguousarray(rows.absolute), rows.motion)
        return [equation.owner for equation in form.equations], largest

    def columns(self, rows: Rows) -> Columns:
        return motion_columns(self.inspection.form, rows.t, rows.absolute)

    def notes(self, rows: Rows, columns: Columns, whole: bool) -> list[str]:
        look = self.inspection
        return [
            *dependence_notes(look, rows.absolute, whole),
            *miscounted(look.form, columns),
            *look.notes,
            *layout_notes(look.form, rows.absolute),
            *look.form.mechanism.notes,
            *(unused_notes(self.model) if self.study == "kinematics" else ()),
        ]

    def crossing_event(self, crossing: Crossing) -> Event:
        return crossing_event(self.inspection.form, self.stepper, crossing, self.settings.branch)

    def stop_event(self, path: Path) -> Event:
        return singular_event(self.inspection, self.stepper, path)

    def miss_event(self, transmission: Transmission, miss: Lowest) -> Event:
        return near_miss_event(self.inspection.form, transmission, miss)

    def mobility(self) -> dict[str, Any]:
        return self.inspection.diagnosis.summary()

    def more(self, rows: Rows) -> dict[str, Any]:
        return {"mode": self.settings.mode, **cam_summary(self.inspection.form)}

    def listing(self, columns: Columns) -> str:
        bodies = [column.owner for column in columns.of("body") if column.quantity == "x" and column.order == 0]
        return listing(columns, bodies, [*self.model.points])


def _require_digits(settings: Settings) -> None:
    """Refuses a mechanism so far from the origin that rounding is a visible part of it."""
    if settings.same(0.0, 0.0) > FEWEST_DIGITS:
        raise ModelError(
            f"the mechanism stands about {1e4 * settings.scale / settings.size:.0e} times its size from the origin: of "
            "16 digits too few are left to tell how it moves",
            suggestion="Move it nearer to the origin, or check the units of the positions.",
        )


def kinematic_problem(model: ModelDefinition, grid: Array, settings: Settings) -> ModelProblem:
    """Inspects the model at the first time and chooses its form; raises where its motion is not determined."""
    look = inspect(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    return way_from(in_mode(look, settings.mode) if settings.mode != 1 else look, grid, settings)


def way_from(look: Inspection, grid: Array, settings: Settings) -> ModelProblem:
    """The way of a model from where it was inspected."""
    start = float(grid[0])
    look.form.motion(grid)  # refuses motion laws that do not cover the grid, before any work
    if not look.sound:
        raise refused(look, start)
    settings = replace(settings, tolerance=look.tolerance, scale=look.form.scale, size=look.form.mechanism.size)
    _require_digits(settings)
    name, stepper, weight = choose(look, settings)
    status, state = stepper.start(look.assembly.q, look.motion)
    if status != Status.done:
        raise SingularityError(f"at the start, t = {start:g}: {words_for(status)}", numbers={"t": start})
    loops = look.loops if name == "loops" else None
    return ModelProblem(look.form.model, name, stepper, weight, settings, state, loops, look, look.assembly.corrections)


def choose(look: Inspection, settings: Settings) -> tuple[str, Stepper, Array]:
    """The formulation asked for: its name, what steps in it, and the weights of its unknowns.

    "auto" takes loops where they apply; a model whose ground is a body of its own, KABIOS's way of writing, is solved
    in KABIOS's formulation.
    """
    form, wanted = look.form, settings.formulation
    if wanted == "auto" and len(form.fixed) > 1:
        wanted = "absolute"
    if wanted != "absolute":
        try:
            return "loops", LoopStepper(look.loops, settings), look.loops.weight
        except NoLoops as reason:
            if wanted == "loops":
                raise ModelError(
                    f"the model cannot be solved by vector loops: {reason}",
                    suggestion="Use --formulation absolute, or auto.",
                ) from None
    active = look.diagnosis.independent
    if look.diagnosis.dependent:
        active = best_rows(form, look.assembly.q, look.motion)
    return "absolute", stepper_for(form, active, settings), form.weight


def refused(look: Inspection, time: float) -> MuboError:
    """The reason why a motion is not determined, with a repair that was tried where there is one."""
    repair = smallest_repair(look, time)
    error = refusal(look, str(repair) if repair else "")
    assert error is not None
    return error
