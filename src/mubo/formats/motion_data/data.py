"""What a motion file holds, whatever its kind."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.files import file_bytes
from mubo.lazy_dataclass import dataclass

MOST_NUMBERS = 10_000_000  # of a file of text


@dataclass(frozen=True, eq=False)
class MotionData:
    """Columns over time, in the file's own units; NaN where a sample is missing.

    A unit that the file does not state is an empty string. `kind` is "table" (.csv), "markers" (.trc, .c3d),
    "channels" (force plates and analog channels of .c3d) or "storage" (.mot, .sto).
    """

    path: Path
    time: Array
    columns: Mapping[str, Array]
    length_unit: str = ""
    angle_unit: str = ""
    time_unit: str = ""
    kind: str = "table"
    column_units: Mapping[str, str] = field(default_factory=dict)  # of single columns, from a header such as "x [mm]"
    events: tuple[tuple[str, str, float], ...] = ()  # side, label and time, as somebody marked them in the file

    def column(self, name: str) -> Array:
        """The samples of a column; a misspelt name is answered with the nearest right one."""
        if name in self.columns:
            return self.columns[name]
        if self.kind == "markers":
            markers = {column.rpartition(".")[0] for column in self.columns}
            marker = name.rpartition(".")[0] or name
            if marker not in markers:
                raise ModelError(f'{self.path} has no marker "{marker}". {nearest(marker, markers)}')
        raise ModelError(f'{self.path} has no column "{name}". {nearest(name, self.columns)}')

    def label(self, name: str) -> str:
        """A column as messages call it: marker KNEE.x, or column "knee_angle_r"."""
        return f"marker {name}" if self.kind == "markers" else f'column "{name}"'


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; line ends become "\\n"."""
    try:
        text = file_bytes(path).decode("utf-8-sig")
        _require_few(path, text)
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = bytes(error.object[: error.start]).count(b"\n") + 1
        raise ModelError(f"{path}, line {line}: expected text in UTF-8", suggestion="Save the file as UTF-8.") from None


def _require_few(path: Path, text: str) -> None:
    """Refuses more numbers than are read, before they are: each takes some 200 bytes while it is read."""
    count = sum(text.count(mark) for mark in "\n\t;,")
    if count > MOST_NUMBERS:
        raise ModelError(
            f"{path} has about {count / 1e6:.3g} million numbers; at most {MOST_NUMBERS / 1e6:g} million are read",
            suggestion="Keep the columns that are used, or fewer samples.",
        )


def number(cell: str) -> float:
    """The number in a cell, NaN for a blank cell or the word NaN; a ValueError for anything else."""
    value = float(cell) if cell.strip() else math.nan
    if math.isinf(value):
        raise ValueError(cell)
    return value


def distinct(labels: Sequence[str]) -> list[str]:
    """The labels, of which those that occur again are numbered: RKNE, RKNE_2, RKNE_3."""
    out: list[str] = []
    for label in labels:
        count = sum(1 for other in labels[: len(out)] if other == label) + 1
        out.append(label if count == 1 else f"{label}_{count}")
    return out


def require_increasing(path: Path, time: Array, places: Sequence[str]) -> None:
    """Refuses times that do not increase; `places` states the place of each sample in the file: "line 7"."""
    late = np.flatnonzero(np.diff(time) <= 0)
    if len(late):
        k = int(late[0])
        raise ModelError(f"{path}, {places[k + 1]}: times must increase; found {time[k + 1]:g} after {time[k]:g}")
