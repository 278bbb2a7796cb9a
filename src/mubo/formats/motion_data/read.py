"""Which reader a motion file needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.c3d_file import read_c3d
from mubo.formats.motion_data.csv_file import read_csv
from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.sampling import regular_times
from mubo.formats.motion_data.storage_file import read_storage
from mubo.formats.motion_data.trc_file import read_trc

TABLES = (".csv", ".tsv", ".txt")
CHANNELS = ".c3d"  # markers, and force plates over times of their own
READERS = {".trc": read_trc, ".mot": read_storage, ".sto": read_storage}


def read_motion_data(path: Path, used: Sequence[str] | None = None, time_column: str | None = None) -> MotionData:
    """Reads a motion file of any kind; the ending decides.

    `used` names the columns that are needed; others of a table may hold words. `time_column` is for tables only:
    marker and storage files have a time column of their own.
    """
    ending = path.suffix.lower()
    if ending in TABLES:
        return _at_regular_times(read_csv(path, used, time_column))
    if ending not in READERS and ending != CHANNELS:
        known = [*TABLES, *READERS, CHANNELS]
        raise ModelError(f'{path}: "{ending or path.name}" is not a kind of motion file. {nearest(ending, known)}')
    if time_column is not None:
        raise ModelError(f"{path}: a {ending} file has its own time column; time_column is for .csv files")
    return read_c3d(path, used) if ending == CHANNELS else _at_regular_times(READERS[ending](path))


def _at_regular_times(data: MotionData) -> MotionData:
    """The data at equal intervals where the times of the file are those rounded."""
    return replace(data, time=regular_times(data.time))
