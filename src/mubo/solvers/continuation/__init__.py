"""Continuation along a motion; here values that follow from motion laws and numbers, which variants of a model share.

A loop over lengths asks for the same rows with the same drivers again and again. What was found for the last of them is
kept with the structure of the model, unless it is large or a Python function is behind a law, whose answers may differ
at another time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TypeVar

from mubo.arrays import Array
from mubo.laws.law import Law, asks_python
from mubo.model import ModelDefinition

MOST_ROWS = 10_000
T = TypeVar("T")


def of_same_laws(model: ModelDefinition, key: str, numbers: Sequence[Array], find: Callable[[], T]) -> T:
    """The value that `find` returns, or what it returned for the last model of this structure with the same laws and
    the same numbers, the first of which are the times of the rows."""
    laws = [driver.motion for driver in model.drivers.values()]
    laws += [law for force in model.forces.values() for law in force.options.values() if isinstance(law, Law)]
    kept = model.structure.get(key)
    if kept is not None:
        known: T = kept[2]
        if all(map(operator.is_, kept[0], laws)) and all(map(_equal, kept[1], numbers)):
            return known
    found = find()
    if len(numbers[0]) <= MOST_ROWS and not any(map(asks_python, laws)):
        model.structure[key] = laws, [one.copy() for one in numbers], found
    return found


def _equal(one: Array, other: Array) -> bool:
    """Whether two arrays have the same numbers in the same shape."""
    return one.shape == other.shape and bool((one == other).all())
