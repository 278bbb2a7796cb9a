"""Values of drivers that can be computed with."""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.options import MOST_RADIANS


def refuse_values(model: ModelDefinition, t: Array, motion: Array, most: Array) -> None:
    """Refuse values of drivers, a line each time, that are not finite or exceed `most`."""
    line, column = np.argwhere(~(np.abs(motion) <= np.abs(most)))[0]
    name, value = list(model.drivers)[column // 3], float(motion[line, column])
    what = ("value", "velocity", "acceleration")[column % 3]
    when = f"at t = {model.units.time_text(t[line])}"
    why = f"its {what} {when} is {value}"
    if math.isfinite(value):
        angle = value / most[column] * MOST_RADIANS
        unit = model.units.unit("angle")
        shown = f"{angle / unit.factor:.4g} {unit.label or 'rad'}"
        why = f"its angle {when} is {shown}: more revolutions than can be resolved"
    raise ModelError(
        f"driver {name}: {why}",
        names=[name],
        numbers={"t": float(t[line])},
        suggestion="Check the motion law at that time.",
    )
