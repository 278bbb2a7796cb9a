"""Files that hold a table: the ending selects the writer. Numbers have all their digits; Excel
keeps sixteen, and LaTeX, which people read, four.

A header cell is a name with its unit in brackets, `P.x [m]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.errors import ResultError
from mubo.formats import save
from mubo.formats.files import filling, replacing, write_text
from mubo.laws.number_text import number, unit_text
from mubo.model import ModelDefinition

COLUMNS = (".csv", ".parquet", ".xlsx", ".mat")  # endings of tables of columns
LINES = (".csv", ".parquet", ".xlsx", ".tex")  # endings of small tables of words and numbers
BLOCK = 2000  # rows
SHEET = (1_048_576, 16_384)  # rows and columns of a sheet, by Microsoft's specification of Excel
AUTHOR = "mubo"  # of workbooks to which it adds sheets
ERRORS: dict[Any, Any] = {"#NUM!": np.nan, "#DIV/0!": np.inf}  # what XlsxWriter makes of numbers that are none
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
LONGEST = 63  # letters of a name in MATLAB
RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
LATEX = {"\\": r"\textbackslash{}", "−": "$-$", "·": r"$\cdot$", "×": r"$\times$", "µ": r"$\mu$", "°": r"$^\circ$"}
LATEX |= {"π": r"$\pi$", "√": r"$\surd$"}
LATEX |= {letter: f"\\{letter}" for letter in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def write_columns(path: Path, columns: Mapping[str, Any], sheet: str = "table") -> None:
    """Write columns of one length, of numbers or words, by their header cells; `sheet` is the name of the table."""
    _writer(path, COLUMNS)(path, columns, sheet)


def write_lines(path: Path, header: Sequence[str], lines: Iterable[Sequence[Any]], sheet: str = "table") -> None:
    """Write a small table of words and numbers."""
    if path.suffix == ".csv":
        _write_csv_lines(path, header, lines)
        return
    cells = [[None if x == "" else x for x in line] for line in lines]
    _writer(path, LINES)(path, {name: [line[k] for line in cells] for k, name in enumerate(header)}, sheet)


def write_designs(
    path: Path, models: Mapping[str, ModelDefinition], header: Sequence[str], lines: Iterable[Sequence[Any]], name: str
) -> list[str]:
    """Write a folder of models with their table NAME.csv, or the table alone; gives the files that were written."""
    if path.suffix in LINES:
        write_lines(path, header, lines, name)
        return [str(path)]
    if path.suffix:
        raise ResultError(
            f'cannot write "{path.name}": give a folder for the model files, or a table: {", ".join(LINES)}'
        )
    with filling(path) as folder:
        for one, model in models.items():
            save(model, folder / f"{one}.toml")
        write_lines(folder / f"{name}.csv", header, lines)
    return [*(str(path / f"{one}.toml") for one in models), str(path / f"{name}.csv")]


def _writer(path: Path, endings: Sequence[str]) -> Callable[[Path, Mapping[str, Any], str], None]:
    if path.suffix not in endings:
        raise ResultError(f'cannot write "{path.name}": the ending must be {", ".join(endings)}')
    return WRITERS[path.suffix]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _one_type(values: Any) -> Any:
    """Values of one type: numbers, where empty cells are not a number, or words where any cell is one."""
    if isinstance(values, np.ndarray):
        return values
    if all(x is None or _is_number(x) for x in values):
        return np.array([np.nan if x is None else x for x in values], float)
    return ["" if x is None else str(x) for x in values]


def _write_csv(path: Path, columns: Mapping[str, Any], sheet: str) -> None:
    """A header line and one line per time; shortest digits that read back to the same number."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        arrays = list(columns.values())
        for first in range(0, len(arrays[0]), BLOCK):  # in blocks: little memory, and Ctrl-C is heard
            for line in np.column_stack([values[first : first + BLOCK] for values in arrays]).tolist():
                file.write(",".join(map(repr, line)) + "\n")


def _write_csv_lines(path: Path, header: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    import csv

    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows([repr(x) if isinstance(x, float) else x for x in line] for line in lines)


def _write_parquet(path: Path, columns: Mapping[str, Any], sheet: str) -> None:
    """Needs pyarrow, the extra "parquet"."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ResultError("Parquet needs pyarrow: pip install 'mubo[parquet]'") from None
    with replacing(path) as temporary:
        parquet.write_table(pyarrow.table({k: np.asarray(_one_type(v)) for k, v in columns.items()}), temporary)


def _write_xlsx(path: Path, columns: Mapping[str, Any], sheet: str) -> None:
    """A sheet with a header that stays in sight; needs XlsxWriter, the extra "tables"."""
    try:
        import xlsxwriter
    except ImportError:
        raise ResultError("Excel needs XlsxWriter: pip install 'mubo[tables]'") from None
    arrays = [values.tolist() if isinstance(values, np.ndarray) else values for values in columns.values()]
    if len(arrays[0]) >= SHEET[0] or len(arrays) > SHEET[1]:
        raise ResultError(
            f"{path.name}: a sheet has at most {SHEET[0] - 1:,} rows and {SHEET[1]:,} columns; found "
            f"{len(arrays[0]):,} and {len(arrays):,}",
            suggestion="Take a longer step, or write .csv or .parquet.",
        )
    name = re.sub(r"[\[\]:*?/\\']", " ", sheet)[:31]
    sheets = {**other_sheets(path), name: dict(zip(columns, arrays, strict=True))}
    with replacing(path) as temporary, xlsxwriter.Workbook(temporary, {"nan_inf_to_errors": True}) as book:
        book.set_properties({"author": AUTHOR})
        bold = book.add_format({"bold": True})
        for title, table in sheets.items():
            page = book.add_worksheet(title)
            page.freeze_panes(1, 1)
            page.write_row(0, 0, list(table), bold)
            for k, values in enumerate(table.values()):
                page.write_column(1, k, values)
            page.autofit()
        book.worksheets()[list(sheets).index(name)].activate()


def other_sheets(path: Path) -> dict[str, dict[str, list[Any]]]:
    """The tables of a workbook that is there already, which keep their places; only mubo's own are read.

    What else a workbook may hold (charts, colours, macros) would be lost, so that others are refused."""
    if not path.is_file():
        return {}
    try:
        import openpyxl
    except ImportError:
        raise ResultError(
            f"{path.name} is there, and sheets are added by openpyxl: pip install 'mubo[tables]'"
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True)
        people = {book.properties.creator, book.properties.lastModifiedBy or AUTHOR}
        pages = {page.title: list(page.iter_rows(values_only=True)) for page in book.worksheets if people == {AUTHOR}}
        book.close()
    except Exception:  # whatever a file that is no workbook makes of its reader
        people, pages = set(), {}
    if people != {AUTHOR}:
        raise ResultError(
            f"{path.name} is there, and not as mubo wrote it: adding a sheet would lose what else it holds",
            suggestion="Name another file, or remove this one.",
        )
    return {title: _columns_of(rows) for title, rows in pages.items() if rows}


def _columns_of(rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {str(head): [ERRORS.get(row[k], row[k]) for row in rows[1:]] for k, head in enumerate(rows[0])}


def _write_mat(path: Path, columns: Mapping[str, Any], sheet: str) -> None:
    """A variable of MATLAB for every column, `P_x` for `P.x`; `names` and `units` are those of the variables."""
    from scipy.io import savemat

    from mubo.formats.column_units import split_unit

    split = [split_unit(label) for label in columns]
    variables: dict[str, Any] = {}
    for (name, _), values in zip(split, columns.values(), strict=True):
        variable = re.sub(r"\W", "_", name)
        variable = variable if variable[:1].isalpha() else f"x{variable}"
        if variable in variables or len(variable) > LONGEST:
            why = "two columns have it" if variable in variables else f"MATLAB takes {LONGEST} letters at most"
            raise ResultError(f'{path.name}: "{variable}" cannot be a variable: {why}', suggestion="Write .csv.")
        variables[variable] = np.asarray(values)
    cells = {"names": [name for name, _ in split], "units": [unit for _, unit in split]}
    for key, words in cells.items():
        variables[key] = np.array(words, dtype=object)
    with replacing(path) as temporary, temporary.open("wb") as file:
        savemat(file, variables, oned_as="column", long_field_names=True)


def _write_latex(path: Path, columns: Mapping[str, Any], sheet: str) -> None:
    r"""A tabular for a paper, with the rules of the package booktabs; numbers have four digits."""
    aligned = "".join("r" if any(map(_is_number, values)) else "l" for values in columns.values())
    rows = [" & ".join(map(_latex, line)) for line in zip(*columns.values(), strict=True)]
    head = " & ".join(_latex(name) for name in columns)
    body = [
        f"% {sheet}; needs \\usepackage{{booktabs}}",
        f"\\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        head + r" \\",
    ]
    body += [r"\midrule", *(row + r" \\" for row in rows), r"\bottomrule", r"\end{tabular}"]
    write_text(path, "\n".join(body) + "\n")


def _latex(cell: Any) -> str:
    """A cell with the letters that LaTeX reads as commands replaced, and with exponents raised."""
    text = "" if cell is None else number(float(cell), 4) if _is_number(cell) else str(cell)
    plain = "".join(LATEX.get(letter, letter) for letter in unit_text(text))
    return RAISED.sub(lambda found: f"$^{{{found[0].translate(LOWERED)}}}$", plain)


WRITERS = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".xlsx": _write_xlsx,
    ".mat": _write_mat,
    ".tex": _write_latex,
}
