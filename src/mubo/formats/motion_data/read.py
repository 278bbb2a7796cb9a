"""Which reader a motion file needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.c3d_file import read_c3d
from mubo.formats.motion_data.csv_file import read_csv
from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.storage_file import read_storage
from mubo.formats.motion_data.trc_file import read_trc

TABLES = (".csv", ".tsv", ".txt")
READERS = {".trc": read_trc, ".c3d": read_c3d, ".mot": read_storage, ".sto": read_storage}


def read_motion_data(path: Path, used: Sequence[str] | None = None, time_column: str | None = None) -> MotionData:
    """Reads a motion file of any kind; the ending decides.

    `used` names the columns that are needed; others of a table may hold words. `time_column` is for tables only:
    marker and storage files have a time column of their own.
    """
    ending = path.suffix.lower()
    if ending in TABLES:
        return read_csv(path, used, time_column)
    if ending not in READERS:
        raise ModelError(
            f'{path}: "{ending or path.name}" is not a kind of motion file. {nearest(ending, [*TABLES, *READERS])}'
        )
    if time_column is not None:
        raise ModelError(f"{path}: a {ending} file has its own time column; time_column is for .csv files")
    return READERS[ending](path)
