"""Any Python function of time as a motion law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.law import FileForm, Law
from mubo.lazy_dataclass import dataclass

# Central differences of eighth order (coefficients: Fornberg 1988, table 1).
_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
_OFFSETS = np.arange(-4, 5)
_STEPS = 10.0 ** np.arange(0, -6.1, -0.5)  # tried for the differences, longest first
_SAMPLES = 25
_ASIDE = 0.29  # of a step: where it is tried besides


@dataclass(frozen=True)
class Function(Law):
    """f(t) computed by Python code.

    If the function has an attribute `deriv`, deriv(t) must answer (f', f''). Otherwise derivatives are taken by central
    differences of order eight, over the step at which two neighbouring step lengths agree best; how far they disagree
    is the error that `notes` states.
    """

    function: Callable[[float], float]
    _chosen: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, t: Array) -> Array:
        value = self.values(t)
        if self.knows_derivatives:
            return np.column_stack([value, self._given_derivatives(t)])
        return np.column_stack([value, *self._differences(t, self._step(t))])

    def values(self, t: Array) -> Array:
        try:
            out = np.array([float(self.function(float(x))) for x in t])
        except Exception as error:  # whatever user code may raise is reported for the law, without a traceback
            raise ModelError(f"the driving function does not answer a number: {error}") from error
        return out

    def _given_derivatives(self, t: Array) -> Array:
        try:
            deriv: Any = getattr(self.function, "deriv")  # noqa: B009  # an attribute that plain functions may have
            return np.array([deriv(float(x)) for x in t], dtype=np.float64).reshape(-1, 2)
        except (TypeError, ValueError) as error:
            raise ModelError(f"deriv(t) of the driving function must answer (f', f''): {error}") from error

    def _differences(self, t: Array, h: float) -> tuple[Array, Array]:
        samples = self.values((t[:, None] + h * _OFFSETS).ravel()).reshape(-1, 9)
        return samples @ _FIRST / h, samples @ _SECOND / h**2

    def _step(self, t: Array) -> float:
        """The step with the smallest disagreement of f'' with the next shorter one; chosen again where more times are
        asked for than before."""
        span = float(np.ptp(t)) if len(t) else 0.0
        if "step" not in self._chosen or span > 2 * self._chosen["span"]:
            self._chosen["span"] = span
            at = t[np.linspace(0, len(t) - 1, min(len(t), _SAMPLES)).astype(int)]
            best: tuple[float, float, float] | None = None
            for h in _STEPS:
                # Where the law is odd or even all steps agree; beside such a time they do not.
                beside = np.concatenate([at, at + _ASIDE * h])
                try:
                    long, short = self._differences(beside, float(h)), self._differences(beside, float(h) / 1.5)
                except ModelError:
                    continue  # the function ends within this step of a time asked for
                first, second = (float(np.max(np.abs(a - b))) for a, b in zip(long, short, strict=True))
                if np.isfinite(second) and (best is None or second < best[1]):
                    best = (first, second, float(h) / 1.5)
            if best is None:
                raise ModelError(
                    "the driving function has no derivatives by differences: it does not answer around the times asked "
                    "for",
                    suggestion="Give it an attribute deriv: deriv(t) answers (f', f'').",
                )
            self._chosen["velocity error"], self._chosen["acceleration error"], self._chosen["step"] = best
        return self._chosen["step"]

    @property
    def description(self) -> str:
        return f"the Python function {getattr(self.function, '__name__', 'given')}"

    @property
    def knows_derivatives(self) -> bool:
        return hasattr(self.function, "deriv")

    def to_file(self) -> FileForm:
        raise ModelError(
            "a Python function cannot be written to a file", suggestion="Use an expression, a polynomial or a table."
        )

    def notes(self) -> dict[str, Any]:
        if self.knows_derivatives or not self._chosen:
            return {}
        first, second = (f"{self._chosen[f'{word} error']:.1e}" for word in ("velocity", "acceleration"))
        return {"derivatives": f"by differences of order 8; error about {first} in velocity, {second} in acceleration"}
