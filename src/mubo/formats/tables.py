"""Result tables: CSV, JSON, Parquet. Every number with all its digits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mubo.errors import ResultError
from mubo.formats.atomic import replacing, write_text
from mubo.motion.law import Array


def write_csv(path: Path, columns: Mapping[str, Array]) -> None:
    """A header line and one line per time; shortest digits that read back to the same number."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        for line in np.column_stack(list(columns.values())).tolist():
            file.write(",".join(map(repr, line)) + "\n")


def write_json(path: Path, columns: Mapping[str, Array], units: Mapping[str, str], summary: Any) -> None:
    """Summary, units and columns in one object."""
    data = {
        "summary": summary,
        "units": {name: unit for name, unit in units.items() if unit},
        "columns": {name: values.tolist() for name, values in columns.items()},
    }
    write_text(path, json.dumps(data, indent=1))


def write_parquet(path: Path, columns: Mapping[str, Array]) -> None:
    """Needs pyarrow, the extra "parquet"."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ResultError("Parquet needs pyarrow: pip install 'mubo[parquet]'") from None
    with replacing(path) as temporary:
        parquet.write_table(pyarrow.table({k: np.asarray(v) for k, v in columns.items()}), temporary)
