"""Velocities and accelerations of the table against differences of positions that are solved around its rows.

Central differences of eighth order (Fornberg 1988), Σ c_k (f(t + k h) − f(t − k h)) / h; those of fourth order from the
same positions say what they are worth. Only the positions enter: no equation of velocities does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.analyses.verify.max_difference import scales_of
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array
from mubo.geometry.rotation import conjugate, product
from mubo.results import Columns

EIGHTH = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
FOURTH = np.array([2 / 3, -1 / 12, 0.0, 0.0])
LOOKS, PART = 25, 64  # rows looked at; h is that part of a step
KINDS = ("body", "point", "driver", "vector")
RATES, WORTH = 1e-6, 1e-8  # of the largest: what may differ, and how sure the differences must be


def differences(subject: Subject) -> Iterator[Check]:
    """Differences of every column that has a derivative beside it, and of the rotations of bodies in space."""
    name = "differences"
    what = "velocities and accelerations with differences of positions solved around the rows"
    run = subject.run
    if run.record.between is None or len(subject.t) < 3:
        yield Check(name, what, note="there are too few rows")
        return
    h = float(subject.t[1] - subject.t[0]) / PART
    rows = [k for k in subject.looks(LOOKS + 2)[1:-1] if not np.any(np.abs(subject.corners - subject.t[k]) <= 5 * h)]
    found, column, judged = 0.0, "", 0
    size = subject.form.mechanism.size
    largest = scales_of(run.columns, [column for column in run.columns.schema if column.kind in KINDS], size)
    for row in rows:
        offsets = np.concatenate([-np.arange(4, 0, -1), np.arange(1, 5)]) * h
        around = run.record.between(subject.t[row] + offsets)
        if len(around["t"]) < len(offsets):
            continue
        here = [entry for entry in _entries(run.columns, around, row, h) if entry[2] <= WORTH * largest[entry[0]]]
        judged += bool(here)
        for key, away, _, label in here:
            if away / largest[key] > found:
                found, column = away / largest[key], f"{label} at t = {subject.t[row]:.6g}"
    if not judged:
        yield Check(name, what, note="no row is smooth enough around it")
        return
    note = f"at {judged} rows" + (f", largest of {column}" if column else "")
    yield Check(name, what, found, RATES, note)


Key = tuple[str, int]


def _entries(columns: Columns, around: Columns, row: int, h: float) -> Iterator[tuple[Key, float, float, str]]:
    """Kind, difference, how sure it is, and name of every derivative."""
    for column in columns.schema:
        name = columns.derivative(column.name)
        if name is None or column.kind not in KINDS:
            continue
        rate, sure = _slope(around.raw(column.name), h)
        told = columns.raw(name)[row]
        yield (column.holds, column.order + 1), abs(float(rate - told)), float(sure), name
    for body in {column.owner for column in columns.of_kind("body") if column.quantity == "qw"}:
        yield from _turning(columns, around, row, h, body)


def _turning(
    columns: Columns, around: Columns, row: int, h: float, body: str
) -> Iterator[tuple[Key, float, float, str]]:
    """ω = 2 ṗ p* of a body in space."""
    letters = [f"{body}.q{letter}" for letter in "wxyz"]
    here = np.array([columns.raw(name)[row] for name in letters])
    p = np.stack([around.raw(name) for name in letters], axis=1)
    p = p * np.where(p @ here < 0, -1.0, 1.0)[:, None]
    rate, sure = _slope(p, h)
    spin = 2 * product(rate[None], conjugate(here[None]))[0, 1:]
    told = np.array([columns.raw(f"{body}.w{letter}")[row] for letter in "xyz"])
    yield ("angle", 1), float(np.max(np.abs(spin - told))), float(2 * np.max(sure)), f"{body}.wx, wy, wz"


def _slope(values: Array, h: float) -> tuple[Array, Array]:
    """The derivative in the middle of eight values, and how far that of fourth order is from it."""
    pairs = values[4:] - values[:4][::-1]
    eighth, fourth = (np.tensordot(weights, pairs, axes=1) / h for weights in (EIGHTH, FOURTH))
    return np.asarray(eighth), np.abs(eighth - fourth)
