"""Measured samples as a motion law: a natural spline through or near them, or through what a filter leaves of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.dependent import written
from mubo.laws.file_form import Quantities, frequency, several
from mubo.laws.law import FileForm, Law
from mubo.laws.number_text import number
from mubo.laws.smoothing import Smoothed, Smoothing, smoothing_of
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property


@dataclass(frozen=True)
class Table(Law):
    """Samples (time, value), smoothed by `smooth`: "none" interpolates by the natural cubic spline, "gcv" finds its λ
    by generalised cross-validation, a number is λ itself (unit: time³ for unit weights). { quintic = … } has the same
    words for the quintic spline (λ: time⁵), { butterworth = "residual" } or { butterworth = 6, order = 4 } is a
    zero-lag filter. `filled` says how many samples were not measured but filled in by whoever read them.

        motion = { time = [0, 0.4, 0.7, 1.2, 1.6, 2], value = [0, 1, 0.5, -0.3, 0.2, 0], smooth = 1e-4 }
    """

    time: tuple[float, ...]
    value: tuple[float, ...]
    smooth: str | float | Smoothing = "none"
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
        if isinstance(self.smooth, Mapping):
            object.__setattr__(self, "smooth", smoothing_of(self.smooth))
        if smoothing_of(self.smooth).filters:
            self.smoothed_samples  # noqa: B018 - uneven samples and an impossible cut-off are refused at once

    @cached_property
    def smoothed_samples(self) -> Smoothed:
        """The spline in use, with what to know about it."""
        return smoothing_of(self.smooth).answer(np.array(self.time), np.array(self.value))

    @property
    def smoothing(self) -> float | None:
        """λ in use: 0 interpolates, ∞ is a line (cubic) or a parabola (quintic); None of a filter."""
        lam: float | None = self.smoothed_samples.notes.get("smoothing")
        return lam

    @property
    def knots(self) -> Array:
        """Where the pieces of the spline meet: at the samples, which a filter takes for evenly spaced."""
        return self.smoothed_samples.pieces.t

    def __call__(self, t: Array) -> Array:
        return self.smoothed_samples.pieces(np.asarray(t, float))

    @property
    def description(self) -> str:
        how = smoothing_of(self.smooth).description
        return f"{len(self.time)} samples, t = {number(self.time[0])} … {number(self.time[-1])}: {how}"

    @property
    def samples(self) -> Table:
        return self

    def smoothed(self, how: str | float | Smoothing) -> Table:
        return replace(self, smooth=how)

    @property
    def domain(self) -> tuple[float, float]:
        return self.time[0], self.time[-1]

    def notes(self) -> dict[str, Any]:
        notes = {"samples": len(self.time), **self.smoothed_samples.notes}
        return {**notes, "filled": self.filled} if self.filled else notes

    def to_file(self) -> FileForm:
        form: dict[str, Any] = {"time": [written(t) for t in self.time], "value": [written(y) for y in self.value]}
        smooth = self.smooth.to_file() if isinstance(self.smooth, Smoothing) else self.smooth
        form["smooth"] = float(smooth) if isinstance(smooth, int) else smooth
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
        smooth = given.get("smooth", "none")
        if isinstance(smooth, Mapping):
            smooth = smoothing_of(smooth, lambda cutoff: frequency(cutoff, read.time))
        return cls(time, several(given["value"], "value", read.value), smooth, filled)
