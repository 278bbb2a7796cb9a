"""Tables with a header (.csv, .tsv, .txt), separated by commas, semicolons or tabs.

A header cell may carry a unit: "x [mm]". A blank cell and the word NaN are missing samples. A marker RKNE has columns
RKNE.x, RKNE.y and RKNE.z, which may also be called RKNEx, RKNE_x, RKNE x, or with a capital X.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.data import MotionData, number, read_text, require_increasing

SEPARATORS = "\t;,"


def read_csv(path: Path, used: Sequence[str] | None = None, time_column: str | None = None) -> MotionData:
    """The columns `used` (all if None); the time is `time_column`, else the first column.

    Columns that are not used may hold anything.
    """
    rows = _rows(path)
    if not rows:
        raise ModelError(f"{path} is empty")
    header = _with_marker_names([cell.split("[")[0].strip() for cell in rows[0][1]], used)
    units = [cell.partition("[")[2].partition("]")[0].strip() for cell in rows[0][1]]
    time = time_column or header[0]
    names = [name for name in header if name != time] if used is None else list(used)
    place = {name: _place(path, header, name) for name in (time, *names)}
    table = {
        name: np.array([_cell(path, at, row, k, name, name != time) for at, row in rows[1:]])
        for name, k in place.items()
    }
    require_increasing(path, table[time], [f"row {at}" for at, _ in rows[1:]])
    stated = {name: units[k] for name, k in place.items() if units[k]}
    columns = {name: table[name] for name in names}
    return MotionData(path, table[time], columns, time_unit=stated.get(time, ""), column_units=stated)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its line."""
    lines = read_text(path).split("\n")
    head = next((line for line in lines if line.strip()), "")
    separator = max(SEPARATORS, key=head.count) if any(s in head for s in SEPARATORS) else ","
    reader = csv.reader(lines, delimiter=separator)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ModelError(f"{path}, row {reader.line_num}: {error}") from None


def _with_marker_names(header: list[str], used: Sequence[str] | None) -> list[str]:
    """The header with markers called RKNE.x, however the file calls them: those used, or all that have x, y and z."""
    parts = [(name[:-1].rstrip("._ "), name[-1:].lower()) for name in header]
    known = {(marker, axis) for marker, axis in parts if marker}
    whole = {marker for marker, _ in known if all((marker, axis) in known for axis in "xyz")}
    out = []
    for name, (marker, axis) in zip(header, parts, strict=True):
        called = f"{marker}.{axis}"
        fits = marker in whole and axis in "xyz" if used is None else called in used and name not in used
        out.append(called if fits and called not in header else name)
    return out


def _place(path: Path, header: list[str], name: str) -> int:
    if name not in header:
        raise ModelError(f'{path} has no column "{name}". {nearest(name, header)}')
    if header.count(name) > 1:
        raise ModelError(f'{path}, row 1: there are two columns "{name}"')
    return header.index(name)


def _cell(path: Path, at: int, row: list[str], k: int, name: str, may_be_missing: bool) -> float:
    problem = f"{path}, row {at}: expected numbers in the columns used"
    if k >= len(row):
        raise ModelError(f'{problem}; the row ends before "{name}"')
    try:
        value = number(row[k])
    except ValueError:
        raise ModelError(f'{problem}; found "{row[k].strip()}" in "{name}"') from None
    if math.isnan(value) and not may_be_missing:
        raise ModelError(f'{problem}; "{name}" is missing')
    return value
