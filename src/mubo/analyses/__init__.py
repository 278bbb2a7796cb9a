"""Analyses of a model, a file or folder for each verb: each gives a run or a report.

Rolling and knife edges constrain velocities and not positions, so that no position belongs to the values of the
drivers: it depends on the path. Kinematics and inverse dynamics of such a model integrate the velocities from its
initial position; forces do not change them, and reactions and efforts follow as in a simulation. Where some velocity is
not driven, the model is refused by name, as any other whose motion is not determined.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mubo.mappings import found_once
from mubo.note import Note
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.model import ModelDefinition
    from mubo.studies import Study
    from mubo.studies.declare import Solved, WithForces
    from mubo.studies.motion import KinematicsOptions

FINE = 1e-11  # tolerance of the integration: accurate beside positions that are solved


def answer(study: Study, definition: ModelDefinition, given: Mapping[str, Any]) -> Any:
    """Answers a study of a frozen definition with what was given; a run that ended early is a warning."""
    result = study.function(definition, study.read(definition, given))
    run = result if isinstance(result, Run) else getattr(result, "run", None)
    if isinstance(run, Run) and run.status != "ok":
        warnings.warn(run.events[-1].message, stacklevel=3)
    return result


def answer_kinematics(definition: ModelDefinition, asked: KinematicsOptions) -> Run:
    """Answers the study `kinematics`; velocities that drivers determine through rolling are integrated."""
    definition = _with_contacts_kept(definition, asked.times.start)
    if _is_integrated(definition, asked):
        return _integrate(definition, asked)
    from mubo.analyses import kinematics

    return kinematics.answer_kinematics(definition, asked)


def answer_inverse(definition: ModelDefinition, asked: WithForces) -> Run:
    """Answers the study `inverse`; velocities that drivers determine through rolling are integrated."""
    definition = _with_contacts_kept(definition, asked.times.start)
    if _is_integrated(definition, asked):
        return _integrate(definition, asked, reactions=True, length_scale=asked.scale)
    from mubo.analyses import inverse

    return inverse.answer_inverse(definition, asked)


def _with_contacts_kept(definition: ModelDefinition, start: float) -> ModelDefinition:
    """The model as a prescribed motion needs it: contacts that touch are kept where drivers leave motions free."""
    if not definition.contacts:
        return definition
    from mubo.solvers.assembly.kept_contacts import with_contacts_kept

    return with_contacts_kept(definition, start)


def _is_integrated(definition: ModelDefinition, asked: Solved) -> bool:
    """Whether velocities alone are determined: equations are on velocities, and drivers leave none of them free."""
    if definition.problems or not found_once(definition.structure, "rolls", lambda: _rolls(definition)):
        return False
    from mubo.solvers.assembly.start_analysis import analyse_start

    start = analyse_start(definition, asked.times.start)
    return start.closed and start.velocities is not None and start.velocities.undriven_dofs == 0


def _rolls(definition: ModelDefinition) -> bool:
    """Whether an equation of some joint is on velocities alone."""
    kinds = {joint.kind for joint in definition.joints.values()}
    return any(row.on_velocities for kind in kinds for row in definition.kinds[kind].rows)


def _integrate(definition: ModelDefinition, asked: Solved, **forces: Any) -> Run:
    """Integrate the velocities; what a simulation needs is imported here, because few models roll."""
    from mubo.analyses.simulate import simulate
    from mubo.solvers.dynamics.settings import SimulationSettings

    run = simulate(definition, asked.times, SimulationSettings(FINE, FINE, progress=asked.progress, **forces))
    run.summary["warnings"].insert(0, str(Note("runs.integrated", tolerance=FINE)))
    return run
