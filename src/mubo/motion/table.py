"""Measured samples as a motion law: a natural cubic spline through or near them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.motion import spline
from mubo.motion.file_form import Quantities, several
from mubo.motion.law import FileForm, Law
from mubo.motion.words import number

SMOOTHINGS = {"none": "interpolating spline", "gcv": "smoothing spline, λ by cross-validation"}


@dataclass(frozen=True)
class Table(Law):
    """Samples (time, value), smoothed by `smooth`: "none" interpolates, "gcv" finds λ by generalised
    cross-validation, a number is λ itself (unit: time³ for unit weights). `filled` says how many samples were not
    measured but filled in by whoever read them.

        motion = { time = [0, 0.4, 0.7, 1.2, 1.6, 2], value = [0, 1, 0.5, -0.3, 0.2, 0], smooth = 1e-4 }
    """

    time: tuple[float, ...]
    value: tuple[float, ...]
    smooth: str | float = "none"
    filled: int = 0

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {"time": ("time", "value", "smooth", "filled")}

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
    def words(self) -> str:
        kind = SMOOTHINGS.get(str(self.smooth), f"smoothing spline, λ = {self.smooth}")
        return f"{len(self.time)} samples, t = {number(self.time[0])} … {number(self.time[-1])}: {kind}"

    @property
    def samples(self) -> Table:
        return self

    def smoothed(self, how: str | float) -> Table:
        return replace(self, smooth=how)

    @property
    def domain(self) -> tuple[float, float]:
        return self.time[0], self.time[-1]

    def notes(self) -> dict[str, Any]:
        notes = {"samples": len(self.time), "smoothing": self.smoothing}
        return {**notes, "filled": self.filled} if self.filled else notes

    def to_file(self) -> FileForm:
        form: dict[str, Any] = {"time": [float(t) for t in self.time], "value": [float(y) for y in self.value]}
        form["smooth"] = self.smooth if isinstance(self.smooth, str) else float(self.smooth)
        return {**form, "filled": self.filled} if self.filled else form

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Table:
        if "value" not in given:
            raise ModelError('a motion by samples needs "value" beside "time"')
        filled = given.get("filled", 0)
        if isinstance(filled, bool) or not isinstance(filled, int) or filled < 0:
            raise ModelError(
                f"filled should be how many of the samples were filled in, a whole number; found {filled!r}"
            )
        time = several(given["time"], "time", read.time)
        return cls(time, several(given["value"], "value", read.value), given.get("smooth", "none"), filled)
