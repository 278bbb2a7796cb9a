"""Sizes that pictures can show: scenes are placed, divided and written in single precision, which ends at 1e38."""

from __future__ import annotations

from collections.abc import Iterable

from mubo.errors import ResultError

LEAST, MOST = 1e-30, 1e30


def require_drawable(size: float, far: Iterable[tuple[str, float]]) -> float:
    """The size of what is drawn, if it can be; `far` has words for what may be the cause, with how far it lies."""
    if LEAST <= size <= MOST:
        return size
    words, distance = max(far, key=lambda entry: entry[1], default=("the mechanism", size))
    raise ResultError(
        f"this cannot be drawn: it is {size:g} long, pictures are {LEAST:g} to {MOST:g}; {words} is {distance:g} away",
        numbers={"size": size},
        suggestion="Check its unit. Tables of the result can be written all the same.",
    )
