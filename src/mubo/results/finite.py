"""Every number of a result is a number: what overflowed on the way is an error, not a value."""

from __future__ import annotations

import numpy as np

from mubo.errors import SimulationError
from mubo.results.columns import Column, Columns

_MOVING = ("time", "body", "point", "joint", "driver")  # others are infinite or undefined by nature at some positions


def require_finite(columns: Columns) -> None:
    """Refuses a result with infinite or undefined numbers, and names the column, the time and the value.

    Rates of Euler angles are not defined (NaN) where the angles are singular; the run has a note about that.
    """
    for column in columns.schema:
        if column.kind not in _MOVING:
            continue
        values = columns.solved(column.name)
        bad = np.isinf(values) if _may_be_undefined(column) else ~np.isfinite(values)
        if bad.any():
            k = int(np.argmax(bad))
            raise SimulationError(
                f"column {column.name} is not a finite number at t = {columns['t'][k]:g}: {values[k]}",
                names=[column.owner],
                numbers={"t": float(columns["t"][k])},
                suggestion="A length, a mass or a law of the model is too large to compute with: check its units.",
            )


def _may_be_undefined(column: Column) -> bool:
    return column.kind == "joint" and column.order > 0
