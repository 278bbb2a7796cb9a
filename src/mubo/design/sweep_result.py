"""A sweep that was run: every variant with its parameters, objectives and status, as table, file and picture."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.design.ranges import Points
from mubo.design.variants import RAN, Work
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.laws.number_text import number
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.results.presentation import Presented, presented_by
from mubo.results.table import data_frame, require_ending
from mubo.results.table_files import write_lines

if TYPE_CHECKING:
    import pandas


@dataclass(repr=False)
class Sweep(Presented):
    """Every variant of a sweep with its parameters, objectives and status.

    `sweep["stroke"]` is an array, NaN where a variant has none.

    Examples
    --------
    >>> model = mubo.load("parameters.toml")
    >>> sweep = model.sweep({"a": "0.03:0.05:3"}, ["range P.x"])
    >>> len(sweep), sweep.status[0]
    (3, 'ran')
    """

    work: Work
    points: Points
    values: Array  # variants × objectives
    status: list[str]
    units: dict[str, str] = field(default_factory=dict)  # of parameters and objectives
    nominal: dict[str, float] = field(default_factory=dict)  # of parameters and objectives, of the model itself

    @property
    def model(self) -> ModelDefinition:
        """The nominal model.

        Examples
        --------
        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.model.name
        'crank-rocker with parameters'
        """
        return self.work.model

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, then objectives.

        Examples
        --------
        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.names
        ('a', 'range P.x')
        """
        return (*self.points.names, *(objective.name for objective in self.work.objectives))

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which variants ran to their end.

        Examples
        --------
        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.ok
        array([ True,  True])
        """
        return np.array([status.startswith(RAN) for status in self.status], bool)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise ResultError(f'the sweep has no "{name}". {nearest(name, self.names)}', names=[name])
        return np.asarray(np.concatenate([self.points.values, self.values], axis=1)[:, self.names.index(name)])

    @documented(number="Number of the variant, counted from 0.", returns="The frozen definition of the variant.")
    def definition(self, number: int) -> ModelDefinition:
        """The definition of one variant, followed from the nominal design.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.definition(1).name
        'crank-rocker with parameters'
        """
        return self.work.variant(self.points.values[number].tolist())

    @documented(number="Number of the variant, counted from 0.", returns="The model of the variant.")
    def variant(self, number: int) -> Any:
        """The model of one variant, followed from the nominal design, to ask it anything.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.variant(1).parameters["b"].value
        0.15000000000000002
        """
        return presented_by("Model.of")(self.definition(number))

    @documented(number="Number of the variant, counted from 0.", returns="The run of the variant.")
    def run(self, number: int) -> Run:
        """The run of one variant.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.run(0).summary["status"]
        'ok'
        """
        return self.work.run(self.definition(number))

    @documented(
        columns="Columns to draw for every variant; none draws the measures.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        over="Parameter that colours the curves; the first by default.",
        returns="The matplotlib figure.",
    )
    def plot(self, *columns: str, path: str | Path | None = None, over: str | None = None) -> Any:
        """A picture: of the measures, a line over one parameter, maps over two, parallel coordinates of more; or of
        `columns` of the variants over each other, coloured by the parameter `over` (default the first).

        >>> sweep = mubo.load("parameters.toml").sweep({"a": "0.03:0.05:3"}, ["range P.x"])
        >>> figure = sweep.plot(path="sweep.png")
        """
        return presented_by("Sweep.plot")(self, list(columns), path, over)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page on which every variant can be seen to move: measures over one parameter, maps over two,
        parallel coordinates of more.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": "0.03:0.05:3"}, ["range P.x"])
        >>> page = sweep.report("sweep.html")
        """
        return presented_by("Sweep.report")(self, path)

    @property
    def summary(self) -> dict[str, Any]:
        """The facts of the sweep, for programs.

        Examples
        --------
        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.summary["variants"], sweep.summary["ran"]
        (2, 2)
        """
        ends = {o.name: self.best(o.name) for o in self.work.objectives}
        return {
            "model": self.model.name,
            "variants": len(self),
            "ran": int(self.ok.sum()),
            "parameters": list(self.points.names),
            "nominal": self.nominal,
            "units": {name: unit for name, unit in self.units.items() if unit},
            "extremes": {
                name: None if pair is None else {end: self._row(k) for end, k in zip(("min", "max"), pair, strict=True)}
                for name, pair in ends.items()
            },
            "status": {status: self.status.count(status) for status in sorted(set(self.status))},
        }

    def _row(self, number: int) -> dict[str, float]:
        return {name: float(self[name][number]) for name in self.names}

    @documented(returns="Names of parameters and objectives with units in brackets.")
    def header(self) -> list[str]:
        """Names with units, as tables have them.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.header()
        ['a', 'range P.x [m]']
        """
        return [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in self.names]

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """One line per variant.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> list(sweep.table())
        ['a', 'range P.x', 'status']
        """
        return data_frame({**{name: self[name] for name in self.names}, "status": self.status})

    @documented(
        path="Table to write: .parquet, .csv, .xlsx or .tex.", raises={"ResultError": "If the ending is another one."}
    )
    def save(self, path: str | Path) -> None:
        """Writes the table: .parquet, .csv, .xlsx, or .tex for LaTeX.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.save("sweep.csv")
        """
        path = Path(path)
        require_ending(path, "Sweep")
        numbers = np.concatenate([self.points.values, self.values], axis=1).tolist()
        lines = ([*line, status] for line, status in zip(numbers, self.status, strict=True))
        write_lines(path, [*self.header(), "status"], lines, "sweep")

    @documented(
        name="Objective.",
        returns="Numbers of the variants with its least and greatest value; None where no variant has one.",
    )
    def best(self, name: str) -> tuple[int, int] | None:
        """The variants with the least and the greatest of an objective; None where no variant has it.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.best("range P.x")
        (0, 1)
        """
        values = self[name]
        if not np.any(np.isfinite(values)):
            return None
        return int(np.nanargmin(values)), int(np.nanargmax(values))

    def __str__(self) -> str:
        ran = int(np.sum(self.ok))
        lines = [
            f'{len(self)} variants of "{self.model.name}": {ran} ran'
            + (f", {len(self) - ran} did not" if ran < len(self) else "")
        ]
        for objective in self.work.objectives:
            ends = self.best(objective.name)
            if ends is not None:
                unit = self.units.get(objective.name, "")
                ends_text = " to ".join(f"{number(self[objective.name][k], 4)} ({self._place(k)})" for k in ends)
                lines.append(f"  {objective.name:<20} {ends_text}" + (f", in {unit}" if unit else ""))
        others: dict[str, int] = {}
        for status in self.status:
            if not status.startswith(RAN):
                kind = status.partition(" at ")[0].partition(" beyond ")[0].partition(":")[0]
                others[kind] = others.get(kind, 0) + 1
        lines += [f"  {kind:<20} {count}" for kind, count in others.items()]
        return "\n".join(lines)

    def _place(self, k: int) -> str:
        pairs = zip(self.points.names, self.points.values[k], strict=True)
        return ", ".join(f"{name} = {number(value)}" for name, value in pairs)
