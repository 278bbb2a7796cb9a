"""Places on bodies, and numbers as JSON takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array


@dataclass(frozen=True)
class End:
    """A place on a body, in its axes."""

    body: str
    at: tuple[float, ...]


def plain(value: Any) -> Any:
    """Arrays and tuples as lists of Python numbers."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def rows_of(values: Array | None) -> list[Any]:
    """Rows as lists; one that holds a NaN is a gap, None."""
    if values is None:
        return []
    gaps = np.isnan(values).any(axis=1)
    rows: list[Any] = values.tolist()
    for k in np.flatnonzero(gaps):
        rows[k] = None
    return rows


def as_end(end: End) -> dict[str, Any]:
    return {"body": end.body, "at": list(end.at)}
