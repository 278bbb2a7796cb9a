"""Effects of tolerances on measures: worst case, root sum of squares, Monte Carlo, and the share of each source.

With the exact derivatives S_k of a measure and tolerances ± t_k of standard deviations σ_k, to first order

    worst case  Σ |S_k| t_k          three sigma  3 √Σ (S_k σ_k)²          contribution  (S_k σ_k)² / Σ (S_j σ_j)²

(Nigam and Turner 1995). Where all spreads are normal with their limits at three sigma, three sigma of the measure is
the root of the sum of the squares of S_k t_k. Uniform spreads end at √3 σ: three sigma is stated as the worst case
where it would lie beyond. Monte Carlo runs every random design whole, followed from the nominal design on its branch.

A pin with the radial clearance r lies against its hole: its centre is off that of the hole by a vector of length r, in
a direction that is fixed in the first body of the joint along the whole motion. Its S is the length of the gradient
with respect to this offset, t = r, and σ = r/√2 (in space r/√3). Impacts, and a direction that follows the load along
the motion, are not modelled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.ranges import Points
from mubo.design.sensitivity import Sensitivity, sensitivity
from mubo.design.sweep import sweep
from mubo.design.variants import RAN
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.definition import TABLES
from mubo.model.dependence import at_parameters
from mubo.model.objectives import Objective
from mubo.model.read_parameters import with_parameters
from mubo.model.tolerances import Tolerance, read_tolerance
from mubo.quantities.output_times import OutputTimes


@dataclass(frozen=True)
class ToleranceSource:
    """One source of variation: a tolerance, and the parameters that it moves: one, or the offsets of a pin."""

    tolerance: Tolerance
    parameters: tuple[str, ...]

    @property
    def name(self) -> str:
        """As tables have it: "a", "clearance of B"."""
        return f"clearance of {self.tolerance.name}" if self.tolerance.clearance else self.tolerance.name


def with_sources(model: ModelDefinition, tolerances: list[Tolerance]) -> tuple[ModelDefinition, list[ToleranceSource]]:
    """The model with parameters for the offsets of its pins, all zero, and what moves which parameters."""
    sources = []
    for tolerance in tolerances:
        names: tuple[str, ...] = (tolerance.name,)
        if tolerance.clearance:
            model, names = _loosened(model, tolerance)
        sources.append(ToleranceSource(tolerance, names))
    return model, sources


def _loosened(model: ModelDefinition, tolerance: Tolerance) -> tuple[ModelDefinition, tuple[str, ...]]:
    """The model whose joint has its pin at a point of its own, off the first body's point by new parameters."""
    joint = model.joints[tolerance.name]
    if not any(row.kind == "coincide" for row in model.kinds[joint.kind].rows) or len(joint.between) != 2:
        raise ModelError(
            f"joint {joint.name}: a clearance is that of a pin or ball between two bodies",
            names=[joint.name],
            suggestion="Give the joint that holds two points together.",
        )
    letters = "xyz"[: model.dimension]
    names = tuple(_free(model, f"{joint.name}_{letter}") for letter in letters)
    units = with_parameters(model.units, dict.fromkeys(names, 0.0))
    model = model.changed(**at_parameters(model, units, TABLES, model.dependent_parts))
    joint = model.joints[joint.name]  # with its numbers as they follow the new parameters
    body, point = joint.between[0].split(".")
    body_part = model.bodies[body]
    offsets = units.parameters.named(names)
    pin = f"{point}_pin_of_{joint.name}"
    at = tuple(place + offsets[name] for place, name in zip(body_part.points[point], names, strict=True))
    bodies = {**model.bodies, body: replace(body_part, points={**body_part.points, pin: at})}
    joints = {**model.joints, joint.name: replace(joint, between=(f"{body}.{pin}", joint.between[1]))}
    return model.changed(bodies=bodies, joints=joints), names


def _free(model: ModelDefinition, name: str) -> str:
    """A name that no parameter, column or driver has."""
    while name in model.parameters or name in model.drivers or name in model.measures:
        name += "_"
    return name


OUTSIDE = 0.00135  # part of a normal spread beyond three sigma, to each side


@dataclass(frozen=True)
class Spread:
    """Measures of all samples (samples × measures), how each went, and its parameters."""

    values: Array
    status: tuple[str, ...]
    points: Array

    @property
    def ran(self) -> int:
        """How many samples ran to their end."""
        return sum(status.startswith(RAN) for status in self.status)

    @property
    def mean(self) -> Array:
        """Mean of the samples that ran."""
        return np.asarray(np.nanmean(self.values, axis=0))

    @property
    def sigma(self) -> Array:
        """Standard deviation of the samples that ran."""
        return np.asarray(np.nanstd(self.values, axis=0, ddof=1))

    @property
    def limits(self) -> Array:
        """Quantiles 0.135 % and 99.865 %: measures × 2."""
        return np.nanquantile(self.values, [OUTSIDE, 1 - OUTSIDE], axis=0).T


SAMPLES = 1000


@dataclass(frozen=True)
class ToleranceStack:
    """Half the width that every measure gets from every source, to first order; in a run also of columns."""

    sources: tuple[ToleranceSource, ...]
    sensitivity: Sensitivity

    def sizes(self, derivatives: Array) -> Array:
        """|S_k| of every source from derivatives by parameters (the last axis): of a pin the length of its gradient."""
        names = self.sensitivity.parameters
        parts = [derivatives[..., [names.index(name) for name in source.parameters]] for source in self.sources]
        return np.stack([np.sqrt(np.sum(part**2, axis=-1)) for part in parts], -1)

    @property
    def limits(self) -> Array:
        """t_k of every source."""
        return np.array([source.tolerance.size for source in self.sources])

    @property
    def sigmas(self) -> Array:
        """σ_k of every source along its gradient."""
        return np.array([_sigma(source) for source in self.sources])

    def worst(self, derivatives: Array) -> Array:
        """Σ |S_k| t_k."""
        return np.asarray(self.sizes(derivatives) @ self.limits)

    def sigma(self, derivatives: Array) -> Array:
        """√Σ (S_k σ_k)²."""
        return np.asarray(np.sqrt(np.sum((self.sizes(derivatives) * self.sigmas) ** 2, axis=-1)))


def _sigma(source: ToleranceSource) -> float:
    clearance = source.tolerance.clearance
    return source.tolerance.size / math.sqrt(len(source.parameters)) if clearance else source.tolerance.sigma


def tolerance(
    model: ModelDefinition,
    tolerances: Sequence[Tolerance],
    objectives: Sequence[Objective],
    study: str,
    times: OutputTimes,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    workers: int | None = None,
    linear: Callable[[ToleranceStack], None] = lambda stack: None,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> tuple[ToleranceStack, Spread | None]:
    """Exact derivatives of the measures by every source of variation, and the spread of `samples` random designs.

    `linear` is called with the derivatives before the samples are run.
    """
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
    linear(stack)
    points = Points(tuple(names), random_designs(loose, sources, samples, seed), "monte carlo")
    swept = sweep(loose, points, objectives, study, times, workers=workers, progress=progress)
    return stack, Spread(swept.values, tuple(swept.status), points.values)


def random_designs(model: ModelDefinition, sources: Sequence[ToleranceSource], samples: int, seed: int) -> Array:
    """Parameters of random samples: samples × parameters. Normal spreads are not cut off at their limits."""
    rng = np.random.default_rng(seed)
    columns = []
    for source in sources:
        size = source.tolerance.size
        if source.tolerance.clearance:
            directions = rng.standard_normal((samples, len(source.parameters)))
            columns.append(size * directions / np.linalg.norm(directions, axis=1, keepdims=True))
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
