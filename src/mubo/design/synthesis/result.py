"""The result of a synthesis: designs that run, ranked; those that have a defect; their tables and files."""

from __future__ import annotations

import math
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.design.synthesis.design import Design
from mubo.lazy_dataclass import dataclass
from mubo.results.presentation import Presented, presented_by

if TYPE_CHECKING:
    import pandas
from collections import Counter

from mubo.design.synthesis.task import Task
from mubo.docstrings import documented
from mubo.errors import ResultError
from mubo.results import Run
from mubo.results.table import data_frame
from mubo.results.table_files import write_designs


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


@dataclass(repr=False)
class Synthesis(Presented):
    """Linkages for a task: `designs` run through all positions asked for, the best first; `rejected` have a defect.

    Examples
    --------
    >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
    >>> len(found), found[1].label
    (1, 'double rocker')
    """

    task: Task
    designs: list[Design]
    rejected: list[Design]
    found: int  # solutions
    defects: Counter[str] = field(default_factory=Counter)  # solutions with one, by closed forms
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.designs)

    def __getitem__(self, number: int) -> Design:
        """A design by its number: 1 is the best."""
        if not 1 <= number <= len(self.designs):
            raise ResultError(f"there is no design {number}: they are 1 to {len(self.designs)}")
        return self.designs[number - 1]

    @documented(number="Number of the design, counted from 1.", returns="The model of the design.")
    def model(self, number: int = 1) -> Any:
        """The model of a design, 1 the best, to ask it anything.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.model(1).kinematics().summary["status"]
        'ok'
        """
        return presented_by("Model.of")(self[number].model)

    @documented(
        number="Number of the design, counted from 1.", returns="The run of the design; None where it does not run."
    )
    def run(self, number: int = 1) -> Run | None:
        """The run of a design through all positions, with its proof.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.run(1)["rocker.phi"].shape
        (121,)
        """
        return self[number].run

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        rejected="Whether rejected designs are drawn instead.",
        returns="The matplotlib figure.",
    )
    def plot(self, *, path: str | Path | None = None, rejected: bool = False) -> Any:
        """The designs side by side, each with its path and the places asked for; with `rejected` those with a defect.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> figure = found.plot(path="designs.png")
        """
        return presented_by("Synthesis.plot")(self, path, rejected)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page on which every design can be seen to move; cognates are named.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> page = found.report("designs.html")
        """
        return presented_by("Synthesis.report")(self, path)

    @property
    def header(self) -> list[str]:
        """Names of the table's columns, with units.

        Examples
        --------
        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.header[:4]
        ['design', 'kind', 'angle error [deg]', 'transmission [deg]']
        """
        length = f" [{self.task.units.length}]" if self.task.units.length else ""
        errors = list(self.task.measured.values())
        dimensions = [name + length * (name not in self.task.plain) for name in self._dimensions()]
        return ["design", "kind", *errors, "transmission [deg]", "crank turns", *dimensions, "defects"]

    @documented(returns="A row per design: name, kind, lengths, errors, transmission, defects.")
    def rows(self) -> list[list[Any]]:
        """A line per design, the rejected ones last.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.rows()[0][:2]
        ['design_1', 'double rocker']
        """
        kinds = list(self.task.measured)
        return [
            [d.name, d.label]
            + [d.errors.get(kind, math.nan) for kind in kinds]
            + [d.transmission, "round" if d.full else "to and fro"]
            + [d.lengths.get(name, math.nan) for name in self._dimensions()]
            + [d.verdict()]
            for d in (*self.designs, *self.rejected)
        ]

    def _dimensions(self) -> list[str]:
        return list(dict.fromkeys(name for d in (*self.designs, *self.rejected) for name in d.lengths))

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """One line per design, with its dimensions, errors at the positions, transmission and defects.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.table().shape[0] == len(found) + len(found.rejected)
        True
        """
        return data_frame(self.rows(), self.header)

    @documented(
        path="Folder or table to write.",
        returns="The files that were written.",
        raises={"ResultError": "If the name has an ending that is none of a table."},
    )
    def save(self, path: str | Path) -> list[str]:
        """Writes a folder with a model file per design and their table; or the table alone: .csv, .xlsx, .tex …

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.save("designs")[-1]
        'designs/designs.csv'
        """
        models = {design.name: design.model for design in self.designs}
        return write_designs(Path(path), models, self.header, self.rows(), "designs")

    @documented(returns="The result as a dictionary, for programs.")
    def as_dict(self) -> dict[str, Any]:
        """The result as a dictionary for programs.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.as_dict()["solutions"]
        1
        """
        lines = [dict(zip(self.header, row, strict=True)) for row in self.rows()]
        return {
            "task": self.task.label,
            "solutions": self.found,
            "without_defect": self.sound,
            "designs": lines[: len(self.designs)],
            "rejected": lines[len(self.designs) :],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        lines = [f"{self.task.label}: {self._counted()}"]
        if not self.designs:
            lines.append("  none without a defect")
        else:
            lines += aligned([row[:-1] for row in (self.header, *self.rows()[: len(self.designs)])])
        lines += [f"  {'rejected':<10} {count} with a defect of {kind}" for kind, count in self.defects.items()]
        return "\n".join([*lines, *(f"  {'note':<10} {note}" for note in self.notes)])

    @property
    def sound(self) -> int:
        """How many solutions are without a defect; the best of them are shown.

        Examples
        --------
        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.sound
        1
        """
        return self.found - sum(self.defects.values())

    def _counted(self) -> str:
        """How many solutions there are, how many without a defect, how many of these are shown."""
        text = f"{self.found} solution{'s' * (self.found != 1)}, {self.sound} without a defect"
        return text + (f", {len(self.designs)} shown" if 0 < len(self.designs) < self.sound else "")
