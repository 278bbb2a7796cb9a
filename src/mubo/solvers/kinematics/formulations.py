"""Kinematic problems of a model: vector loops where they apply, absolute coordinates everywhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, SingularityError, status_text
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import ModelDefinition
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.continuation import of_same_laws
from mubo.solvers.continuation.steppers import KinematicStepper, LoopStepper, Settings, absolute_stepper
from mubo.solvers.kinematics.problem import KinematicProblem

FORMULATIONS = ("auto", "absolute", "loops")


def kinematic_problem(model: ModelDefinition, grid: Array, settings: Settings) -> KinematicProblem:
    """Analyse the model at the first time and choose its formulation; raises where its motion is not determined."""
    if model.contacts:
        from mubo.solvers.assembly.kept_contacts import with_contacts_kept

        model = with_contacts_kept(model, float(grid[0]))
    analysis = analyse_start(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    if settings.mode != 1:
        from mubo.solvers.structure.circuits import start_in_mode

        analysis = start_in_mode(analysis, settings.mode)
    return problem_from_start(analysis, grid, settings)


def problem_from_start(analysis: StartAnalysis, grid: Array, settings: Settings) -> KinematicProblem:
    """Kinematic problem of a model from the analysis of its start."""
    start = float(grid[0])
    mechanism = analysis.form.mechanism
    # Laws that do not cover the grid are refused before any work.
    numbers = (grid, mechanism.starts, mechanism.motion_factors)
    of_same_laws(mechanism.model, "motion at the rows", numbers, lambda: len(mechanism.motion(grid)))
    if not analysis.sound:
        raise undetermined_motion_error(analysis, start)
    settings = replace(
        settings, tolerance=analysis.tolerance, scale=analysis.form.scale, size=analysis.form.mechanism.size
    )
    if (error := start_error(analysis)) is not None:
        raise error
    name, stepper, weight = choose_formulation(analysis, settings)
    status, state = _first_state(analysis, stepper)
    if status != Status.done:
        raise SingularityError(
            f"at the start, t = {mechanism.model.units.time_text(start)}: {status_text(status)}", numbers={"t": start}
        )
    loops = analysis.loops if name == "loops" else None
    return KinematicProblem(
        analysis.form.model, name, stepper, weight, settings, state, loops, analysis, analysis.assembly.corrections
    )


def _first_state(analysis: StartAnalysis, stepper: KinematicStepper) -> tuple[Status, Array]:
    """Status and state at the start; at a singular start, of the only motion that passes it."""
    if analysis.singular is None:
        return stepper.start(analysis.assembly.q, analysis.motion)
    from mubo.solvers.assembly.singular_start import state_at_singular_start

    return state_at_singular_start(analysis.singular, analysis.form, stepper)


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
    if not analysis.diagnosis.dependent:
        return "absolute", absolute_stepper(form, analysis.diagnosis.independent, settings), form.weight
    from mubo.solvers.kinematics.redundant_rows import most_independent_rows

    select = partial(most_independent_rows, form)
    active = select(*analysis.diagnosed_at)
    return "absolute", absolute_stepper(form, active, settings, select), form.weight


def undetermined_motion_error(analysis: StartAnalysis, time: float) -> MuboError:
    """Error that says why a motion is not determined, with a fix that was tested where there is one."""
    from mubo.solvers.assembly.suggested_fix import suggest_fix

    repair = suggest_fix(analysis, time)
    error = start_error(analysis, str(repair) if repair else "")
    assert error is not None
    return error
