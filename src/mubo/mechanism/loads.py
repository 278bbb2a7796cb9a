"""The loads of a mechanism by name: the core's formula of every force, where it acts, and the numbers that fill it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.elements import Element, Option, loads_of
from mubo.model import Force, Model
from mubo.model.coordinates import coordinate_of
from mubo.model.parts import Vector
from mubo.model.targets import point_of
from mubo.motion import Law

# How a form carries numbers over to its own axes: a place or direction fixed in the body, or numbers as they are.
PLACE, TURNED, PLAIN = "place", "turned", "plain"


@dataclass(frozen=True)
class NamedLoad:
    """A force of the model by a formula of the core.

    It acts along the `coordinate` (joint and number) of a joint, along the distance of two `ends`, or on the body of
    one end. Ends are body and point, in body axes.
    """

    name: str
    formula: str
    ends: tuple[tuple[str, Vector], ...]
    numbers: tuple[tuple[str, tuple[float, ...]], ...]  # how each is carried over, and its values
    law: Law | None = None
    coordinate: tuple[str, int] | None = None


def named_loads(model: Model) -> Iterator[NamedLoad]:
    """Every force of a model, in the order in which it was written."""
    for force in model.forces.values():
        element = loads_of(model.dimension)[force.kind]
        assert element.formula is not None
        coordinate, ends = None, tuple(_end(model, element, reference) for reference in force.on)
        if element.key == "of":
            joint, number = coordinate_of(model, force.on[0])
            coordinate, ends = (joint.name, number), ()
        law = force.options[element.formula.law] if element.formula.law else None
        yield NamedLoad(force.name, element.formula.name, ends, tuple(_numbers(force, element, ends)), law, coordinate)


def _end(model: Model, element: Element, reference: str) -> tuple[str, Vector]:
    if element.key in ("of", "body"):
        return reference, (0.0,) * model.dimension
    return point_of(model, reference)


def _numbers(
    force: Force, element: Element, ends: tuple[tuple[str, Vector], ...]
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """What fills the numbers of the core's formula."""
    assert element.formula is not None
    options = {option.name: option for option in element.options}
    for name in element.formula.quantities:
        if name == "point":
            yield PLACE, ends[0][1]
        else:
            yield _number(force, options[name], force.options.get(name, options[name].default))


def _number(force: Force, option: Option, value: Any) -> tuple[str, tuple[float, ...]]:
    if option.holds == "direction":
        direction = np.array(value) / np.linalg.norm(value)
        carried = TURNED if force.options.get("axes") == "body" else PLAIN
        return carried, tuple(float(x) for x in direction)
    return PLAIN, (float(option.holds.index(value) if isinstance(option.holds, tuple) else value),)
