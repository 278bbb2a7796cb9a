"""Effects of tolerances on measures: worst case, root sum of squares, Monte Carlo, and who contributes what.

With the exact slopes S_k of a measure and tolerances ± t_k of standard deviations σ_k, to first order

    worst case  Σ |S_k| t_k          three sigma  3 √Σ (S_k σ_k)²          contribution  (S_k σ_k)² / Σ (S_j σ_j)²

(Nigam and Turner 1995). A pin with the radial clearance r may lie anywhere on its circle: its S is the length of the
gradient by its offset, t = r, and σ = r/√2 (in space r/√3). Where all spreads are normal with their limits at three
sigma, three sigma of the measure is the root of the sum of the squares of S_k t_k. Uniform spreads end at √3 σ: three
sigma is stated as the worst case where it would lie beyond. Monte Carlo runs every sample whole, followed from the
nominal design on its branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.clearance import ToleranceSource, with_sources
from mubo.design.ranges import Points
from mubo.design.sensitivity import Sensitivity, sensitivity
from mubo.design.spread import Spread
from mubo.design.sweep import sweep
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.objectives import Objective
from mubo.model.tolerances import Tolerance, read_tolerance

SAMPLES = 1000


@dataclass(frozen=True)
class ToleranceStack:
    """Half the width that every measure gets from every source, to first order; in a run also of columns."""

    sources: tuple[ToleranceSource, ...]
    slopes: Sensitivity

    def sizes(self, slopes: Array) -> Array:
        """|S_k| of every source from slopes by parameters (the last axis): of a pin the length of its gradient."""
        names = self.slopes.parameters
        parts = [slopes[..., [names.index(name) for name in source.parameters]] for source in self.sources]
        return np.stack([np.sqrt(np.sum(part**2, axis=-1)) for part in parts], -1)

    @property
    def limits(self) -> Array:
        """t_k of every source."""
        return np.array([source.tolerance.size for source in self.sources])

    @property
    def sigmas(self) -> Array:
        """σ_k of every source along its slope."""
        return np.array([_sigma(source) for source in self.sources])

    def worst(self, slopes: Array) -> Array:
        """Σ |S_k| t_k."""
        return np.asarray(self.sizes(slopes) @ self.limits)

    def sigma(self, slopes: Array) -> Array:
        """√Σ (S_k σ_k)²."""
        return np.asarray(np.sqrt(np.sum((self.sizes(slopes) * self.sigmas) ** 2, axis=-1)))


def _sigma(source: ToleranceSource) -> float:
    clearance = source.tolerance.clearance
    return source.tolerance.size / math.sqrt(len(source.parameters)) if clearance else source.tolerance.sigma


def tolerance(
    model: ModelDefinition,
    tolerances: Sequence[Tolerance],
    objectives: Sequence[Objective],
    study: str,
    times: tuple[float, float, float],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> tuple[ToleranceStack, Spread | None]:
    """Exact slopes of the measures by everything that is not exact, and `samples` whole runs; none where that is 0."""
    if not tolerances:
        raise ModelError(
            "there are no tolerances",
            suggestion='Ask for --of a=0.05mm or --clearance B=0.02mm, or write [tolerances] with a = "0.05 mm".',
        )
    if samples < 0:
        raise ModelError(f"the number of samples must not be negative; found {samples}")
    loose, sources = with_sources(model, list(tolerances))
    names = [name for source in sources for name in source.parameters]
    found = sensitivity(loose, objectives, names, study, times)
    stack = ToleranceStack(tuple(sources), found)
    if not samples:
        return stack, None
    points = Points(tuple(names), drawn(loose, sources, samples, seed), "monte carlo")
    swept = sweep(loose, points, objectives, study, times, workers=workers, progress=progress)
    return stack, Spread(swept.values, tuple(swept.status), points.values)


def drawn(model: ModelDefinition, sources: Sequence[ToleranceSource], samples: int, seed: int) -> Array:
    """Parameters of random samples: samples × parameters. Normal spreads are not cut off at their limits."""
    rng = np.random.default_rng(seed)
    columns = []
    for source in sources:
        size = source.tolerance.size
        if source.tolerance.clearance:
            ways = rng.standard_normal((samples, len(source.parameters)))
            columns.append(size * ways / np.linalg.norm(ways, axis=1, keepdims=True))
            continue
        nominal = float(model.parameters[source.tolerance.name].value)
        normal = source.tolerance.spread == "normal"
        off = rng.normal(0, source.tolerance.sigma, samples) if normal else rng.uniform(-size, size, samples)
        columns.append((nominal + off)[:, None])
    return np.concatenate(columns, axis=1)


def tolerances_of(model: ModelDefinition, of: Mapping[str, Any], clearance: Mapping[str, Any]) -> list[Tolerance]:
    """Those asked for; without any, those that the model has."""
    if not of and not clearance:
        return list(model.tolerances.values())
    given = [read_tolerance(model, name, size) for name, size in of.items()]
    return given + [read_tolerance(model, name, {"clearance": size}) for name, size in clearance.items()]
