"""Pictures of a mechanism at one position: the first of a model and that of a check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mubo.applications.check import CheckReport, is_simulation
from mubo.errors import ResultError
from mubo.model import ModelDefinition
from mubo.quantities.output_times import OutputTimes
from mubo.results import Record, Run, Summary
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.dynamics.formulations import solve_tree
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.view.plot import plot


def plot_model(model: ModelDefinition, path: str | Path | None = None, view: tuple[float, float] | None = None) -> Any:
    """Draws a model at its first position: assembled, or in the initial state of its simulation."""
    return plot(first_run(model), [], path, view=view, forces=False)


def first_run(model: ModelDefinition) -> Run:
    """The first position as a run of one row; raises where the model cannot be assembled."""
    start = model.start_time
    if is_simulation(model):
        from mubo.analyses.simulate import consistent_start

        tree, _ = consistent_start(model, start, start)
        solved = solve_tree(tree, np.array([start]), SimulationSettings())
        return Run(
            solved.columns, list, Summary(), Record(model, "simulate", "tree", OutputTimes.single(start), form=tree)
        )
    look = analyse_start(model, start)
    if not look.closed and (error := start_error(look)) is not None:
        raise error
    return start_run(look)


def start_run(look: StartAnalysis) -> Run:
    """The position of a start analysis as a run of one row, at rest."""
    states = np.zeros((1, 3, len(look.assembly.q)))
    states[:, 0] = look.assembly.q
    columns = motion_columns(look.form, np.array([look.time]), states)
    record = Record(look.form.model, "kinematics", "absolute", OutputTimes.single(look.time), inspection=look)
    return Run(columns, list, Summary(), record)


def plot_check(report: CheckReport, path: str | Path | None = None) -> Any:
    """Draws the position that was checked; where the mechanism stays open, the closest one."""
    if report.start is None:
        raise ResultError("there is no position to draw: the model was refused before its joints were closed")
    return plot(start_run(report.start), [], path, forces=False)
