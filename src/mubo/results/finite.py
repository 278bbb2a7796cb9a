"""Check that the numbers of a result are finite: an overflow is an error, not a value."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Booleans
from mubo.errors import SimulationError
from mubo.results.columns import Column, Columns

_MOVING = ("time", "body", "point", "joint", "driver")  # other kinds may be infinite or undefined at some positions
_EXERTED = ("reaction", "contact", "shaking")
TOO_LARGE = "A length, a mass or a law of the model is too large to compute with: check its units."
_REPORTED_ELSEWHERE = ("transmission", *_EXERTED, "equilibrium")  # by events and pages of their own


def require_finite(columns: Columns) -> None:
    """Refuse a result with infinite or undefined numbers, naming the column, the time and the value.

    Rates of Euler angles are not defined (NaN) where the angles are singular, reactions where the mechanism is; the
    run reports that in a note.
    """
    for column in columns.schema:
        if column.kind not in (*_MOVING, *_EXERTED):
            continue
        values = columns.raw(column.name)
        may_be_undefined = column.kind in _EXERTED or (column.kind == "joint" and column.order > 0)
        bad = np.isinf(values) if may_be_undefined else ~np.isfinite(values)
        if bad.any():
            raise _not_finite(columns, column, int(np.argmax(bad)), TOO_LARGE)


def _not_finite(columns: Columns, column: Column, k: int, suggestion: str) -> SimulationError:
    return SimulationError(
        f"column {column.name} is not a finite number at t = {columns['t'][k]:g}: {columns.raw(column.name)[k]}",
        names=[column.owner],
        numbers={"t": float(columns["t"][k])},
        suggestion=suggestion,
    )


def undefined_notes(columns: Columns) -> Iterator[str]:
    """Notes on rates of angles, measures, loads, energies and cam angles that are not finite at some rows.

    A column, other than a rate, that is not finite at any of several rows is refused. The radius of curvature of a cam
    may be infinite, and its pressure angle undefined where other joints keep the contact closed.
    """
    yield from _singular_angles(columns)
    for column in columns.schema:
        if column.kind in (*_MOVING, *_REPORTED_ELSEWHERE):
            continue
        values = columns.raw(column.name)
        cam = column.kind == "cam"
        bad = np.isnan(values) if cam else ~np.isfinite(values)
        if not bad.any():
            continue
        k = int(np.argmax(bad))
        if bad.all() and len(values) > 1 and not cam and not column.name.startswith(f"{column.owner}.rate"):
            raise _not_finite(columns, column, k, "It has no value at any row: look at what it divides by.")
        value = "NaN" if np.isnan(values[k]) else "infinite"
        yield f"column {column.name} has no finite number {_where(columns, bad)}: {value}"


def _singular_angles(columns: Columns) -> Iterator[str]:
    """Notes on joints whose Euler angles are singular at some rows, where they have no rates."""
    lost: dict[str, Booleans] = {}
    for column in columns.schema:
        if column.kind == "joint" and column.order > 0 and (bad := np.isnan(columns.raw(column.name))).any():
            lost[column.owner] = lost.get(column.owner, False) | bad
    for joint, bad in lost.items():
        yield (
            f"the Euler angles of {joint} are at a singular position {_where(columns, bad)}: their rates are not "
            "defined there (NaN)"
        )


def _where(columns: Columns, bad: Booleans) -> str:
    rows = "all" if bad.all() else f"{int(bad.sum())} of"
    return f"at {rows} {len(bad)} rows, first at t = {columns['t'][int(np.argmax(bad))]:.9g}"
