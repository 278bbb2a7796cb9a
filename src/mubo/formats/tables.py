"""Result tables: CSV, JSON, Parquet. Every number with all its digits."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.files import replacing, write_text

BLOCK = 2000  # rows


def write_csv(path: Path, columns: Mapping[str, Array]) -> None:
    """A header line and one line per time; shortest digits that read back to the same number."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        arrays = list(columns.values())
        for first in range(0, len(arrays[0]), BLOCK):  # in blocks: little memory, and Ctrl-C is heard
            for line in np.column_stack([values[first : first + BLOCK] for values in arrays]).tolist():
                file.write(",".join(map(repr, line)) + "\n")


def write_lines(path: Path, header: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """A small table of words and numbers as CSV; numbers with all their digits."""
    if path.suffix != ".csv":
        raise ResultError(f'cannot write "{path.name}": the ending must be .csv')
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(header)
        out.writerows([repr(x) if isinstance(x, float) else x for x in line] for line in lines)


def write_json(path: Path, columns: Mapping[str, Array], units: Mapping[str, str], summary: Any) -> None:
    """Summary, units and columns in one object."""
    data = {
        "summary": summary,
        "units": {name: unit for name, unit in units.items() if unit},
        "columns": {name: values.tolist() for name, values in columns.items()},
    }
    write_text(path, json.dumps(plain(data), indent=1, allow_nan=False))


def plain(value: Any) -> Any:
    """JSON has neither infinity nor NaN: they are written as text."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def write_parquet(path: Path, columns: Mapping[str, Array]) -> None:
    """Needs pyarrow, the extra "parquet"."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ResultError("Parquet needs pyarrow: pip install 'mubo[parquet]'") from None
    with replacing(path) as temporary:
        parquet.write_table(pyarrow.table({k: np.asarray(v) for k, v in columns.items()}), temporary)
