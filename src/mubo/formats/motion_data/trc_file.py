"""Marker files (.trc) of Motion Analysis and OpenSim.

    PathFileType  4  (X/Y/Z)  walk.trc
    DataRate  CameraRate  NumFrames  NumMarkers  Units  …
    100       100         80         2           mm     …
    Frame#    Time        HIP                KNEE
                          X1   Y1   Z1       X2   Y2   Z2

    1         0.000       …

Cells are separated by tabs; a blank cell, a marker missing at the end of a line and the word NaN are missing samples.
Lines without tabs are split at blanks and must be complete. Cortex counts recorded markers in NumMarkers and lists
virtual ones behind them: the names and columns count. A name that occurs again is numbered, V_R.TT_2. Times that are
rounded are those of DataRate. The format is described in the OpenSim documentation,
"Marker (.trc) Files".
"""

from __future__ import annotations

import re
from pathlib import Path

from mubo.errors import nearest
from mubo.formats.motion_data.data import MotionData, distinct
from mubo.formats.motion_data.lines import Lines, read_rows, require_rows, split, whole
from mubo.formats.motion_data.sampling import regular_times
from mubo.quantities.unit_algebra import FACTORS

AXES = ("x", "y", "z")
NEEDED = ("NumFrames", "NumMarkers", "Units")
_LABEL = re.compile(r"^([xyz])\d*$", re.IGNORECASE)


def read_trc(path: Path) -> MotionData:
    """The markers of a file, as columns MARKER.x, MARKER.y, MARKER.z."""
    lines = Lines(path)
    first = lines.take("PathFileType 4 (X/Y/Z)")
    if [word.upper() for word in first.split()[:3]] != ["PATHFILETYPE", "4", "(X/Y/Z)"]:
        raise lines.error(f'expected "PathFileType 4 (X/Y/Z)"; found "{" ".join(first.split()[:3])}"')
    header = _header(lines)
    unit = header["Units"].lower()
    if unit not in FACTORS["length"]:
        raise lines.error(f'Units "{header["Units"]}" is not a unit of length. {nearest(unit, FACTORS["length"])}')
    frames, count = (whole(lines, name, header[name]) for name in ("NumFrames", "NumMarkers"))
    markers = _markers(lines, count)
    names = [f"{marker}.{axis}" for marker in markers for axis in AXES]
    rows = read_rows(lines, ["Frame#", "Time", *names], time=1, group=3)
    require_rows(lines, "NumFrames", frames, len(rows))
    columns = {name: rows[:, k] for k, name in enumerate(names, 2)}
    time = regular_times(rows[:, 1], _rate(header), rows[:, 0])
    return MotionData(path, time, columns, length_unit=unit, time_unit="s", kind="markers")


def _header(lines: Lines) -> dict[str, str]:
    """The second line has the words, the third their values."""
    words = lines.take("the line DataRate CameraRate NumFrames NumMarkers Units").split()
    for name in NEEDED:
        if name not in words:
            raise lines.error(f'expected the line DataRate CameraRate NumFrames NumMarkers Units; "{name}" is missing')
    values = lines.take("the values of DataRate CameraRate NumFrames NumMarkers Units").split()
    if len(values) != len(words):
        raise lines.error(f"expected {len(words)} values, as many as there are words in line 2; found {len(values)}")
    return dict(zip(words, values, strict=True))


def _markers(lines: Lines, count: int) -> list[str]:
    """Names of the markers, and the check that each has its columns X, Y, Z."""
    cells = [cell for cell in split(lines.take("the line Frame# Time and the names of the markers")) if cell]
    if len(cells) < 2 or not cells[0].lower().startswith("frame") or not cells[1].lower().startswith("time"):
        raise lines.error(f'expected "Frame#", "Time" and the names of the markers; found "{" ".join(cells[:2])}"')
    markers = cells[2:]
    labels = [cell for cell in split(lines.take("the line X1 Y1 Z1 …")) if cell]
    letters = [match[1].lower() if (match := _LABEL.match(label)) else label for label in labels]
    if len(markers) < count or (len(markers) > count and len(letters) < 3 * count):
        raise lines.error(
            f"the header says NumMarkers = {count}; found {len(markers)} names: {', '.join(markers)}", line=lines.at - 1
        )
    if letters not in ([*AXES] * len(markers), [*AXES] * count):  # virtual markers may have no labels of their own
        shown = " ".join(labels[:6])
        raise lines.error(
            f'expected X1 Y1 Z1 …, three for each of {len(markers)} markers; found {len(labels)}: "{shown}"'
        )
    return distinct(markers)


def _rate(header: dict[str, str]) -> float | None:
    """The frames per second of the header; None where it has none."""
    try:
        rate = float(header.get("DataRate", ""))
    except ValueError:
        return None
    return rate if rate > 0 else None
