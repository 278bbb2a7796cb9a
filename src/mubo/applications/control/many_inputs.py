"""Many simulations with other initial conditions, parameters and constant inputs: numbers for each run, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mubo.analyses.many_runs import Runs, simulate_many
from mubo.applications.control.inputs import controlled_model
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.results.many_runs import ManyRuns
from mubo.solvers.dynamics.settings import ATOL, RTOL, SimulationSettings
from mubo.studies.motion import SimulateOptions


def many_runs(
    model: ModelDefinition,
    asked: SimulateOptions,
    differ: Mapping[str, Mapping[str, Any]],
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    confirmed: bool = False,
) -> ManyRuns:
    """Simulate a run for every number of `differ`: initial conditions, parameters and inputs by name."""
    numbers = {
        word: {name: _numbers(word, name, values) for name, values in given.items()} for word, given in differ.items()
    }
    count = _count(numbers)
    settings = SimulationSettings(
        RTOL if asked.rtol is None else asked.rtol, ATOL if asked.atol is None else asked.atol
    )
    parameters, inputs = numbers["parameters"], numbers["inputs"]
    plant = controlled_model(model, list(inputs), asked.times.start)

    def variant(run: int) -> ModelDefinition:
        sizes = {name: float(values[run]) for name, values in inputs.items()}
        here = plant.with_inputs(sizes) if sizes else plant.model
        return here.replace(**{name: float(values[run]) for name, values in parameters.items()}) if parameters else here

    runs = Runs(count, numbers["initial"], variant if parameters or inputs else None)
    answer = simulate_many(model, asked.times, runs, columns, settings, threads, confirmed)
    if np.all(np.isnan(answer.reached)):
        raise ModelError(f"no run could be started; the first: {answer.status[0]}")
    return answer


def _numbers(word: str, name: str, values: Any) -> Array:
    """One finite number for each run."""
    try:
        out = np.asarray(values, float)
    except (TypeError, ValueError):
        raise ModelError(f"{word} {name}: numbers are needed, one for each run; found {values!r}") from None
    if out.ndim != 1 or not len(out):
        raise ModelError(f"{word} {name}: a list of numbers is needed, one for each run; found shape {out.shape}")
    if not np.all(np.isfinite(out)):
        k = int(np.argmin(np.isfinite(out)))
        raise ModelError(f"{word} {name}: must be finite numbers; found {out[k]} for run {k}")
    return out


def _count(numbers: Mapping[str, Mapping[str, Array]]) -> int:
    """The number of runs, which all lists must have in common."""
    sizes = {f"{word} {name}": len(values) for word, given in numbers.items() for name, values in given.items()}
    if not sizes:
        raise ModelError(
            "there is nothing in which the runs differ",
            suggestion='Give initial, parameters or inputs, such as initial={"A.q": [0.1, 0.2]}.',
        )
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ModelError(f"every list needs one number for each run: {listed}")
    return next(iter(sizes.values()))
