"""A Pareto front: designs of which none is better than another in every goal, each run and verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.analyses.verify.table import Verification
from mubo.arrays import Array
from mubo.design.optimize.problem import Trial
from mubo.design.optimize.task import OptimizationTask
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model.read_parameters import parameter_unit
from mubo.results import Run
from mubo.results.presentation import Presented, presented_by
from mubo.results.table import data_frame
from mubo.results.table_files import write_designs

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class FrontDesign:
    """One design of a front: its numbers and runs, and its verification."""

    trial: Trial
    proof: Verification


@dataclass(frozen=True, eq=False, repr=False)
class ParetoFront(Presented):
    """Designs for several goals, along the first of them; `front["transmission"]` has a number of each.

    Examples
    --------
    >>> model = mubo.load("parameters.toml")
    >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
    >>> len(front), front.goals
    (3, {'stroke of D': 'maximize', 'transmission': 'maximize'})
    """

    asked: OptimizationTask
    designs: tuple[FrontDesign, ...]
    pool: tuple[Trial, ...]
    tried: int
    lost: int
    fallen: dict[str, int]  # designs that were left out by the reason

    def __len__(self) -> int:
        return len(self.designs)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of what varies.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.parameters
        ('a',)
        """
        return self.asked.problem.names

    @property
    def goals(self) -> dict[str, str]:
        """The goals, and whether each is to be least or greatest.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> list(front.goals)
        ['stroke of D', 'transmission']
        """
        return {w.term.text: "minimize" if w.sign > 0 else "maximize" for w in self.asked.problem.wanted}

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, goals, and what is limited.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.names
        ('a', 'stroke of D', 'transmission')
        """
        limits = (limit.term.text for limit in self.asked.problem.limits)
        return tuple(dict.fromkeys((*self.parameters, *self.goals, *limits)))

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise ResultError(f'the front has no "{name}". {nearest(name, self.names)}', names=[name])
        return np.array([self.number(design.trial, name) for design in self.designs])

    def number(self, trial: Trial, name: str) -> float:
        """A parameter, a goal or a limited number of any design that was tried.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.number(front.asked.first, "a")
        0.04
        """
        if name in self.parameters:
            return float(trial.values[self.parameters.index(name)])
        return float(trial.numbers[name])

    def unit(self, name: str) -> str:
        """The unit of a parameter or a number; "" where the model declares none.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.unit("transmission")
        'deg'
        """
        if name in self.parameters:
            return parameter_unit(self.asked.problem.work.model.units, name)
        return self.asked.units.get(name, "")

    def _design(self, number: int) -> FrontDesign:
        if not 1 <= number <= len(self):
            raise ResultError(f"there is no design {number}: they are 1 to {len(self)}")
        return self.designs[number - 1]

    @documented(number="Number of the design, counted from 1.", returns="The model of the design.")
    def model(self, number: int) -> Any:
        """The model of one design, to ask it anything.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> round(front.model(1).parameters["a"].value, 6)
        0.05
        """
        return presented_by("Model.of")(self._design(number).trial.model)

    @documented(number="Number of the design, counted from 1.", returns="The run of the design.")
    def run(self, number: int) -> Run:
        """The run of one design.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.run(1).summary["status"]
        'ok'
        """
        run = self._design(number).trial.run
        assert run is not None
        return run

    @property
    def header(self) -> list[str]:
        """Names of the table's columns, with units.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.header
        ['design', 'a', 'stroke of D [deg]', 'transmission [deg]']
        """
        units = [self.unit(name) for name in self.names]
        return ["design", *(f"{n} [{u}]" if u else n for n, u in zip(self.names, units, strict=True))]

    @documented(returns="A row per design: its number, parameters, goals, and what is limited.")
    def rows(self) -> list[list[Any]]:
        """A line per design, along the first goal.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.rows()[0][0]
        1
        """
        return [[k, *(self.number(d.trial, name) for name in self.names)] for k, d in enumerate(self.designs, 1)]

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """One line per design.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.table().shape
        (3, 4)
        """
        return data_frame(self.rows(), self.header)

    @documented(
        path="Folder or table to write.",
        returns="The files that were written.",
        raises={"ResultError": "If the name has an ending that is none of a table."},
    )
    def save(self, path: str | Path) -> list[str]:
        """Writes a folder with a model file per design and their table; or the table alone: .csv, .xlsx, .tex …

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.save("front.csv")
        ['front.csv']
        """
        models = {f"design_{k}": design.trial.model for k, design in enumerate(self.designs, 1) if design.trial.model}
        return write_designs(Path(path), models, self.header, self.rows(), "front")

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.", returns="The matplotlib figure."
    )
    def plot(self, path: str | Path | None = None) -> Any:
        """Draws every goal over every other one: the front, and all designs that were tried.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> figure = front.plot("front.png")
        """
        return presented_by("ParetoFront.plot")(self, path)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page with the front, on which a click shows a design in motion.

        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> page = front.report("front.html")
        """
        return presented_by("ParetoFront.report")(self, path)

    @property
    def summary(self) -> dict[str, Any]:
        """The result as a dictionary for programs.

        Examples
        --------
        >>> model = mubo.load("parameters.toml")
        >>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
        >>> front.summary["holds"]
        True
        """
        return {
            "model": self.asked.problem.work.model.name,
            "goals": self.goals,
            "designs": [dict(zip(("design", *self.names), row, strict=True)) for row in self.rows()],
            "units": {name: self.unit(name) for name in self.names if self.unit(name)},
            "tried": self.tried,
            "did_not_run": self.lost,
            "left_out": self.fallen,
            "holds": all(design.proof.holds for design in self.designs),
            "notes": list(self.asked.notes),
        }
