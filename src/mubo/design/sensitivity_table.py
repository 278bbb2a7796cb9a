"""The table of a sensitivity: one line for each slope, and how people read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROUNDING = 1e-13  # of a measure: a slope that is less per percent is none
HEADER = ("measure", "parameter", "value", "unit", "slope", "unit of slope", "per percent")


@dataclass(frozen=True)
class SensitivityRow:
    """One slope: of a measure by a parameter, with what it is worth per percent of the parameter."""

    measure: str
    parameter: str
    value: float
    unit: str
    slope: float
    unit_of_slope: str
    per_percent: float


def text_lines(lines: Sequence[SensitivityRow]) -> list[str]:
    """The table in text: of each measure the greatest effect first; what is rounding beside it is nothing."""
    out: list[str] = []
    wide = max(len(line.parameter) for line in lines) if lines else 0
    for measure in dict.fromkeys(line.measure for line in lines):
        own = [line for line in lines if line.measure == measure]
        out.append(f"{measure} = {own[0].value:.6g} {own[0].unit}".rstrip())
        floor = ROUNDING * max(abs(own[0].value), abs(own[0].per_percent))
        for line in own:
            if abs(line.per_percent) <= floor:
                out.append(f"  {line.parameter:<{wide}}  nothing")
                continue
            slope = f"{line.slope:+.6g} {line.unit_of_slope}".rstrip()
            change = f"{line.per_percent:+.3g} {line.unit}".rstrip()
            out.append(f"  {line.parameter:<{wide}}  {slope:<26} {change} per 1 %")
    return out


def unit_of_ratio(unit: str, by: str) -> str:
    """The unit of a slope: "" where that of the parameter is not known, unless it has none at all."""
    if not by:
        return f"{unit} per unit" if unit else ""
    return "" if unit == by else f"{unit or '1'}/{f'({by})' if any(c in by for c in ' /') else by}"
