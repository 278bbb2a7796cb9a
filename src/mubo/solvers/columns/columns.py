"""Named columns of a result from the states of the unknowns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.model.column_names import TIME, driver_columns
from mubo.results import Columns
from mubo.solvers.columns.plane_columns import plane_columns

if TYPE_CHECKING:
    from mubo.mechanism.parameter_derivatives import EquationDerivatives


def motion_columns(
    form: Absolute, t: Array, states: Array, derivatives: EquationDerivatives | None = None, motion: Array | None = None
) -> Columns:
    """Columns t, bodies, points of interest, joints, cams and drivers.

    With the `derivatives` of the equations, and states that carry derivatives by the same parameters, the columns carry
    them too, except those of cams. `motion` are the values of the drivers at the times, where they are not those of
    their laws.
    """
    model = form.model
    columns = Columns(model.units, [(TIME, t)])
    if model.dimension == 3:
        from mubo.solvers.columns.space_columns import space_columns

        columns.extend(space_columns(form, t, states))
    else:
        columns.extend(plane_columns(form, states))
    if derivatives is None and any(model.kinds[joint.kind].profiled for joint in model.joints.values()):
        from mubo.solvers.columns.cam_columns import cam_columns

        columns.extend(cam_columns(form, t, states))
    turn = model.units.angle_factor()
    values = derivatives.dual_motion(t) if derivatives is not None else form.motion(t) if motion is None else motion
    factors = form.mechanism.motion_factors if derivatives is None else derivatives.dual_factors
    for k, driver in enumerate(model.drivers.values()):
        holds = target_of(model, driver.of).holds
        # The row of a screw holds its slide; its driver is an angle.
        factor = factors[k] / (turn if holds == "angle" else 1.0)
        columns.extend(zip(driver_columns(driver.name, holds), (values[:, 3 * k : 3 * k + 2] / factor).T, strict=True))
    return columns
