"""What to know about a kinematic run: laws with corners, redundant equations, and what was not used."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import GROUND, Model
from mubo.motion.law import jumps_of
from mubo.studies.position.inspect import Inspection
from mubo.studies.position.singular import depends_at

LOOKS = 9  # positions along a motion at which a dependence is looked at again


def law_corners(model: Model, grid: Array) -> list[str]:
    """Corners of the motion laws; a law that jumps in value is refused."""
    corners = []
    for driver in model.drivers.values():
        for jump in jumps_of(driver.motion, float(grid[0]), float(grid[-1])):
            if jump.order == 0:
                raise ModelError(
                    f"driver {driver.name}: {jump}; a mechanism cannot follow that",
                    names=[driver.name],
                    numbers={"t": jump.t, "jump": jump.size},
                    suggestion="Join the two values by a rise, such as a cycloidal one.",
                )
            corners.append(f"driver {driver.name}: {jump}")
    return corners


def dependence_notes(look: Inspection, states: Array, whole: bool) -> list[str]:
    """Dependent equations in words, and whether they stay so along the motion."""
    notes = []
    samples = np.unique(np.linspace(0, len(states) - 1, LOOKS).astype(int))
    for dependence in look.diagnosis.dependent:
        stays = whole and all(depends_at(look.form, dependence, states[k][0], look.motion) for k in samples)
        where = "everywhere along the motion" if stays else "but not all along the motion"
        notes.append(f"{dependence.words()}, {where}")
    return notes


def unused_notes(model: Model) -> list[str]:
    """Masses, gravity and forces that a model states, which move nothing where drivers prescribe the motion."""
    unused = []
    if any(body.mass is not None for body in model.bodies.values() if body.name != GROUND):
        unused.append("masses")
    if model.gravity is not None and any(model.gravity):
        unused.append("gravity")
    if model.forces:
        unused.append(f"force{'s' * (len(model.forces) > 1)} {', '.join(model.forces)}")
    if not unused:
        return []
    listed = unused[0] if len(unused) == 1 else ", ".join(unused[:-1]) + " and " + unused[-1]
    return [f"not used: {listed}. Kinematics asks how the drivers move it, not what that takes"]
