"""What a law needs to read its own keys from a model file, without knowing units."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass

Read = Callable[[Any], float]


@dataclass(frozen=True)
class Quantities:
    """How the numbers of a file become numbers of a law; whoever reads the file knows its units."""

    value: Read  # of what the law gives: an angle, a length, a force
    time: Read  # of what it depends on: time, or the angle of a cam
    derivative: Callable[[Any, int], float]  # of what it gives per time, per time squared …
    rate: Read  # a speed: of what it gives per time, in the unit of speeds
    radians: Read  # an angle in radians, whatever the model's unit of angle
    frequency: Read  # radians per time


def one(given: Any, name: str, read: Read) -> float:
    """Reads a number; an error message begins with its name."""
    try:
        return read(given)
    except ModelError as error:
        raise ModelError(f"{name}: {error}") from None


def frequency(given: Any, time: Read) -> Any:
    """A cut-off in cycles per unit of time: text such as "6 Hz" by the unit of time, anything else as it is."""
    if not isinstance(given, str):
        return given
    try:
        return float(given.strip().removesuffix("Hz")) / time("1 s")
    except ValueError:
        raise ModelError(f'expected a frequency such as "6 Hz"; found "{given}"') from None


def several(given: Any, name: str, read: Read) -> tuple[float, ...]:
    """The numbers of a list that is not empty."""
    if not isinstance(given, list | tuple) or not given:
        raise ModelError(f"{name} needs a list of numbers")
    return tuple(one(value, name, read) for value in given)


def require_keys(given: Iterable[str], what: str, known: Iterable[str]) -> None:
    """Refuses a key that `what` does not have."""
    for key in given:
        if key not in known:
            raise ModelError(f'{what} has no "{key}". {nearest(key, known)}')
