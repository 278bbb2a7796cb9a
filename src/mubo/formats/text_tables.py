"""Tables of numbers as programs export them: titles, a header line, then lines of numbers.

The cells are separated by tabs, semicolons, commas or blanks, whichever makes numbers of the first numeric line. The
header is the last line with words before it; a line of units may stand between the two. Names may be in quotes.
"""

from __future__ import annotations

import csv
import re
from array import array

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.quantities.unit_algebra import measure

SEPARATORS = ("\t", ";", ",", " ")
TIME_NAMES = ("t", "time")
_NUMBER = re.compile(r"[-+]?(\d+[.,]?\d*|[.,]\d+)([ed][-+]?\d+)?|[-+]?(nan|inf|infinity)", re.IGNORECASE)
_NAME = re.compile(r'"[^"]*"|\S+(?: \[[^\]]*\])?')
_COMMENT = re.compile(r"^\s*[#%!]+\s*")
_Lines = list[tuple[int, str]]


@dataclass(frozen=True)
class TextTable:
    """Header cells, numbers by row and column, and what the reader had to decide."""

    header: list[str]
    values: Array
    notes: list[str]


def read_text_table(text: str, file: str) -> TextTable:
    """The one table in a text; `file` is its name for messages."""
    lines = [(k, line) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ResultError(f"{file} is empty")
    if lines[0][1].startswith("TIME ="):
        raise ResultError(
            f"{file} is the classic listing: blocks with three decimals, not a table",
            suggestion="Write the run as .csv, .json or .parquet instead.",
        )
    start, separator = _first_numbers(lines, file)
    header, notes = _header(lines[:start], lines[start], separator, file)
    values, more = _numbers(lines[start:], separator, header, file)
    kept = [k for k, name in enumerate(header) if name or not np.all(np.isnan(values[:, k]))]
    return TextTable([header[k] or f"column {k + 1}" for k in kept], values[:, kept], [*notes, *more])


def _first_numbers(lines: _Lines, file: str) -> tuple[int, str]:
    """The first line with two numbers or more and nothing else, and what separates them."""
    for k, (_, line) in enumerate(lines):
        for separator in SEPARATORS:
            cells = [cell for cell in _split(line, separator, file) if cell]
            if len(cells) > 1 and all(_NUMBER.fullmatch(cell) for cell in cells):
                return k, separator
    raise ResultError(
        f"{file} has no line of numbers",
        suggestion="A table has a header line, then a time and at least one more number in every line.",
    )


def _split(line: str, separator: str, file: str) -> list[str]:
    if separator == " ":
        return line.replace('"', " ").split()
    if '"' not in line:
        return [cell.strip() for cell in line.split(separator)]
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    except csv.Error as error:
        raise ResultError(f"{file}: a line cannot be split into cells: {error}") from None
    return [cell.strip() for cell in cells]


def _header(above: _Lines, first: tuple[int, str], separator: str, file: str) -> tuple[list[str], list[str]]:
    """Names of the columns, with units from a line below them if there is one, and notes."""
    cells = _split(first[1], separator, file)
    widths = (len(cells),) if cells[-1] else (len(cells), len(cells) - 1)  # lines may end with a separator
    worded = [(k, _COMMENT.sub("", line)) for k, line in above if re.search(r"[^\W_]", line)]
    if not worded:
        raise ResultError(
            f"{file}, line {first[0]}: there is no header line above the numbers",
            suggestion="Add a line with the names of the columns, such as t,A.x,A.y.",
        )
    (last, line), header = worded[-1], _names(worded[-1][1], separator, widths, file)
    if header is None:
        raise ResultError(
            f"{file}, line {last}: as the last line before the numbers it should name their {len(cells)} columns; "
            f'found "{_short(line)}"',
            suggestion="Give every column one name, in quotes if it has blanks, separated as the numbers are.",
        )
    before = _names(worded[-2][1], separator, (len(header),), file) if len(worded) > 1 else None
    if before is None:
        return header, []
    if _are_units(header):
        joined = [
            f"{name} [{unit.strip('[]() ')}]" if unit else name for name, unit in zip(before, header, strict=True)
        ]
        return joined, [f"{file}: the header is line {worded[-2][0]}, line {last} has its units"]
    return header, [f"{file}: lines {worded[-2][0]} and {last} could both be the header; line {last} is taken"]


def _names(line: str, separator: str, widths: tuple[int, ...], file: str) -> list[str] | None:
    """The cells of a header line, if it can be split into as many as there are columns."""
    if separator == " ":
        splits = [_NAME.findall(line), line.strip("\t").split("\t"), re.split(r"\s{2,}", line.strip())]
    else:
        splits = [_split(line, separator, file)]
    for cells in splits:
        cells = [cell.strip("\"' ") for cell in cells]
        filled = cells[: max((k for k, cell in enumerate(cells, 1) if cell), default=0)]
        for names in (cells, filled):
            if len(names) in widths:
                return names
    return None


def _are_units(cells: list[str]) -> bool:
    given = [cell.strip("[]() ") for cell in cells if cell]
    return cells[0].lower() not in TIME_NAMES and bool(given) and all(measure(cell) is not None for cell in given)


def _numbers(lines: _Lines, separator: str, header: list[str], file: str) -> tuple[Array, list[str]]:
    """The rows; an empty cell is not a number."""
    numbers, commas, width = array("d"), False, len(header)  # of long tables lists would take four times as much
    for number, line in lines:
        cells = _split(line, separator, file)
        if len(cells) < width or any(cells[width:]):
            raise ResultError(
                f"{file}, line {number}: expected {width} numbers as in the header; "
                f'found {len(cells)}: "{_short(line)}"',
                suggestion="A table has one block of lines of the same length; an export cut short must be made again.",
            )
        try:
            numbers.extend([float(cell) if cell else np.nan for cell in cells[:width]])
        except ValueError:
            pairs = zip(header, cells, strict=False)
            numbers.extend([_number(cell, f'{file}, line {number}, column "{name}"') for name, cell in pairs])
            commas = commas or any("," in cell for cell in cells)
    rows = np.array(numbers).reshape(-1, width)
    if not commas:
        return rows, []
    for number, line in lines:
        if "." in line:
            raise ResultError(
                f"{file}, line {number}: it has decimal points, other lines have decimal commas",
                suggestion="Write the file with one of them and without separators of thousands.",
            )
    return rows, [f"{file}: commas are read as decimal points"]


def _number(cell: str, where: str) -> float:
    """A number with FORTRAN's exponent (1D-3) or a decimal comma."""
    if not cell:
        return float("nan")
    if not _NUMBER.fullmatch(cell):
        raise ResultError(f'{where}: expected a number; found "{_short(cell)}"')
    return float(cell.lower().replace("d", "e").replace(",", "."))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."
