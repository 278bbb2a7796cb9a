"""Units in the headers of result tables: "A.vx [mm/s]" is a name and a unit, and units of one kind convert."""

from __future__ import annotations

import re

from mubo.quantities.unit_algebra import measure

_SQUARE = re.compile(r"^(.*\S)\s*\[([^\[\]]*)\]$")
_ROUND = re.compile(r"^(.*\S)\s*\(([^()]*)\)$")


def split_unit(cell: str) -> tuple[str, str]:
    """Name and unit of a header cell: "A.x [mm]", or "A.x (mm)" if mm is a unit; "q[3]" is a name."""
    cell = cell.strip()
    square, round_ = _SQUARE.match(cell), _ROUND.match(cell)
    if square and not square[2].strip().isdigit():
        return square[1], square[2].strip()
    if round_ and measure(round_[2]) is not None:
        return round_[1], round_[2].strip()
    return cell, ""


def conversion(unit: str, into: str) -> float | None:
    """Numbers in `unit` times this are in `into`; None if they do not convert."""
    if unit == into:
        return 1.0
    one, other = measure(unit), measure(into)
    if one is None or other is None or one[1] != other[1]:
        return None
    return one[0] / other[0]
