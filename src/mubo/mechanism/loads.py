"""The loads of a mechanism by name: the core's formula of every force, where it acts, and the numbers that fill it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.elements import Element, Option, loads_of
from mubo.model import Force, Model
from mubo.model.coordinates import coordinate_of, holds_at
from mubo.model.parts import Vector
from mubo.model.targets import point_of
from mubo.motion import Law

# How a form carries numbers over to its own axes: a place or direction fixed in the body, or numbers as they are.
PLACE, TURNED, PLAIN = "place", "turned", "plain"
TURNED_WITH = {"body": 0, "first": 0, "second": 1}  # the end with whose body a direction turns, by the word for axes


Number = tuple[str, int, tuple[float, ...]]  # how it is carried over, the end whose axes it stands in, its values


# Formulas of the core that act along a coordinate; the others act on one body or on a pair of them.
FOLLOWS = {name for kinds in (_core.plane_loads(), _core.space_loads()) for name, along, *_ in kinds if along}


@dataclass(frozen=True)
class NamedLoad:
    """A force of the model by a formula of the core.

    It acts along the `coordinate` (joint and number) of a joint, along the distance of two `ends` or the turn of their
    bodies, on the body of one end, or on the pair of two. Ends are body and point, in body axes.
    """

    name: str
    formula: str
    along: Along
    ends: tuple[tuple[str, Vector], ...]
    numbers: tuple[Number, ...]
    law: Law | None = None
    coordinate: tuple[str, int] | None = None
    holds: str = "force"  # what its size is, "force" or "torque"
    pulls: bool = False  # its size is positive where it pulls its ends together

    @property
    def lawful(self) -> bool:
        """Whether its formula has a law."""
        return self.law is not None


def named_loads(model: Model) -> Iterator[NamedLoad]:
    """Every force of a model, in the order in which it was written."""
    for force in model.forces.values():
        element = loads_of(model.dimension)[force.kind]
        coordinate, ends = None, tuple(_end(model, element, reference) for reference in force.on)
        if element.key == "of":
            joint, number = coordinate_of(model, force.on[0])
            coordinate, ends = (joint.name, number), ()
        law = force.options[element.formula.law] if element.formula.law else None
        yield NamedLoad(
            force.name,
            element.formula.name,
            _along(element),
            ends,
            tuple(_numbers(force, element, ends)),
            law,
            coordinate,
            size_holds(model, force),
            element.formula.pulls,
        )


def _along(element: Element) -> Along:
    """What a load acts along, as far as its declaration tells: which freedom of a joint, a form knows."""
    if element.key == "of":
        return Along.freedom
    if element.key != "between":
        return Along.body
    if element.ends == "point":
        return Along.distance
    return Along.turn if element.formula.name in FOLLOWS else Along.pair


def size_holds(model: Model, force: Force) -> str:
    """What the size of a force is: a "force", or a "torque"."""
    element = loads_of(model.dimension)[force.kind]
    if element.key == "of":
        return "torque" if holds_at(model, force.on[0]) == "angle" else "force"
    return "torque" if element.key == "body" or element.ends == "body" else "force"


def _end(model: Model, element: Element, reference: str) -> tuple[str, Vector]:
    if element.key in ("of", "body") or element.ends == "body":
        return reference, (0.0,) * model.dimension
    return point_of(model, reference)


def _numbers(force: Force, element: Element, ends: tuple[tuple[str, Vector], ...]) -> Iterator[Number]:
    """What fills the numbers of the core's formula."""
    assert element.formula is not None
    options = {option.name: option for option in element.options}
    for name in element.formula.quantities:
        if name == "point":
            yield PLACE, 0, ends[0][1]
        else:
            axes = options.get("axes")
            turned = TURNED_WITH.get(force.options.get("axes", axes.default)) if axes else None
            yield _number(options[name], force.options.get(name, options[name].default), turned)


def _number(option: Option, value: Any, turned: int | None) -> Number:
    if option.holds == "direction":
        direction = np.array(value) / np.linalg.norm(value)
        carried = PLAIN if turned is None else TURNED
        return carried, turned or 0, tuple(float(x) for x in direction)
    return PLAIN, 0, (float(option.holds.index(value) if isinstance(option.holds, tuple) else value),)
