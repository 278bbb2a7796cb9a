"""Rows of words and numbers as aligned lines."""

from __future__ import annotations

import math
from typing import Any


def _cells(row: list[Any]) -> list[str]:
    return [("-" if math.isnan(cell) else f"{cell:.4g}") if isinstance(cell, float) else str(cell) for cell in row]


def aligned(lines: list[list[Any]]) -> list[str]:
    """Lines with words flush left and numbers flush right."""
    rows = [_cells(line) for line in lines]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    numbers = [all(_numeric(row[k]) for row in rows[1:]) for k in range(len(widths))]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in rows
    ]


def _numeric(cell: str) -> bool:
    if cell == "-":
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True
