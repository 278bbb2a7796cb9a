"""The result of comparing two tables: rows of numbers, the differences over time, and both in words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mubo.arrays import Array

KINDS = {
    "positions": ("x", "y", "z", "phi", "q"),
    "velocities": ("vx", "vy", "vz", "omega", "v"),
    "accelerations": ("ax", "ay", "az", "alpha", "a"),
    "others": (),
}
SHOWN = 6  # names in a shortened list


@dataclass(frozen=True)
class ColumnDifference:
    """One column: largest |difference|, the time where it occurs, standard deviation of the difference."""

    column: str
    reference_column: str
    unit: str
    maximum: float
    t: float
    std: float

    @property
    def kind(self) -> str:
        """The kind of a column by the ending of its name: "A.vx" is a velocity."""
        ending = self.column.rpartition(".")[2].lower()
        return next((kind for kind, endings in KINDS.items() if ending in endings), "others")

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "reference_column": self.reference_column,
            "unit": self.unit,
            "kind": self.kind,
            "max": self.maximum,
            "t": self.t,
            "std": self.std,
        }


@dataclass(frozen=True, eq=False)
class Comparison:
    """Rows in the order of RESULT, and RESULT − REFERENCE over time by column. Print it to read it."""

    result: str
    reference: str
    sizes: tuple[str, str]  # of RESULT and REFERENCE, in words
    rows: tuple[ColumnDifference, ...]
    t: Array
    differences: Mapping[str, Array]
    time_unit: str
    times: str  # how the times met, in words
    interpolated: bool
    doubtful: tuple[str, ...]  # columns whose differences interpolation may account for
    only_in_result: tuple[str, ...]
    only_in_reference: tuple[str, ...]
    notes: tuple[str, ...]

    def overall(self) -> dict[str, tuple[ColumnDifference, ColumnDifference, int]]:
        """Per kind of column: the row with the largest maximum, that with the largest deviation, how many rows."""
        worst = {}
        for kind in KINDS:
            rows = [row for row in self.rows if row.kind == kind]
            if rows:
                worst[kind] = (max(rows, key=lambda r: r.maximum), max(rows, key=lambda r: r.std), len(rows))
        return worst

    def exceeding(self, tolerance: float) -> list[str]:
        """Columns whose largest |difference| is above the tolerance."""
        return [row.column for row in self.rows if row.maximum > tolerance]

    def as_dict(self) -> dict[str, Any]:
        """All but the differences, for programs."""
        return {
            "result": self.result,
            "reference": self.reference,
            "times": len(self.t),
            "compared": self.times,
            "interpolated": self.interpolated,
            "doubtful": list(self.doubtful),
            "time_unit": self.time_unit,
            "columns": [row.as_dict() for row in self.rows],
            "overall": {
                kind: {"columns": n, "max": a.maximum, "t": a.t, "max_in": a.column, "std": b.std, "std_in": b.column}
                for kind, (a, b, n) in self.overall().items()
            },
            "only_in_result": list(self.only_in_result),
            "only_in_reference": list(self.only_in_reference),
            "notes": list(self.notes),
        }

    @property
    def text(self) -> str:
        """The verdict, what was compared, a line per column, a line per kind of column."""
        lines = [("verdict", self.verdict)]
        lines += [("RESULT", f"{self.result}, {self.sizes[0]}"), ("REFERENCE", f"{self.reference}, {self.sizes[1]}")]
        lines.append(("compared", self.times))
        for which, names in (("RESULT", self.only_in_result), ("REFERENCE", self.only_in_reference)):
            if names:
                lines.append(("left out", f"{counted(len(names), 'column')} only in {which}: {some_of(names)}"))
        lines += [("note", note) for note in self.notes]
        if self.doubtful:
            lines.append(("note", f"{self.doubt}: {some_of(self.doubtful)}; give RESULT the times of REFERENCE"))
        return "\n".join([*(f"{label:<15} {text}" for label, text in lines), "", *self._table()])

    @property
    def verdict(self) -> str:
        """The largest difference of each kind of column, or that there is none."""
        told = [
            f"{kind} by {worst.maximum:.2e} ({worst.column})" if worst.maximum else f"{kind} not at all"
            for kind, (worst, _, _) in self.overall().items()
        ]
        same = all(not row.maximum for row in self.rows)
        if same:
            return f"no difference in {counted(len(self.rows), 'column')}"
        margin = 16 * " "
        return textwrap.fill(f"{margin}differ at most: {', '.join(told)}", 80, subsequent_indent=margin).strip()

    @property
    def doubt(self) -> str:
        """A warning where the rows of RESULT are too far apart to interpolate between them."""
        columns = counted(len(self.doubtful), "column")
        return f"interpolation alone may account for the differences of {columns}" if self.doubtful else ""

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _table(self) -> list[str]:
        cells = [("column", "max |difference|", with_unit("at t", self.time_unit), "std of difference", "")]
        for row in self.rows:
            other = "" if row.reference_column == row.column else f"against {row.reference_column}"
            cells.append((with_unit(row.column, row.unit), *_numbers(row, row.std), other))
        cells.append(("", "", "", "", ""))
        for kind, (a, b, n) in self.overall().items():
            where = f"largest in {a.column}" if a is b else f"largest in {a.column}, std in {b.column}"
            where = where if a.maximum else "no difference"
            cells.append((f"{kind}, {counted(n, 'column')}", *_numbers(a, b.std), where))
        widths = [max(len(line[k]) for line in cells) for k in range(4)]
        return [
            "  ".join([line[0].ljust(widths[0]), *(line[k].rjust(widths[k]) for k in (1, 2, 3)), line[4]]).rstrip()
            for line in cells
        ]


def _numbers(row: ColumnDifference, std: float) -> tuple[str, str, str]:
    return f"{row.maximum:.3e}", f"{row.t:.6g}" if row.maximum else "-", f"{std:.3e}"


def with_unit(name: str, unit: str) -> str:
    """ "A.x [m]", or "A.x" where no unit is known."""
    return f"{name} [{unit}]" if unit else name


def counted(n: int, thing: str) -> str:
    """ "1 column", "2 columns"."""
    return f"{n} {thing}{'s' * (n != 1)}"


def some_of(names: Iterable[str]) -> str:
    """The first few names and how many more there are."""
    names = list(names)
    more = len(names) - SHOWN
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:SHOWN])} … and {more} more"
