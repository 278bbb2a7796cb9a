"""Whether numbers that follow from parameters are still allowed: positive radii, masses that a body can have, times.

Readers refuse such numbers where they are written; parameters may make them of sound ones later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from mubo.elements import TABLES, Element, TableSchema, loads_of
from mubo.errors import ModelError
from mubo.geometry.points_from_lengths import require_figure
from mubo.model.mass import require_possible, tensor_of
from mubo.model.options import require_allowed
from mubo.model.output_times import time_problems
from mubo.model.parts import Body, Parts

Found = tuple[tuple[str, ...], str]  # where, and what is wrong


def number_problems(model: Parts) -> Iterator[Found]:
    """The problems of numbers in a model that has parameters."""
    for body in model.bodies.values():
        for field, require in _of_body(body):
            yield from _attempt(("body", body.name, field), require)
    for joint in model.joints.values():
        yield from _options(("joint", joint.name), model.kinds.get(joint.kind), joint.options)
    for force in model.forces.values():
        yield from _options(("force", force.name), loads_of(model.dimension).get(force.kind), force.options)
    for table in TABLES.values():
        for name, detail in getattr(model, table.part).items():
            yield from _options((table.name, name), table, detail.options)
    yield from time_problems(model)


def _of_body(body: Body) -> Iterator[tuple[str, Callable[[], None]]]:
    if body.mass is not None:
        yield "mass", lambda: _require((body.mass or 0.0) >= 0, "the mass cannot be negative", body.mass)
    if body.density is not None:
        yield "density", lambda: _require((body.density or 0.0) > 0, "must be positive", body.density)
    if body.figure is not None:
        yield "lengths", lambda: require_figure(body.figure)
    for name, mass in body.added.items():
        yield "added_masses", lambda m=mass, n=name: _require(m > 0, f"the mass added at {n} must be positive", m)  # type: ignore[misc]
    if body.inertia is not None:
        yield "inertia", lambda: _inertia(body.inertia or ())
    sizes = body.shape.sizes if body.shape is not None else {}
    for name, size in sizes.items():
        yield "shape", lambda s=size, n=name: _require(s > 0, f"{n} must be positive", s)  # type: ignore[misc]
    if "inner" in sizes:
        thin = sizes["inner"] < sizes["radius"]
        yield (
            "shape",
            lambda: _require(thin, "the inner radius of a tube must be smaller than its radius", sizes["inner"]),
        )


def _inertia(inertia: tuple[float, ...]) -> None:
    if len(inertia) == 1:
        _require(inertia[0] >= 0, "the inertia cannot be negative", inertia[0])
    else:
        require_possible(tensor_of(inertia))


def _options(
    where: tuple[str, str], element: Element | TableSchema | None, given: Mapping[str, Any]
) -> Iterator[Found]:
    for option in element.options if element is not None else ():
        value = given.get(option.name)
        numbers = value if isinstance(value, tuple) else (value,)
        for number in numbers:
            if isinstance(number, float):
                yield from _attempt((*where, option.name), lambda o=option, x=number: require_allowed(o, x))  # type: ignore[misc]


def _attempt(where: tuple[str, ...], require: Callable[[], Any]) -> Iterator[Found]:
    try:
        require()
    except ModelError as error:
        yield where, f"{where[-1]}: {error}"


def _require(holds: bool | np.bool_, text: str, found: float | None) -> None:
    if not holds:
        raise ModelError(f"{text}; found {found:g}")
