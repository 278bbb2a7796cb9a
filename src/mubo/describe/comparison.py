"""The comparison of two tables as text: the verdict, a line for each column and a line for each kind of column."""

from __future__ import annotations

import textwrap
from pathlib import Path

from mubo.applications.compare.comparison import ColumnDifference, Comparison, counted, some_of, with_unit
from mubo.describe.layout import NO_HEADER, Tables, align_columns, label_lines
from mubo.results.table import save_by_ending, write_entries
from mubo.results.table_files import LINES, write_lines


def describe_comparison(found: Comparison) -> str:
    """The verdict, what was compared and how, and the table of differences."""
    lines = [("verdict", _verdict(found))]
    lines += [("RESULT", f"{found.result}, {found.sizes[0]}"), ("REFERENCE", f"{found.reference}, {found.sizes[1]}")]
    lines.append(("compared", found.times))
    for which, names in (("RESULT", found.only_in_result), ("REFERENCE", found.only_in_reference)):
        if names:
            lines.append(("left out", f"{counted(len(names), 'column')} only in {which}: {some_of(names)}"))
    lines += [("note", note) for note in found.notes]
    if found.doubtful:
        lines.append(("note", f"{found.doubt}: {some_of(found.doubtful)}; give RESULT the times of REFERENCE"))
    return "\n".join([*label_lines(lines), "", *_table(found), *_point_lines(found)])


def _verdict(found: Comparison) -> str:
    """The largest difference of each kind of column, or that there is none."""
    if all(not row.maximum for row in found.rows):
        return f"no difference in {counted(len(found.rows), 'column')}"
    largest = [
        f"{kind} by {worst.maximum:.2e} ({worst.column})" if worst.maximum else f"{kind} not at all"
        for kind, (worst, _, _) in found.overall().items()
    ]
    return textwrap.fill(f"differ at most: {', '.join(largest)}", 64)


def comparison_cells(found: Comparison) -> Tables:
    """The verdict, and the table of differences."""
    return [[NO_HEADER, ("verdict", _verdict(found)), ("compared", found.times)], _cells(found)]


def _table(found: Comparison) -> list[str]:
    """The table of what differs; columns without any difference are counted."""
    columns, kinds = _column_cells(found), _kind_cells(found)
    differing: list[tuple[str, ...]] = [line for line, row in zip(columns, found.rows, strict=True) if row.maximum]
    same = len(columns) - len(differing)
    if differing and same:
        differing.append((f"{counted(same, 'other column')}", "", "", "", "no difference"))
    return align_columns([_head(found), *differing, *([("",) * 5] if differing else []), *kinds], "<>>><")


def _cells(found: Comparison) -> list[tuple[str, ...]]:
    return [_head(found), *_column_cells(found), ("",) * 5, *_kind_cells(found)]


def _head(found: Comparison) -> tuple[str, ...]:
    return "column", "max |difference|", with_unit(f"at {found.over}", found.time_unit), "std of difference", ""


def _column_cells(found: Comparison) -> list[tuple[str, ...]]:
    """A line for each column: its largest difference, where, the standard deviation, and what it is compared with."""
    against = ["" if row.reference_column == row.column else f"against {row.reference_column}" for row in found.rows]
    return [
        (with_unit(row.column, row.unit), *_numbers(row, row.std), other)
        for row, other in zip(found.rows, against, strict=True)
    ]


def _kind_cells(found: Comparison) -> list[tuple[str, ...]]:
    """A line for each kind of column."""
    cells: list[tuple[str, ...]] = []
    for kind, (a, b, n) in found.overall().items():
        where = f"largest in {a.column}" if a is b else f"largest in {a.column}, std in {b.column}"
        cells.append((f"{kind}, {counted(n, 'column')}", *_numbers(a, b.std), where if a.maximum else "no difference"))
    return cells


def _point_table(found: Comparison) -> tuple[list[str], list[list[str | float]]]:
    """Standard deviations: a line for each point or body, a column for x, y, their rates and so on."""
    by_point = found.deviations()
    words = list(by_point.get("Overall", ()))
    return words, [[name, *(deviations.get(word, "") for word in words)] for name, deviations in by_point.items()]


def _point_lines(found: Comparison) -> list[str]:
    words, lines = _point_table(found)
    whole = [line for line in lines if "" not in line]
    if len(lines) < 3 or len(whole) < len(lines) or len(words) < 2:  # the columns are listed already
        return []
    cells = [("std by point", *words)]
    cells += [tuple(x if isinstance(x, str) else f"{x:.4e}" for x in line) for line in lines]
    return ["", *align_columns(cells, "<" + ">" * len(words))]


def save_comparison(found: Comparison, path: str | Path) -> None:
    """Writes the standard deviations by point (.csv), everything (.json), or what is printed (.txt)."""

    def write_points(to: Path) -> None:
        words, lines = _point_table(found)
        write_lines(to, ["point", *(f"std_{word}" for word in words)], lines, "comparison")

    writers = {**dict.fromkeys(LINES, write_points), ".json": lambda to: write_entries(to, found.as_dict())}
    save_by_ending("Comparison", found, path, writers)


def _numbers(row: ColumnDifference, std: float) -> tuple[str, str, str]:
    return f"{row.maximum:.3e}", f"{row.t:.6g}" if row.maximum else "-", f"{std:.3e}"
