"""The problem of assembly modes: vector loops at one position of the drivers."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops, NoLoops
from mubo.model import ModelDefinition, target_of
from mubo.results import Columns
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.columns.columns import motion_columns


@dataclass(frozen=True)
class UnlockedDriver:
    """A driver in the loops: whether it turns, whether it is the distance of two points, and its factor."""

    name: str
    of: str
    turns: bool
    distance: bool
    factor: float  # radians per unit of the model, or 1


@dataclass(frozen=True)
class ModeProblem:
    """Loops, the drivers at one time, and the accuracy of the solution."""

    model: ModelDefinition
    time: float
    loops: Loops
    motion: Array
    tolerance: float
    scale: float
    size: float
    drivers: tuple[UnlockedDriver, ...]
    analysis: StartAnalysis

    def places(self, q: Array) -> dict[str, tuple[float, ...]]:
        """Coordinates x, y and φ of everything that moves, in the model's units."""
        factor = np.array([1.0, 1.0, self.model.units.angle_factor()])
        poses = zip(self.analysis.form.free, q.reshape(-1, 3) / factor, strict=True)
        return {name: tuple(map(float, pose)) for name, pose in poses}

    def columns(self, path: Array) -> Columns:
        """Columns of positions along a path, angles and places only."""
        return motion_columns(self.analysis.form, np.full(len(path), self.time), _static_states(path))


def _static_states(path: Array) -> Array:
    """Positions as states at rest."""
    states = np.zeros((len(path), 3, path.shape[1]))
    states[:, 0] = path
    return states


def mode_problem(model: ModelDefinition) -> ModeProblem:
    """Mode problem of a model at its start; raises where its motion is not determined or it has no loop form."""
    time = model.start_time
    if model.dimension != 2:
        raise ModelError("assembly modes are found for planar models; this one is spatial")
    return mode_problem_from_start(analyse_start(model, time))


def mode_problem_from_start(analysis: StartAnalysis) -> ModeProblem:
    """Mode problem of a model from the analysis of its start."""
    error = start_error(analysis)
    if error is not None:
        raise error
    form = analysis.form
    freed = []
    for driver, factor in zip(form.model.drivers.values(), form.mechanism.motion_factors, strict=True):
        target = target_of(form.model, driver.of)
        of = driver.of if isinstance(driver.of, str) else "distance of " + " and ".join(driver.of)
        distance = isinstance(driver.of, tuple)
        freed.append(UnlockedDriver(driver.name, of, target.holds == "angle", distance, float(factor)))
    return ModeProblem(
        form.model,
        analysis.time,
        _require_loops(analysis),
        analysis.motion,
        analysis.tolerance,
        form.scale,
        form.mechanism.size,
        tuple(freed),
        analysis,
    )


def _require_loops(analysis: StartAnalysis) -> Loops:
    if analysis.diagnosis.dependent:
        repeats = "; ".join(d.describe() for d in analysis.diagnosis.dependent)
        raise ModelError(
            f"assembly modes need constraints that are independent: {repeats}",
            suggestion="Remove the redundant constraint; `mubo check` without --modes suggests a fix.",
        )
    try:
        return analysis.loops
    except NoLoops as reason:
        raise ModelError(f"assembly modes are found from vector loops, which this model has not: {reason}") from None
