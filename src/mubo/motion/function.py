"""Any Python function of time as a motion law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.errors import ModelError
from mubo.motion.law import EVERYWHERE, Array

# Central differences of eighth order (coefficients: Fornberg 1988, table 1).
_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
_OFFSETS = np.arange(-4, 5)


@dataclass(frozen=True)
class Function:
    """f(t) computed by Python code.

    If the function has an attribute `deriv`, deriv(t) must answer (f', f''); otherwise derivatives are taken by
    eighth-order central differences over the step `step`, and `notes` states how far two step lengths disagree.
    """

    function: Callable[[float], float]
    step: float = 2e-2

    def __call__(self, t: Array) -> Array:
        deriv = getattr(self.function, "deriv", None)
        value = self._values(t)
        if deriv is not None:
            return np.column_stack([value, np.array([deriv(float(x)) for x in t], float).reshape(-1, 2)])
        return np.column_stack([value, *self._differences(t, self.step)])

    def _values(self, t: Array) -> Array:
        try:
            return np.array([float(self.function(float(x))) for x in t])
        except (TypeError, ValueError) as error:
            raise ModelError(f"the driving function does not answer a number: {error}") from error

    def _differences(self, t: Array, h: float) -> tuple[Array, Array]:
        samples = self._values((t[:, None] + h * _OFFSETS).ravel()).reshape(-1, 9)
        return samples @ _FIRST / h, samples @ _SECOND / h**2

    @property
    def domain(self) -> tuple[float, float]:
        return EVERYWHERE

    def notes(self) -> dict[str, Any]:
        if hasattr(self.function, "deriv"):
            return {}
        return {"derivatives": "central differences of order 8"}

    def difference_error(self, t: Array) -> tuple[float, float]:
        """How far f' and f'' at two step lengths disagree: an estimate of their error."""
        fine, coarse = self._differences(t, self.step), self._differences(t, 1.5 * self.step)
        first, second = (float(np.max(np.abs(a - b))) for a, b in zip(fine, coarse, strict=True))
        return first, second
