"""Curves beside those of a run: measured samples of guided columns, and columns of a reference table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.formats.column_units import conversion
from mubo.formats.result_tables import ImportedTable, read_result
from mubo.results import Run

Curve = tuple[Array, Array]  # times and values


def measured_samples(run: Run, name: str) -> Curve | None:
    """The samples that a guided column was smoothed from, within the time of the run; None for other columns."""
    for driver in run.model.drivers.values():
        samples = driver.motion.samples
        if samples and not driver.start and name in (driver.of, f"{driver.name}.value"):
            t, value = np.array(samples.time), np.array(samples.value)
            inside = (t >= run["t"][0]) & (t <= run["t"][-1])
            return t[inside], value[inside]
    return None


def reference_curves(run: Run, columns: Sequence[str], path: str | Path) -> Mapping[str, Curve]:
    """The columns of a reference table, such as measured or published results, that are among those of a run.

    They are found by their names and converted to the units of the run; a table without any of them is refused.
    """
    return _matching(run, columns, path, read_result(path))


def run_curves(run: Run, columns: Sequence[str], other: Run) -> Mapping[str, Curve]:
    """The columns of another run that are among those of a run, in its units; none in common are refused."""
    values = {name: other[name] for name in other.columns}
    table = ImportedTable(other.model.name, values, {name: other.unit(name) for name in values}, "t")
    return _matching(run, columns, other.model.name, table)


def _matching(run: Run, columns: Sequence[str], path: str | Path, table: ImportedTable) -> Mapping[str, Curve]:
    found: dict[str, Curve] = {}
    for name in (name for name in columns if name in table.columns and name != table.time):
        factors = []
        for one, own in ((table.time, "t"), (name, name)):
            unit = table.units.get(one, "")
            factor = conversion(unit, run.unit(own)) if unit and run.unit(own) else 1.0
            factors += [] if factor is None else [factor]
        if len(factors) < 2:
            raise ResultError(f'{path}: the unit of "{name}" or of its time does not convert to that of the result')
        found[name] = factors[0] * table.columns[table.time], factors[1] * table.columns[name]
    if not found:
        asked = ", ".join(columns[:6]) + (" …" if len(columns) > 6 else "")
        raise ResultError(f"{path} has none of the columns {asked}. {nearest(columns[0], table.columns)}")
    return found
