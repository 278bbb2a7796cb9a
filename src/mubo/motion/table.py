"""Measured samples as a motion law: a natural cubic spline through or near them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.motion import spline

SMOOTHINGS = ("none", "gcv")


@dataclass(frozen=True)
class Table:
    """Samples (time, value), smoothed by `smooth`: "none" interpolates, "gcv" finds λ by generalised
    cross-validation, a number is λ itself (unit: time³ for unit weights). `filled` says how many samples were not
    measured but filled in by whoever read them.
    """

    time: tuple[float, ...]
    value: tuple[float, ...]
    smooth: str | float = "none"
    filled: int = 0

    def __post_init__(self) -> None:
        t, y = np.asarray(self.time, float), np.asarray(self.value, float)
        if len(t) != len(y):
            raise ModelError(f"a table needs as many values as times; found {len(y)} and {len(t)}")
        if len(t) < 2:
            raise ModelError(f"a table needs at least two samples; found {len(t)}")
        for name, column in (("time", t), ("value", y)):
            if not np.all(np.isfinite(column)):
                bad = int(np.argmin(np.isfinite(column)))
                raise ModelError(f"sample {bad + 1} of the table has the {name} {column[bad]}")
        steps = np.diff(t)
        if np.any(steps <= 0):
            bad = int(np.argmax(steps <= 0))
            word = "equals" if steps[bad] == 0 else "is before"
            raise ModelError(
                f"times of a table must increase: sample {bad + 2} (t = {t[bad + 1]:g}) {word} "
                f"sample {bad + 1} (t = {t[bad]:g})"
            )
        if isinstance(self.smooth, bool):
            raise ModelError('smooth must be "none", "gcv" or a number')
        if isinstance(self.smooth, str):
            if self.smooth not in SMOOTHINGS:
                raise ModelError(f'smooth must be "none", "gcv" or a number; found "{self.smooth}"')
        elif not self.smooth >= 0:
            raise ModelError(f"the smoothing parameter must not be negative; found {self.smooth}")

    @cached_property
    def smoothing(self) -> float:
        """λ in use: 0 interpolates, ∞ is a straight line."""
        if self.smooth == "none":
            return 0.0
        if self.smooth == "gcv":
            return spline.best_smoothing(np.array(self.time), np.array(self.value))
        return float(self.smooth)

    @cached_property
    def _fit(self) -> tuple[Array, Array, Array]:
        t = np.array(self.time)
        return (t, *spline.fit(t, np.array(self.value), self.smoothing))

    def __call__(self, t: Array) -> Array:
        return spline.evaluate(*self._fit, at=np.asarray(t, float))

    @property
    def domain(self) -> tuple[float, float]:
        return self.time[0], self.time[-1]

    def notes(self) -> dict[str, Any]:
        notes = {"samples": len(self.time), "smoothing": self.smoothing}
        return {**notes, "filled": self.filled} if self.filled else notes
