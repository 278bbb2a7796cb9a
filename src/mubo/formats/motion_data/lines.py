"""The lines of marker and storage files, and the block of numbers at their end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import number, read_text, require_increasing


class Lines:
    """Lines taken one after the other; `at` is the number of the last one taken."""

    def __init__(self, path: Path) -> None:
        self.path, self.at = path, 0
        text = read_text(path)
        if not text.strip():
            raise ModelError(f"{path} is empty")
        self.cut = not text.endswith("\n")  # the last line has no end
        self.lines = text.removesuffix("\n").split("\n")

    def error(self, text: str, suggestion: str = "", line: int = 0) -> ModelError:
        """A refusal that says the file and the line."""
        return ModelError(f"{self.path}, line {line or self.at}: {text}", suggestion=suggestion)

    def take(self, expected: str) -> str:
        """The next line, whatever it holds."""
        if self.at == len(self.lines):
            raise self.error(f"the file ends early; expected {expected}")
        self.at += 1
        return self.lines[self.at - 1]

    def rest(self) -> Iterator[str]:
        """The lines that follow, without blank ones."""
        while self.at < len(self.lines):
            line = self.take("")
            if line.strip():
                yield line


def split(line: str) -> list[str]:
    """Cells separated by tabs, or by blanks where the line has no tab."""
    return [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()


def whole(lines: Lines, name: str, text: str) -> int:
    """A count of the header, 1 or more."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value.is_integer() or value < 1:
        raise lines.error(f'{name} should be a whole number of 1 or more; found "{text}"')
    return int(value)


def read_rows(lines: Lines, names: Sequence[str], time: int, group: int = 0) -> Array:
    """The numbers below the header, one line per sample and one column per name; column `time` increases.

    Columns up to `time` must be there in every line. With a `group`, that many cells belong together, and groups
    missing at the end of a line with tabs are missing samples.
    """
    rows, places = [], []
    for line in lines.rest():
        cells = split(line)
        while len(cells) > len(names) and not cells[-1]:
            cells.pop()
        if group and "\t" in line:
            cells = _whole_groups(lines, cells, len(names), time + 1, group)
        if len(cells) != len(names):
            raise lines.error(f"expected {len(names)} cells, {names[0]} to {names[-1]}; found {len(cells)}")
        rows.append(_numbers(lines, names, cells, time))
        places.append(f"line {lines.at}")
    if not rows:
        raise lines.error("the file ends early; expected lines of numbers")
    table = np.array(rows)
    require_increasing(lines.path, table[:, time], places)
    return table


def _whole_groups(lines: Lines, cells: list[str], wanted: int, first: int, group: int) -> list[str]:
    """The cells of a line, with blank ones for the groups that are missing at its end."""
    if len(cells) >= wanted:
        return cells
    last = lines.cut and lines.at == len(lines.lines)
    while len(cells) > first and not cells[-1]:
        cells.pop()
    if last or (len(cells) - first) % group:
        raise lines.error(f"the {'file' if last else 'line'} ends early: expected {wanted} cells; found {len(cells)}")
    return cells + [""] * (wanted - len(cells))


def require_rows(lines: Lines, name: str, stated: int, count: int) -> None:
    """Refuses a number of rows other than the header states."""
    if count < stated:
        raise lines.error(f"the file ends early: the header says {name} = {stated}; found {count} rows")
    if count > stated:
        more = count - stated
        raise lines.error(f"{more} row{'s' * (more > 1)} too many: the header says {name} = {stated}; found {count}")


def _numbers(lines: Lines, names: Sequence[str], cells: list[str], time: int) -> list[float]:
    """The numbers of a line, NaN for blank cells after the time."""
    try:
        values = [float(cell or "nan") for cell in cells]  # number(), without a call for each of many cells
    except ValueError:
        values = [math.inf]
    if any(map(math.isinf, values)) or any(map(math.isnan, values[: time + 1])):
        for k, (name, cell) in enumerate(zip(names, cells, strict=True)):
            _require_number(lines, name, cell, may_be_missing=k > time)
    return values


def _require_number(lines: Lines, name: str, cell: str, may_be_missing: bool) -> None:
    try:
        value = number(cell)
    except ValueError:
        raise lines.error(f'{name} should be a number; found "{cell}"') from None
    if math.isnan(value) and not may_be_missing:
        raise lines.error(f"{name} is missing; expected a number")
