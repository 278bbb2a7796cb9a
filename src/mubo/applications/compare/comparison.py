"""The result of comparing two tables: the differences of every column over time, their maxima and deviations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.results.presentation import DrawnResult, presented_by

KINDS = {
    "positions": ("x", "y", "z", "phi", "q"),
    "velocities": ("vx", "vy", "vz", "omega", "v"),
    "accelerations": ("ax", "ay", "az", "alpha", "a"),
    "others": (),
}
WORDS = tuple(word for words in KINDS.values() for word in words)
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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(DrawnResult):
    """Rows in the order of RESULT, and RESULT − REFERENCE over time by column; printing it gives the table."""

    result: str
    reference: str
    sizes: tuple[str, str]  # rows and times of RESULT and REFERENCE
    rows: tuple[ColumnDifference, ...]
    t: Array
    differences: Mapping[str, Array]
    time_unit: str
    times: str  # how the times were matched
    interpolated: bool
    doubtful: tuple[str, ...]  # columns whose differences interpolation may account for
    only_in_result: tuple[str, ...]
    only_in_reference: tuple[str, ...]
    notes: tuple[str, ...]
    over: str = "t"  # the column that orders the rows

    def overall(self) -> dict[str, tuple[ColumnDifference, ColumnDifference, int]]:
        """Per kind of column: the row with the largest maximum, that with the largest deviation, how many rows."""
        worst = {}
        for kind in KINDS:
            rows = [row for row in self.rows if row.kind == kind]
            if rows:
                worst[kind] = (max(rows, key=lambda r: r.maximum), max(rows, key=lambda r: r.std), len(rows))
        return worst

    def deviations(self) -> dict[str, dict[str, float]]:
        """Standard deviations by point or body and word, {"A": {"x": …, "vx": …}}; "Overall" is over all of them.

        Overall is the deviation of all differences of a word together, as in Table 4 of Tartari (2019): each counts
        from their common mean.
        """
        found: dict[str, dict[str, float]] = {}
        together: dict[str, list[Array]] = {}
        for row in self.rows:
            owner, _, word = row.column.rpartition(".")
            if owner and word.lower() in WORDS:
                found.setdefault(owner, {})[word.lower()] = row.std
                together.setdefault(word.lower(), []).append(self.differences[row.column])
        words = [word for word in WORDS if word in together]
        overall = {word: float(np.std(np.concatenate(together[word]))) for word in words}
        return {"Overall": overall, **{owner: found[owner] for owner in found}} if found else {}

    def save(self, path: Any) -> None:
        """Writes the standard deviations by point (.csv), everything (.json), or what is printed (.txt)."""
        presented_by("Comparison.save")(self, path)

    def exceeding(self, tolerance: float) -> list[str]:
        """Columns whose largest |difference| is above the tolerance."""
        return [row.column for row in self.rows if row.maximum > tolerance]

    def as_dict(self) -> dict[str, Any]:
        """Everything but the differences over time, for JSON."""
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
            "std_by_point": self.deviations(),
            "only_in_result": list(self.only_in_result),
            "only_in_reference": list(self.only_in_reference),
            "notes": list(self.notes),
        }

    @property
    def text(self) -> str:
        """The verdict, what was compared, a line for each column and a line for each kind of column."""
        return str(presented_by("Comparison.text")(self))

    @property
    def doubt(self) -> str:
        """A warning where the rows of RESULT are too far apart to interpolate between them."""
        columns = counted(len(self.doubtful), "column")
        return f"interpolation alone may account for the differences of {columns}" if self.doubtful else ""


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
