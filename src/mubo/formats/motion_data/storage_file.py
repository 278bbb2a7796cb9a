"""Storage files (.mot, .sto) of OpenSim.

    Coordinates
    version=1
    nRows=80
    nColumns=3
    inDegrees=yes
    endheader
    time  knee_angle_r  pelvis_tx
    0.00  …

The header ends at "endheader"; lines of it without "=" are comments. Times are seconds and lengths metres, angles are
as `inDegrees` says. Files of version 3 may leave out nRows and nColumns. Source: OpenSim documentation, "Motion (.mot)
Files" and "Storage (.sto) Files".
"""

from __future__ import annotations

from pathlib import Path

from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.lines import Lines, read_rows, require_rows, split, whole

ANGLES = {"yes": "deg", "no": "rad", "": ""}


def read_storage(path: Path) -> MotionData:
    """All columns of a file."""
    lines = Lines(path)
    counts, angle_unit = _header(lines)
    names = split(lines.take("the line of column names").rstrip()) or [""]
    if names[0].lower() != "time":
        raise lines.error(f'the first column should be "time"; found "{names[0]}"')
    for name in names:
        if not name or names.count(name) > 1:
            raise lines.error(f'there are two columns "{name}"' if name else "a column has no name")
    if counts.get("nColumns", len(names)) != len(names):
        raise lines.error(f"the header says nColumns = {counts['nColumns']}; found {len(names)} names")
    rows = read_rows(lines, names, time=0)
    require_rows(lines, "nRows", counts.get("nRows", len(rows)), len(rows))
    columns = {name: rows[:, k] for k, name in enumerate(names) if k}
    return MotionData(path, rows[:, 0], columns, "m", angle_unit, "s", "storage")


def _header(lines: Lines) -> tuple[dict[str, int], str]:
    """The counts stated, and the unit of angles ("" if the header does not say)."""
    counts: dict[str, int] = {}
    stated = {"inDegrees": "", "DataType": "double", "version": ""}
    simm = False
    while (line := lines.take('the line "endheader"').strip()).lower() != "endheader":
        word, equals, value = (part.strip() for part in line.partition("="))
        simm = simm or word.split()[:1] in (["datarows"], ["datacolumns"])
        if equals and word in ("nRows", "nColumns"):
            counts[word] = whole(lines, word, value)
        elif equals and word in stated:
            stated[word] = value
            if word == "inDegrees" and value.lower() not in ("yes", "no"):
                raise lines.error(f'inDegrees should be yes or no; found "{value}"')
            if word == "DataType" and value != "double":
                raise lines.error(f'DataType should be double, one number to a cell; found "{value}"')
    missing = [name for name in ("nRows", "nColumns") if name not in counts]
    if missing and stated["version"] != "3":
        why = "; datarows and datacolumns are words of SIMM" if simm else ""
        raise lines.error(
            f'the header has no "{missing[0]}="{why}', suggestion="Add nRows=… and nColumns=… to the header."
        )
    return counts, ANGLES[stated["inDegrees"].lower()]
