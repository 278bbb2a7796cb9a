"""Simulations of many variants in one call of `simulate_many`, and the numbers of their columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.analyses.many_runs import Runs, simulate_many
from mubo.design.objectives import number_of, search_extremes
from mubo.errors import ResultError
from mubo.model import ModelDefinition
from mubo.model.measures import quantities_with_measures
from mubo.model.objectives import OF_COLUMN, Objective
from mubo.quantities.output_times import OutputTimes
from mubo.results import Column, Columns
from mubo.results.many_runs import ManyRuns
from mubo.solvers.dynamics.settings import ATOL, EXPLICIT, RTOL, SimulationSettings


def settings_of_model(model: ModelDefinition) -> SimulationSettings:
    """Tolerances and method of [analysis], else those of `simulate`."""
    asked = model.analysis.options if model.analysis is not None else {}
    return SimulationSettings(asked.get("rtol", RTOL), asked.get("atol", ATOL), asked.get("method", EXPLICIT))


def simulated_columns(model: ModelDefinition, objectives: Sequence[Objective]) -> list[Column] | None:
    """Columns of the objectives with their derivatives, by which extremes are found between rows; None where an
    objective is no number of one column, and where an event may end a run: its last row is then no output time."""
    if any(event.stop for event in model.events.values()):
        return None
    known = quantities_with_measures(model)
    by_place = {(one.kind, one.owner, one.quantity, one.order): one for one in known.values()}
    out: dict[str, Column] = {}
    for objective in objectives:
        column = known.get(objective.of) if objective.how in OF_COLUMN else None
        if column is None:
            return None
        while column is not None:
            out[column.name] = column
            column = by_place.get((column.kind, column.owner, column.quantity, column.order + 1))
    return list(out.values())


def simulate_variants(
    model: ModelDefinition,
    variant: Callable[[int], ModelDefinition],
    count: int,
    times: OutputTimes,
    columns: Sequence[Column],
) -> ManyRuns:
    """Simulate so many variants, each as `simulate` does, in one call."""
    names = [column.name for column in columns]
    return simulate_many(model, times, Runs(count, {}, variant), names, settings_of_model(model), threads=1)


def numbers_of_run(
    runs: ManyRuns, k: int, columns: Sequence[Column], objectives: Sequence[Objective], ran: str
) -> tuple[list[float], str]:
    """The objectives of one run and its status: `ran`, or how far it went and why."""
    if not runs.ok[k]:
        first = runs.status[k].splitlines()[0]
        how = (
            "failed" if np.isnan(runs.reached[k]) else f"stops at t = {runs.model.units.time_text(runs.reached[k], 6)}"
        )
        return [np.nan] * len(objectives), f"{how}: {first}"
    units, values = runs.model.units, runs.values[k]
    table = Columns(units, [(quantities_with_measures(runs.model)["t"], runs.t)])
    table.extend((column, values[:, n] * units.factor(column.holds)) for n, column in enumerate(columns))
    out, missing = [], []
    for o in objectives:
        try:
            out.append(number_of(o.how, table, o.of, lambda o=o: search_extremes(runs.model, table, o.of)))  # type: ignore[misc]
        except ResultError as error:
            out.append(np.nan)
            missing.append(str(error).splitlines()[0])
    return out, "; ".join([ran, *missing])
