"""Every number of a result is a number: what overflowed on the way is an error, not a value."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.errors import SimulationError
from mubo.results.columns import Column, Columns

_MOVING = ("time", "body", "point", "joint", "driver")  # others are infinite or undefined by nature at some positions
_EXERTED = ("reaction", "contact", "shaking")
TOO_LARGE = "A length, a mass or a law of the model is too large to compute with: check its units."
_TOLD = ("transmission", *_EXERTED, "equilibrium")  # by events and pages of their own


def require_finite(columns: Columns) -> None:
    """Refuses a result with infinite or undefined numbers, and names the column, the time and the value.

    Rates of Euler angles are not defined (NaN) where the angles are singular, reactions where the mechanism is; the
    run has a note about that.
    """
    for column in columns.schema:
        if column.kind not in (*_MOVING, *_EXERTED):
            continue
        values = columns.solved(column.name)
        bad = np.isinf(values) if _may_be_undefined(column) else ~np.isfinite(values)
        if bad.any():
            raise _not_finite(columns, column, int(np.argmax(bad)), TOO_LARGE)


def _not_finite(columns: Columns, column: Column, k: int, suggestion: str) -> SimulationError:
    return SimulationError(
        f"column {column.name} is not a finite number at t = {columns['t'][k]:g}: {columns.solved(column.name)[k]}",
        names=[column.owner],
        numbers={"t": float(columns["t"][k])},
        suggestion=suggestion,
    )


def _may_be_undefined(column: Column) -> bool:
    return column.kind in _EXERTED or (column.kind == "joint" and column.order > 0)


def undefined_notes(columns: Columns) -> Iterator[str]:
    """Measures, loads, energies and angles of cams that are no numbers at some rows: which, how many, where first.

    One that is no number at any of several rows is refused, rates aside: it says nothing. Of cams a radius may be
    infinite, and the pressure angle undefined where other joints do not let the contact open.
    """
    for column in columns.schema:
        if column.kind in (*_MOVING, *_TOLD):
            continue
        values = columns.solved(column.name)
        cam = column.kind == "cam"
        bad = np.isnan(values) if cam else ~np.isfinite(values)
        if not bad.any():
            continue
        k, rows = int(np.argmax(bad)), len(values)
        if bad.all() and rows > 1 and not cam and not column.name.startswith(f"{column.owner}.rate"):
            raise _not_finite(columns, column, k, "It has no value at any row: look at what it divides by.")
        where = f"at {'all' if bad.all() else f'{int(bad.sum())} of'} {rows} rows, first at t = {columns['t'][k]:.9g}"
        yield f"column {column.name} has no finite number {where}: {_word(values[k])}"


def _word(value: float) -> str:
    return "NaN" if np.isnan(value) else "infinite"
