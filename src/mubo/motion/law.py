"""What every motion law can do."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int32]


@runtime_checkable
class Law(Protocol):
    """f(t) with f'(t) and f''(t)."""

    def __call__(self, t: Array) -> Array:
        """f, f', f'' at the times t, as an array of shape (len(t), 3)."""

    @property
    def domain(self) -> tuple[float, float]:
        """First and last time at which the law is defined."""

    def notes(self) -> dict[str, Any]:
        """Facts for the summary, such as the smoothing used."""


EVERYWHERE = (-np.inf, np.inf)
