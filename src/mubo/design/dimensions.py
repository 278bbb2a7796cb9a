"""Dimensions that vary, and how the numbers of the vector loops follow them.

Coordinates of points and lengths enter the vectors of the loops linearly: numbers = base + dimensions · jacobian.
The Jacobian is found by building the loops with one dimension changed at a time, and verified at another point.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Mechanism, mechanism_of
from mubo.mechanism.formulations.loops import Loops, NoLoops, vector_loops
from mubo.model import ModelDefinition, target_of


@dataclass(frozen=True)
class Dimension:
    """A point or a length: its name, its nominal numbers and those of the variants (variants × 1 or 2)."""

    name: str
    nominal: Array
    values: Array
    scalar: bool

    def as_argument(self, numbers: Array) -> float | tuple[float, ...]:
        """The value as `Model.replace` takes it."""
        return float(numbers[0]) if self.scalar else tuple(float(x) for x in numbers)


@dataclass(frozen=True)
class NumberMap:
    """Loops in a general position, and the numbers of their core system for any dimensions."""

    loops: Loops
    base: Array
    jacobian: Array
    origin: Array

    def __call__(self, values: Array) -> Array:
        """Numbers, one line per line of dimensions."""
        return np.ascontiguousarray(self.base + (values - self.origin) @ self.jacobian)


def read_dimensions(mechanism: Mechanism, given: Mapping[str, Array]) -> list[Dimension]:
    """The parameters that vary; refuses names that are not there and arrays that do not fit together."""
    if not given:
        raise ModelError("a batch needs at least one dimension that varies, such as a point of a body")
    for driver in mechanism.model.drivers.values():
        if driver.start and target_of(mechanism.model, driver.of).points:
            raise ModelError(
                f"driver {driver.name}: starts {driver.start}, which is another value in every variant of a batch",
                names=[driver.name],
                suggestion="Give its motion the value to start from.",
            )
    found = []
    for name, values in given.items():
        nominal, positive = _nominal(mechanism, name)
        found.append(_dimension(name, nominal, values, positive))
    counts = {len(dimension.values) for dimension in found}
    if len(counts) > 1:
        counted = ", ".join(f"{dimension.name} {len(dimension.values)}" for dimension in found)
        raise ModelError(f"every dimension of a batch needs the same number of variants; found {counted}")
    if counts == {0}:
        raise ModelError("a batch needs at least one variant; found none")
    return found


def with_dimensions(model: ModelDefinition, dimensions: list[Dimension], numbers: Array) -> ModelDefinition:
    """The model with other dimensions, given in one line."""
    first = 0
    for dimension in dimensions:
        width = len(dimension.nominal)
        model = model.replace(dimension.name, dimension.as_argument(numbers[first : first + width]))
        first += width
    return model


def number_map(mechanism: Mechanism, q: Array, dimensions: list[Dimension]) -> NumberMap:
    """How the loops follow the dimensions.

    It is built about a point away from the nominal one, where no vector vanishes by chance.
    """
    nominal = np.concatenate([dimension.nominal for dimension in dimensions])
    names = [dimension.name for dimension in dimensions for _ in dimension.nominal]
    together = ", ".join(dimension.name for dimension in dimensions)
    size = mechanism.size
    anywhere = np.random.default_rng(0)  # any general numbers do; the same ones for the same answer

    def build(numbers: Array) -> Loops:
        return vector_loops(mechanism_of(with_dimensions(mechanism.model, dimensions, numbers)), q, points=True)

    origin = nominal + size * anywhere.uniform(0.01, 0.02, len(nominal))
    loops = build(origin)
    base = loops.system.numbers()
    jacobian = np.zeros((len(nominal), len(base)))
    for k, name in enumerate(names):
        changed = origin.copy()
        changed[k] += size
        jacobian[k] = (_numbers(loops, build(changed), name) - base) / size
    found = NumberMap(loops, base, jacobian, origin)
    other = nominal + size * anywhere.uniform(0.5, 1.0, len(nominal))
    gap = np.abs(found(other[None])[0] - _numbers(loops, build(other), together))
    if np.max(gap) > 1e-9 * (size + np.max(np.abs(base))):
        raise ModelError(
            f"a length that the model leaves out is taken from the estimates; it does not follow {together} linearly",
            names=[dimension.name for dimension in dimensions],
            suggestion="Give it; `mubo check` lists which numbers are taken from the estimates.",
        )
    return found


def _numbers(loops: Loops, other: Loops, names: str) -> Array:
    """Numbers of loops that must have the same vectors in the same places."""
    if _shape(loops) != _shape(other):
        raise NoLoops(f"its loops change their form with {names}")
    return other.system.numbers()


def _shape(loops: Loops) -> object:
    return [[term[:3] for term in terms] for terms in loops.polygons], [line[0] for line in loops.linear], loops.blocks


def _nominal(mechanism: Mechanism, name: str) -> tuple[list[float], bool]:
    """Nominal numbers of a dimension, and whether they must be positive."""
    model = mechanism.model
    head, _, tail = name.partition(".")
    if head in model.bodies and tail in model.bodies[head].points:
        return list(model.bodies[head].points[tail]), False
    if name in model.points:
        return list(model.points[name].at), False
    lengths = {
        f"{joint.name}.{option.name}": (mechanism.values[joint.name][option.name], option.positive)
        for joint in model.joints.values()
        for option in model.kinds[joint.kind].options
        if option.holds == "length" and option.name in mechanism.values.get(joint.name, {})
    }
    if name in lengths:
        return lengths[name]
    allowed = [f"{body.name}.{point}" for body in model.bodies.values() for point in body.points]
    raise ModelError(
        f'"{name}" cannot vary in a batch. {nearest(name, [*allowed, *model.points, *lengths])}',
        names=[name],
        suggestion="Points of bodies, points of interest and lengths of joints can.",
    )


def _dimension(name: str, nominal: list[float], given: Array, positive: bool) -> Dimension:
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        raise ModelError(f"{name}: expected an array of numbers", names=[name]) from None
    scalar = len(nominal) == 1
    if scalar and values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or values.shape[1] != len(nominal):
        wanted = "(variants,)" if scalar else "(variants, 2)"
        raise ModelError(f"{name}: expected an array of shape {wanted}; found {np.shape(given)}", names=[name])
    wrong = ~np.isfinite(values) | (positive & (values <= 0))
    if np.any(wrong):
        variant = int(np.argmax(np.any(wrong, axis=1)))
        kind = "positive" if positive else "finite"
        raise ModelError(
            f"{name}: variant {variant} (counted from 0) must be {kind}; found {values[variant]}", names=[name]
        )
    return Dimension(name, np.array(nominal), np.ascontiguousarray(values), scalar)
