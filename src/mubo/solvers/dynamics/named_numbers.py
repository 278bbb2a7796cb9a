"""Numbers of a state by name: arrays, or dictionaries by the owners of coordinates or by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest


def read_by_name(
    order: Sequence[str], given: Any, letter: str, owner: str, read_text: Callable[[str, str], float]
) -> Array:
    """An array in the order of names "crank.x", from an array or a dictionary by owner ("crank") or by name.

    `letter` and `owner` ("joint", "body") are for messages; `read_text(name, text)` reads a number with its unit.
    """
    if isinstance(given, Mapping):
        values = _from_names(order, given, letter, owner)
    else:
        values = [given] if np.ndim(given) == 0 else list(given)
    if len(values) != len(order):
        raise ModelError(f"{letter} needs {len(order)} numbers, {', '.join(order)}; found {len(values)}")
    out = np.array([_number(name, value, letter, read_text) for name, value in zip(order, values, strict=True)], float)
    bad = ~np.isfinite(out)
    if bad.any():
        raise ModelError(f"{letter}: {order[int(np.argmax(bad))]} is {out[np.argmax(bad)]}: a finite number is needed")
    return out


def _from_names(order: Sequence[str], given: Mapping[str, Any], letter: str, owner: str) -> list[Any]:
    """Numbers of a dictionary in order; all must be there."""
    owners: dict[str, list[str]] = {}
    for name in order:
        owners.setdefault(name.rpartition(".")[0], []).append(name)
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key in owners:
            values = [value] if isinstance(value, str) or np.ndim(value) == 0 else list(value)
            if len(values) != len(owners[key]):
                raise ModelError(f"{letter} of {owner} {key} needs {len(owners[key])} numbers; found {len(values)}")
            out |= dict(zip(owners[key], values, strict=True))
        elif key in order:
            out[key] = value
        else:
            raise ModelError(f'{letter}: there is no "{key}". {nearest(key, [*owners, *order])}')
    missing = [name for name in order if name not in out]
    if missing:
        raise ModelError(f"{letter}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return [out[name] for name in order]


def _number(name: str, value: Any, letter: str, read_text: Callable[[str, str], float]) -> float:
    if not isinstance(value, str):
        return float(value)
    try:
        return read_text(name, value)
    except ModelError as error:
        raise ModelError(f"{letter}: {name}: {error}") from None
