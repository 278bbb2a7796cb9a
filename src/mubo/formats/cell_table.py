"""Tables of cells with a header line, as a spreadsheet keeps them: text, .csv with commas or semicolons, or the first
sheet of a workbook, .xlsx."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.files import file_bytes, neighbours

WORKBOOK = ".xlsx"
ENDINGS = (".csv", WORKBOOK)
Lines = list[tuple[int, list[str]]]


def read_cells(path: Path, what: str) -> Lines:
    """The lines that are not empty, each with its number, and its cells as text; `what` is the word for them in
    messages."""
    try:
        data = file_bytes(path, ModelError)
        lines = _sheet(path) if path.suffix.lower() == WORKBOOK else _text(data.decode("utf-8-sig"))
    except FileNotFoundError:
        near = neighbours(path, ENDINGS, "tables")
        raise ModelError(f"there is no table of {what} {path}", suggestion=near) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read {path} as a table of {what}: {error}") from None
    return [(number, cells) for number, cells in lines if any(cells)]


def _text(text: str) -> Lines:
    separator = ";" if ";" in text.partition("\n")[0] else ","
    rows = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
    return [(rows.line_num, [cell.strip() for cell in row]) for row in rows]


def _sheet(path: Path) -> Lines:
    """The cells of the first sheet, formulas as the values that were stored with them; needs openpyxl."""
    try:
        import openpyxl
    except ImportError:
        raise ModelError("workbooks are read by openpyxl: pip install 'mubo[tables]'") from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        rows = list(book.worksheets[0].iter_rows(values_only=True))
        book.close()
    except Exception as error:  # whatever a file that is no workbook makes of its reader
        raise ModelError(f"{path} is not a workbook of Excel: {error}") from None
    lines = [[_cell(value) for value in row] for row in rows]
    width = max((k for row in lines for k, cell in enumerate(row, 1) if cell), default=0)
    return [(number, (row + [""] * width)[:width]) for number, row in enumerate(lines, 1)]


def _cell(value: Any) -> str:
    return "" if value is None else str(value).strip()
