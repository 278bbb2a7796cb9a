"""Prescribed motions of mechanisms that roll: where drivers determine every velocity, positions follow by integration.

Rolling and knife edges constrain velocities and not positions, so that no position belongs to the values of the
drivers: it depends on the path. Kinematics and inverse dynamics of such a model integrate the velocities from its
initial position; forces do not change them, and reactions and efforts follow as in a simulation. Where some velocity is
not driven, the model is refused by name, as any other whose motion is not determined.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mubo.analyses import kinematics
from mubo.mappings import found_once
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import analyse_start

if TYPE_CHECKING:
    from mubo.studies.declare import WithForces
    from mubo.studies.motion import KinematicsOptions

FINE = 1e-11  # tolerance of the integration: accurate beside positions that are solved
NOTE = (
    "drivers determine all velocities, and rolling makes the position depend on the path: the motion is integrated "
    "from the initial position (tolerance {:g})"
)


def answer_kinematics(definition: ModelDefinition, asked: KinematicsOptions) -> Run:
    """Answers the study `kinematics`; velocities that drivers determine through rolling are integrated."""
    if _is_integrated(definition, asked):
        return _integrate(definition, asked)
    return kinematics.answer_kinematics(definition, asked)


def answer_inverse(definition: ModelDefinition, asked: WithForces) -> Run:
    """Answers the study `inverse`; velocities that drivers determine through rolling are integrated."""
    if _is_integrated(definition, asked):
        return _integrate(definition, asked, reactions=True, length_scale=asked.scale)
    from mubo.analyses import inverse

    return inverse.answer_inverse(definition, asked)


def _is_integrated(definition: ModelDefinition, asked: KinematicsOptions | WithForces) -> bool:
    """Whether velocities alone are determined: equations are on velocities, and drivers leave none of them free."""
    if definition.problems or not found_once(definition.structure, "rolls", lambda: _rolls(definition)):
        return False
    start = analyse_start(definition, asked.times.start)
    return start.closed and start.velocities is not None and start.velocities.undriven_dofs == 0


def _rolls(definition: ModelDefinition) -> bool:
    """Whether an equation of some joint is on velocities alone."""
    kinds = {joint.kind for joint in definition.joints.values()}
    return any(row.on_velocities for kind in kinds for row in definition.kinds[kind].rows)


def _integrate(
    definition: ModelDefinition,
    asked: KinematicsOptions | WithForces,
    reactions: bool = False,
    length_scale: float | None = None,
) -> Run:
    """Integrate the velocities; what a simulation needs is imported here, because few models roll."""
    from mubo.analyses.simulate import simulate
    from mubo.solvers.dynamics.settings import SimulationSettings

    settings = SimulationSettings(FINE, FINE, reactions=reactions, length_scale=length_scale)
    run = simulate(definition, asked.times, replace(settings, progress=asked.progress))
    run.summary["warnings"].insert(0, NOTE.format(FINE))
    return run
