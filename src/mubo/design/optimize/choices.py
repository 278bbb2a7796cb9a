"""Choices of an optimisation: parameters that take listed values alone, such as bearings and stock lengths.

    choices = { b = ["100 mm", "120 mm", "160 mm"] }    # every value of a parameter
    choices = "@bearings.csv"                           # a table: parameters in its header, a choice in each line
    choices = ["@bearings.csv", { b = [100, 120] }]     # every combination of a line of each

There is nothing between two choices, so that none is rounded: every combination is run with some values of what varies
between bounds, and the local searches, which leave the choices, start from the best of different combinations.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.optimize.problem import OptimizationProblem, Trial
from mubo.design.ranges import points_of, unit_points
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.optimization import TABLE

MOST = 10_000  # combinations
SAMPLES = 4  # designs of every combination where something varies between bounds


@dataclass(frozen=True)
class Choices:
    """The parameters that are chosen, and every combination of their values: a line each."""

    names: tuple[str, ...] = ()
    values: tuple[tuple[float, ...], ...] = ((),)

    def __len__(self) -> int:
        return len(self.values)

    def only(self, names: Container[str]) -> Choices:
        """The choices of some of the parameters, each combination once."""
        kept = [k for k, name in enumerate(self.names) if name in names]
        lines = dict.fromkeys(tuple(line[k] for k in kept) for line in self.values)
        return Choices(tuple(self.names[k] for k in kept), tuple(lines))


def choices_of(model: ModelDefinition, blocks: Sequence[Any], varied: Sequence[str]) -> Choices:
    """Every combination of the choices; refuses what varies between bounds too, and what is chosen twice."""
    if not blocks:
        return Choices()
    found = [points_of(model, _block(model, block)) for block in blocks]
    names = tuple(name for points in found for name in points.names)
    for name in names:
        if name in varied or names.count(name) > 1:
            also = "varies between bounds too" if name in varied else "is chosen twice"
            raise ModelError(f"choices: {name} {also}: give it once", names=[name])
    count = int(np.prod([len(points) for points in found]))
    if count > MOST:
        raise ModelError(f"choices: {count} combinations are more than {MOST}", suggestion="Give fewer values.")
    lines = [np.concatenate(parts) for parts in itertools.product(*(points.values for points in found))]
    return Choices(names, tuple(tuple(line.tolist()) for line in lines))


def _block(model: ModelDefinition, block: Any) -> Any:
    """Values by parameter, or a table, which stands beside the model file."""
    if isinstance(block, Mapping):
        return block
    path = Path(block.removeprefix(TABLE))
    return path if path.is_absolute() or not model.source else Path(model.source).parent / path


def places_of(problem: OptimizationProblem, choices: Choices, starts: int, seed: int) -> list[tuple[Array, Array]]:
    """Every combination as values of all parameters, with the places of its designs in the unit box."""
    free = len(problem.names) > len(problem.chosen)
    count = max(SAMPLES, -(-SAMPLES * starts // len(choices))) if free else 1
    here = problem.values(problem.start)
    places = unit_points("sobol", count, len(problem.names), seed) if free else np.zeros((1, len(problem.names)))
    if free:
        places = np.vstack([problem.start, places])
    out = []
    for line in choices.values:
        values = here.copy()
        values[list(problem.chosen)] = line
        out.append((values, places))
    return out


def best_choices(problem: OptimizationProblem, pool: Sequence[Trial], starts: int) -> list[Trial]:
    """The best design of each of the best combinations."""
    kept: dict[tuple[float, ...], Trial] = {}
    for trial in sorted((trial for trial in pool if trial.ran), key=problem.rank):
        kept.setdefault(tuple(trial.values[list(problem.chosen)].tolist()), trial)
    return list(kept.values())[:starts]
