"""Limits and targets as numbers in the unit of what they limit; those that no number can meet are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mubo.design.optimize.trial import Wanted
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.quantities.unit_algebra import measure
from mubo.quantities.units import quantity


def number_of(model: ModelDefinition, value: Any, unit: str, text: str) -> float:
    """A number, or text with a unit, in the unit of what it is compared with."""
    if not isinstance(value, str):
        return float(value)
    found = quantity(value)
    if found is None:
        raise ModelError(f'"{text}": "{value}" is no number with a unit')
    own = measure(unit) if unit else None
    if own is None:
        if found.powers and model.units.declared:
            raise ModelError(f'"{text}" has no unit; found "{value}"')
        return model.units.own(found)
    if found.powers != own[1]:
        raise ModelError(f'"{text}" is in {unit}; found "{value}"')
    return found.number * found.factor / own[0]


def require_no_contradiction(
    limits: Sequence[Wanted], bounds: dict[str, tuple[float, float]], units: dict[str, str]
) -> None:
    """Refuses limits that no number at all can meet: of the same measure, or of a parameter beyond its bounds."""
    for one in limits:
        unit = f" {units[one.term.text]}" * bool(units[one.term.text])
        for other in limits:
            least, most = one.value if one.sign <= 0 else -np.inf, other.value if other.sign >= 0 else np.inf
            if one.term.text == other.term.text and least > most:
                raise ModelError(f'"{one.text}" and "{other.text}" contradict: they are {least - most:g}{unit} apart')
        if one.term.text in bounds and one.term.objective is None:
            low, high = bounds[one.term.text]
            gap = max(one.value - high if one.sign <= 0 else 0.0, low - one.value if one.sign >= 0 else 0.0)
            if gap > 0:
                raise ModelError(
                    f'"{one.text}" contradicts the bounds of {one.term.text}, {low:g} to {high:g}: '
                    f"they are {gap:g}{unit} apart"
                )
