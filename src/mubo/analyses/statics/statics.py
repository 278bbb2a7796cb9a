"""Statics: equilibria of the undriven degrees of freedom, and holding efforts of drivers in a quasi-static sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np

from mubo.analyses.inverse import ForceProblem, force_problem
from mubo.analyses.kinematics import require_settings, settings_of, solve_motion
from mubo.analyses.statics.balancing import balance
from mubo.analyses.statics.equilibria import equilibria, static_load_notes
from mubo.analyses.statics.ranges import read_range
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.model.contacts import refuse_contacts
from mubo.note import Note
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Run
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, singular_only_here
from mubo.solvers.assembly.velocity_mobility import velocity_elements
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.forces.force_solution import ForceSolution
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.solvers.kinematics.problem import MotionRows
from mubo.studies.motion import StaticsOptions


def statics(
    model: ModelDefinition,
    times: OutputTimes,
    settings: Settings | None = None,
    *,
    free: Sequence[str] = (),
    starts: int | None = None,
    within: Mapping[str, Any] | None = None,
    revolutions: int = 0,
    balanced_by: Sequence[str] = (),
    length_scale: float | None = None,
) -> Run:
    """A sweep of holding efforts where every degree of freedom is driven, else all equilibria that are found, with the
    drivers locked at their values of the first time. Drivers of `free` are left undriven.

    `within` are ranges in which equilibria are wanted, by joint coordinate, column or measure; `revolutions` are the
    whole revolutions of a body from the position drawn, where a load counts them.

    `balanced_by` are numbers such as "spring.stiffness" to be chosen so that the efforts are least.
    """
    settings = settings or Settings()
    require_settings(model, settings)
    model = without_drivers(model, free)
    gravity_of(model)
    ranges = {name: read_range(model, name, given) for name, given in (within or {}).items()}
    look = analyse_start(model, times.start, settings.tolerance, settings.max_iterations)
    if not _left_free(look):
        if ranges:
            raise ModelError(
                "every degree of freedom is driven: there are no equilibria to search within a range",
                suggestion="Leave a driver undriven: --free DRIVER.",
            )
        if balanced_by:
            found = balance(model, balanced_by, lambda one: quasi_static(one, times, settings, length_scale))
            found.run.summary["balance"] = found.entry
            return found.run
        return quasi_static(model, times, settings, length_scale)
    if balanced_by:
        undriven = ", ".join(motion.per for motion in look.diagnosis.free)
        raise ModelError(
            f"balance needs drivers whose efforts it makes small, but nothing drives {undriven}",
            suggestion="Drive it through the positions that are to be balanced.",
        )
    _require_search(settings, starts)
    return equilibria(look, settings, starts, length_scale, ranges, revolutions)


def _require_search(settings: Settings, starts: int | None) -> None:
    """Refuses settings that a search for equilibria does not have."""
    if starts is not None and starts < 0:
        raise ModelError(f"the number of starts cannot be negative; found {starts}")
    if settings.mode != 1:
        raise ModelError(
            f"equilibria are searched in all assembly modes: mode {settings.mode} is for mechanisms that are driven",
            suggestion="Estimates near the mode that is meant put its equilibria first.",
        )
    if settings.formulation == "loops":
        raise ModelError("equilibria are searched in absolute coordinates: the formulation must be auto or absolute")


def _refuse_rolling(look: StartAnalysis) -> None:
    """Refuse a model that rolls: contacts and knife edges can hold it at rest in whole families of positions."""
    if not look.closed or look.velocities is None:
        return
    owners = velocity_elements(look.form.mechanism)
    raise ModelError(
        f"{join_words(owners)}: what rolls, or moves along an edge, can rest wherever these hold it: its "
        "equilibria are no separate positions, and statics does not search for them",
        names=[owner.split(" ", 1)[1] for owner in owners],
        suggestion="Use simulate with damping, or linearize, which takes them into account.",
    )


def _left_free(look: StartAnalysis) -> bool:
    """Whether joints and drivers leave degrees of freedom to the loads; raises where the mechanism does not close."""
    _refuse_rolling(look)
    if look.closed and not look.reversed and not look.diagnosis.undriven_dofs:
        return False
    if not look.closed or look.reversed or singular_only_here(look):
        raise undetermined_motion_error(look, look.time)
    return True


def without_drivers(model: ModelDefinition, names: Sequence[str]) -> ModelDefinition:
    """The model without some of its drivers."""
    for name in names:
        if name not in model.drivers:
            raise ModelError(f'there is no driver "{name}" to leave free. {nearest(name, model.drivers)}', names=[name])
    kept = {name: driver for name, driver in model.drivers.items() if name not in names}
    return model.changed(drivers=kept) if names else model


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

    def more_notes(self, rows: MotionRows, columns: Columns) -> list[Note]:
        return [*super().more_notes(rows, columns), *static_load_notes(self.analysis.form.mechanism)]


def at_rest(rows: MotionRows) -> MotionRows:
    """The positions with all rates zero."""
    states, motion = rows.absolute.copy(), rows.motion.copy()
    states[:, 1:] = 0.0
    motion[:, 1::3] = motion[:, 2::3] = 0.0
    return replace(rows, absolute=states, motion=motion)


def quasi_static(
    model: ModelDefinition, times: OutputTimes, settings: Settings, length_scale: float | None = None
) -> Run:
    """Holding efforts of the drivers and reactions of the joints at the output times."""
    grid = times.grid()
    problem = force_problem(model, grid, settings, length_scale)
    return solve_motion(
        QuasiStaticProblem(**{f.name: getattr(problem, f.name) for f in fields(problem)}), grid, times, []
    )


def answer_statics(definition: ModelDefinition, asked: StaticsOptions) -> Run:
    """Answers the study `statics`; without an end there is one position, at the start."""
    refuse_contacts(definition, "statics")
    return statics(
        definition,
        asked.times,
        settings_of(asked),
        free=asked.free,
        starts=asked.starts,
        within=asked.within,
        revolutions=asked.revolutions,
        balanced_by=asked.balance,
        length_scale=asked.scale,
    )
