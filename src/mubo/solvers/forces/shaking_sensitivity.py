"""Sensitivities of the shaking force and moment: exact derivatives by parameters of lengths, masses and speeds.

The shaking wrench of the bodies is Σ m (g − a) at their centres of mass with −dL/dt about them: it follows from the
motion, its derivatives and the masses alone, so that no reaction has to be differentiated. Loads that act from outside
on a body would add their own derivatives, which are not known: with such a load there are no columns here, and
whoever asks is answered by differences.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.model.column_names import shaking_columns
from mubo.model.dependence import depends
from mubo.results import Columns, Run
from mubo.solvers.forces.energy import shaking_of_bodies, shaking_values
from mubo.solvers.forces.masses import gravity_of
from mubo.solvers.kinematics.sensitivity import MotionSensitivity


class ShakingSensitivity(MotionSensitivity):
    """Derivatives of the motion of an inverse dynamics, and of its shaking force and moment."""

    def add_forces(self, columns: Columns) -> None:
        run, form = self.run, self._form
        if depends(run.model.gravity, self.names) or self._pushed_from_outside:
            return
        wrench = shaking_of_bodies(form, columns, gravity_of(run.model))
        dimension = form.mechanism.dimension
        columns.extend(zip(shaking_columns(dimension), shaking_values(wrench, dimension), strict=True))

    @property
    def _pushed_from_outside(self) -> bool:
        """Whether a load acts on a body without a reaction on another one."""
        first, second = self._form.loads.bodies.T
        return bool(np.any(first == second))


def sensitivity_of_motion(run: Run, names: Sequence[str]) -> MotionSensitivity:
    """Sensitivities of a run by parameters: of its motion, and of the forces that follow from it alone."""
    known = ShakingSensitivity if run.record.study == "inverse" else MotionSensitivity
    return known(run, tuple(names))
