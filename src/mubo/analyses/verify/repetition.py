"""The check that a table is what its analysis gives: every column of it, row by row, against the same analysis again.

Other checks prove the motion and the forces by second formulations, on the columns from which they follow. A table that
was changed, or read from a file that was, may differ in any column: in a joint coordinate, a power, the time itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.analyses.inverse import inverse
from mubo.analyses.kinematics import kinematics
from mubo.analyses.simulate import simulate
from mubo.analyses.statics.statics import quasi_static
from mubo.analyses.verify.motions import first_line
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject, forward
from mubo.arrays import Array
from mubo.errors import MuboError
from mubo.results import Run
from mubo.studies.declare import no_progress

NAME, WHAT = "every column", "all columns of the table with the same analysis again"
SAME = 1e-8  # of the size of a column: the same computation leaves no difference


def repetition(subject: Subject) -> Iterator[Check]:
    """Every column of the table against the same analysis again."""
    try:
        again = forward(repeat_analysis(subject.run))
    except MuboError as reason:
        yield Check(NAME, WHAT, note=first_line(reason))
        return
    yield compare_columns(subject.run, again)


def compare_columns(run: Run, again: Run) -> Check:
    """The check of every column of a table against those of the same analysis, each relative to its own size."""
    if len(again) != len(run):
        return Check(NAME, WHAT, np.inf, SAME, f"the table has {len(run)} rows, the analysis {len(again)}")
    common = [name for name in run.columns if name in again.columns]
    differences = ((_difference(run.columns.raw(name), again.columns.raw(name)), name) for name in common)
    worst, column = max(differences, default=(0.0, ""))
    return Check(NAME, WHAT, worst, SAME, f"largest of {column}" if worst > 0 else f"{len(common)} columns")


def repeat_analysis(run: Run) -> Run:
    """The analysis of a run with its own settings, once more."""
    record = run.record
    settings = replace(record.settings, progress=no_progress)
    if record.study == "simulate":
        return simulate(run.model, record.times, settings)
    if record.study == "statics":
        scale = record.forces.length_scale if record.forces is not None else None
        return quasi_static(run.model, record.times, settings, scale)
    if record.forces is not None:
        return inverse(run.model, record.times, settings, record.forces.length_scale)
    return kinematics(run.model, record.times, settings)


def _difference(one: Array, two: Array) -> float:
    """The largest difference of two columns, relative to the largest number of the second; NaN equals NaN."""
    size = float(np.nanmax(np.abs(two), initial=0.0)) or 1.0
    away = np.where(np.isnan(one) & np.isnan(two), 0.0, np.abs(one - two))
    return float(np.max(np.where(np.isnan(away), np.inf, away), initial=0.0)) / size
