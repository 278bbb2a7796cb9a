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
    kept = model.structure.get(key)
    if kept is not None and kept[1] == [one.tobytes() for one in numbers]:
        known: T = kept[2]
        if (kept[3] is model.drivers and kept[4] is model.forces) or all(map(operator.is_, kept[0], _laws(model))):
            return known
    found, laws = find(), _laws(model)
    if len(numbers[0]) <= MOST_ROWS and not any(map(asks_python, laws)):
        digits = [one.tobytes() for one in numbers]
        model.structure[key] = laws, digits, found, model.drivers, model.forces
    return found


def _laws(model: ModelDefinition) -> list[Law]:
    """The laws of all drivers and forces."""
    laws = [driver.motion for driver in model.drivers.values()]
    return laws + [law for force in model.forces.values() for law in force.options.values() if isinstance(law, Law)]
