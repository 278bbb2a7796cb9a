"""Exact derivatives of measures with respect to parameters, over the motion and for numbers of a whole run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.design.gradients import Gradients
from mubo.design.objectives import unit_of, value_of
from mubo.design.sweep import analysis_of, objectives_of
from mubo.design.variants import STUDIES, study_of
from mubo.docstrings import documented
from mubo.errors import ModelError, ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.model.objectives import Objective
from mubo.model.read_parameters import parameter_unit
from mubo.quantities.output_times import OutputTimes
from mubo.results import Run
from mubo.results.presentation import Presented, presented_by
from mubo.results.table import data_frame
from mubo.results.table_files import write_lines
from mubo.solvers.forces.shaking_sensitivity import sensitivity_of_motion
from mubo.solvers.kinematics.sensitivity import MotionSensitivity
from mubo.studies.design import SensitivityOptions

if TYPE_CHECKING:
    import pandas

DIFFERENTIABLE = ("kinematics", "inverse")
HEADER = ("measure", "parameter", "value", "unit", "derivative", "unit of derivative", "per percent")


@dataclass(frozen=True)
class SensitivityRow:
    """One derivative: of a measure by a parameter, with what it is worth per percent of the parameter."""

    measure: str
    parameter: str
    value: float
    unit: str
    derivative: float
    unit_of_derivative: str
    per_percent: float

    @property
    def nominal_is_zero(self) -> bool:
        """Whether the nominal value of the parameter is 0, so that a percentage of it says nothing."""
        return self.per_percent == 0 and self.derivative != 0


def unit_of_ratio(unit: str, by: str) -> str:
    """The unit of a derivative: "" where that of the parameter is not known, unless it has none at all."""
    if not by:
        return f"{unit} per unit" if unit else ""
    return "" if unit == by else f"{unit or '1'}/{f'({by})' if any(c in by for c in ' /') else by}"


@dataclass(frozen=True, repr=False)
class Sensitivity(Presented):
    """Derivatives of the measures of a run by parameters.

    `found["stroke"]` has one for each parameter; of a column, such as `found["P.x"]`, there is one line for each
    parameter and one column for each time.

    Examples
    --------
    >>> found = mubo.load("parameters.toml").sensitivity(["mass"], ["a", "c"])
    >>> found["mass"].round(9)  # 2 kg per metre of crank a, coupler 3 a and rocker c
    array([8., 2.])
    """

    run: Run
    parameters: tuple[str, ...]
    objectives: tuple[Objective, ...]
    values: Array  # of the measures
    derivatives: Array  # measures × parameters
    units: dict[str, str]  # of measures and parameters
    motion: MotionSensitivity

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
        >>> found.measures
        ('stroke',)
        """
        return tuple(objective.name for objective in self.objectives)

    def __getitem__(self, name: str) -> Array:
        if name in self.measures:
            return np.asarray(self.derivatives[self.measures.index(name)])
        if name in self.motion.columns:
            return self.motion[name]
        known = [*self.measures, *self.motion.columns]
        raise ResultError(f'there are no derivatives of "{name}". {nearest(name, known)}', names=[name])

    @cached_property
    def per_percent(self) -> Array:
        """Change of each measure by one percent of each parameter: measures × parameters.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").sensitivity(["mass"], ["c"])
        >>> found.per_percent.round(6)  # 2 kg per metre of 0.11 m
        array([[0.0022]])
        """
        sizes = [abs(float(self.run.model.parameters[name].value)) for name in self.parameters]
        return np.asarray(self.derivatives * np.array(sizes) / 100)

    @property
    def lines(self) -> list[SensitivityRow]:
        """Every derivative, of each measure the greatest effect of one percent first.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c", "d"])
        >>> [line.parameter for line in found.lines]
        ['a', 'c', 'd']
        """
        out = []
        for row, measure in enumerate(self.measures):
            order = sorted(range(len(self.parameters)), key=lambda k: -abs(self.per_percent[row, k]))
            out += [self._line(row, measure, k) for k in order]
        return out

    def _line(self, row: int, measure: str, k: int) -> SensitivityRow:
        name, unit = self.parameters[k], self.units[measure]
        return SensitivityRow(
            measure=measure,
            parameter=name,
            value=float(self.values[row]),
            unit=unit,
            derivative=float(self.derivatives[row, k]),
            unit_of_derivative=unit_of_ratio(unit, self.units[name]),
            per_percent=float(self.per_percent[row, k]),
        )

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """One line per measure and parameter, of each measure the greatest effect first.

        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
        >>> list(found.table()["parameter"])
        ['a', 'c']
        """
        return data_frame([list(vars(line).values()) for line in self.lines], HEADER)

    @documented(
        columns="Columns whose derivatives are drawn over the motion; none draws bars.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        returns="The matplotlib figure.",
    )
    def plot(self, *columns: str, path: str | Path | None = None) -> Any:
        """Draw what one percent of each parameter changes as bars, or the derivatives of columns over the motion.

        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
        >>> figure = found.plot(path="sensitivity.png")
        """
        return presented_by("Sensitivity.plot")(self, list(columns), path)

    @documented(path="Table to write: .csv, .xlsx, .parquet or .tex.")
    def save(self, path: str | Path) -> None:
        """Writes the table: .csv, .xlsx, .parquet, or .tex for LaTeX.

        >>> mubo.load("parameters.toml").sensitivity(["stroke"], ["a"]).save("sensitivity.csv")
        """
        write_lines(Path(path), HEADER, (list(vars(line).values()) for line in self.lines), "sensitivity")

    @property
    def summary(self) -> dict[str, Any]:
        """The result as a dictionary for programs.

        Examples
        --------
        >>> mubo.load("parameters.toml").sensitivity(["stroke"], ["a"]).summary["parameters"]
        {'a': {'value': 0.04, 'unit': ''}}
        """
        parameters = self.run.model.parameters
        return {
            "status": "ok",
            "model": self.run.model.name,
            "parameters": {n: {"value": float(parameters[n].value), "unit": self.units[n]} for n in self.parameters},
            "derivatives": [vars(line) for line in self.lines],
        }


def sensitivity(
    model: ModelDefinition,
    objectives: Sequence[Objective],
    parameters: Sequence[str],
    study: str,
    times: OutputTimes,
) -> Sensitivity:
    """Runs the model and differentiates its measures exactly by the parameters."""
    if study not in STUDIES:
        raise ModelError(f'there is no analysis "{study}". {nearest(study, DIFFERENTIABLE)}')
    if study not in DIFFERENTIABLE:
        raise ModelError(
            f"exact derivatives of {study} are not known: it does not follow from the constraint equations alone",
            suggestion="Use --analysis kinematics; `mubo sweep` varies any analysis.",
        )
    names = parameters_of(model, parameters)
    run = study_of(study)(model, times)
    return sensitivity_of_run(run, objectives, names)


def sensitivity_of_run(run: Run, objectives: Sequence[Objective], names: Sequence[str]) -> Sensitivity:
    """The derivatives of the measures of a run that is there already."""
    if run.summary["status"] != "ok":
        raise ModelError(
            f"the motion does not run to its end, its measures have no derivatives: {run.events[-1].message}"
        )
    motion = sensitivity_of_motion(run, names)
    units = {name: parameter_unit(run.model.units, name) for name in names}
    units |= {objective.name: unit_of(objective, run) for objective in objectives}
    return Sensitivity(
        run=run,
        parameters=tuple(names),
        objectives=tuple(objectives),
        values=np.array([value_of(objective, run) for objective in objectives]),
        derivatives=Gradients(motion, objectives).matrix(objectives),
        units=units,
        motion=motion,
    )


def parameters_of(model: ModelDefinition, asked: Sequence[str]) -> tuple[str, ...]:
    """The parameters asked for; if none, all that the model uses and that do not follow from others."""
    for name in asked:
        if name not in model.parameters:
            none = "The model has none." if not model.parameters else nearest(name, model.parameters)
            raise ModelError(f'there is no parameter "{name}". {none}', names=[name])
        if list(asked).count(name) > 1:
            raise ModelError(f'parameter "{name}" is asked for twice', names=[name])
    unused = model.unused_parameters
    names = tuple(asked) or tuple(
        name for name, entry in model.parameters.items() if not entry.is_dependent and name not in unused
    )
    if not names:
        raise ModelError(
            "the model has no parameters",
            suggestion='Write [parameters] with a = 0.05, and "a" where the number stands.',
        )
    return names


def answer_sensitivity(definition: ModelDefinition, options: SensitivityOptions) -> Sensitivity:
    """Answers the study `sensitivity`."""
    objectives = objectives_of(definition, options.measures)
    return sensitivity(
        definition, objectives, options.parameters, analysis_of(definition, options.analysis), options.times
    )
