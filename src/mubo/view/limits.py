"""What a transmission angle should keep to: marked in charts and on the page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mubo.results import Column, Run
from mubo.solvers.transmission.transmission import NEAR, graded

GOOD = (math.radians(40), math.radians(140))  # in which linkages run well (Alt 1932)
CLOSE = float(graded(np.array(NEAR), None))  # radians from 0 or 180°: below it a near miss is told


def limited(column: Column) -> bool:
    """Whether a column has limits: the transmission angles of dyads."""
    return column.kind == "transmission" and column.holds == "angle"


def limits_of(run: Run, name: str) -> dict[str, Any]:
    """The band of good angles and the lines of near misses, in the unit of the column."""
    unit = run.units.angle_factor() if run.columns.column(name).holds == "angle" else 1.0
    said = "40° to 140°: good transmission; below the dashed line the mechanism all but locks"
    return {"band": [limit / unit for limit in GOOD], "lines": [CLOSE / unit, (math.pi - CLOSE) / unit], "said": said}
