"""Statics: equilibria of what nothing drives, and efforts that hold what is driven."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.analyses.kinematics import require_settings, settings_of
from mubo.analyses.statics.balancing import balance
from mubo.analyses.statics.equilibria import equilibria
from mubo.analyses.statics.quasi_static import quasi_static
from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, singular_only_here
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.studies.motion import StaticsOptions


def statics(
    model: ModelDefinition,
    times: tuple[float, float, float],
    settings: Settings | None = None,
    *,
    release: Sequence[str] = (),
    starts: int | None = None,
    balanced_by: Sequence[str] = (),
    length_scale: float | None = None,
) -> Run:
    """Where every degree of freedom is driven: a sweep of holding efforts. Where some are free: all equilibria that are
    found, with the drivers where they are at the first time. Drivers of `release` let go.

    `balanced_by` are numbers such as "spring.stiffness" to be chosen so that the efforts are least.
    """
    settings = settings or Settings()
    require_settings(model, settings)
    model = released(model, release)
    gravity_of(model)
    look = analyse_start(model, times[0], settings.tolerance, settings.max_iterations)
    if not _left_free(look):
        if balanced_by:
            found = balance(model, balanced_by, lambda one: quasi_static(one, times, settings, length_scale))
            found.run.summary["balance"] = found.entry
            return found.run
        return quasi_static(model, times, settings, length_scale)
    if balanced_by:
        free = ", ".join(motion.per for motion in look.diagnosis.free)
        raise ModelError(
            f"balance needs drivers whose efforts it makes small, but nothing drives {free}",
            suggestion="Drive it through the positions that are to be balanced.",
        )
    _require_search(settings, starts)
    return equilibria(look, settings, starts, length_scale)


def _require_search(settings: Settings, starts: int | None) -> None:
    """Refuses what a search for equilibria does not ask for."""
    if starts is not None and starts < 0:
        raise ModelError(f"the number of starts cannot be negative; found {starts}")
    if settings.mode != 1:
        raise ModelError(
            f"equilibria are sought in all assembly modes: mode {settings.mode} is for mechanisms that are driven",
            suggestion="Estimates near the mode that is meant put its equilibria first.",
        )
    if settings.formulation == "loops":
        raise ModelError("equilibria are sought in absolute coordinates: the formulation is auto or absolute")


def _left_free(look: StartAnalysis) -> bool:
    """Whether joints and drivers leave degrees of freedom to the loads; raises where the mechanism does not close."""
    if look.closed and not look.reversed and not look.diagnosis.undriven_dofs:
        return False
    if not look.closed or look.reversed or singular_only_here(look):
        raise undetermined_motion_error(look, look.time)
    return True


def released(model: ModelDefinition, names: Sequence[str]) -> ModelDefinition:
    """The model without some of its drivers."""
    for name in names:
        if name not in model.drivers:
            raise ModelError(f'there is no driver "{name}" to release. {nearest(name, model.drivers)}', names=[name])
    kept = {name: driver for name, driver in model.drivers.items() if name not in names}
    return model.changed(drivers=kept) if names else model


def answer_statics(definition: ModelDefinition, asked: StaticsOptions) -> Run:
    """Answers the study `statics`; without an end and a step there is one position, at the start."""
    if asked.end is None and asked.step is None:
        start = float(asked.start or 0.0)
        times = (start, start, 1.0)
    else:
        times = asked.times
    return statics(
        definition,
        times,
        settings_of(asked),
        release=asked.free,
        starts=asked.starts,
        balanced_by=asked.balance,
        length_scale=asked.scale,
    )
