"""The times of the rows of a run: equal steps from a start to an end, or a list; and what a driver travels until then.

A run is never shorter than asked: its last row is `end`, also where the step does not divide the time.
"""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

MOST_NUMBERS, MOST_ROWS = 1e9, 5e6  # of a result: eight gigabytes; more rows than anyone reads
ROUNDING = 1e-9  # of a step: what the last row may miss the end by


@dataclass(frozen=True)
class Travel:
    """The displacement of a driver from its value at t = 0, counted in the sense of its motion: "1 rev", "50 mm".

    The value is in the model's unit of angle or length, as motion laws are. `kind` is "angle" or "length", "" where a
    plain number stands for the driver's own unit; `text` is what somebody wrote.
    """

    value: float
    kind: str = ""
    text: str = ""


@dataclass(frozen=True)
class TimesAsked:
    """The request that output times follow from: keys that were given, the meaning of a missing end, drivers left
    undriven."""

    given: tuple[tuple[str, Any], ...]
    without_end: str
    free: tuple[str, ...]


@dataclass(frozen=True)
class OutputTimes:
    """The times of the rows: start, start + step, … and end, or the list `at`, in the model's unit of time."""

    start: float
    end: float
    step: float
    at: tuple[float, ...] = ()
    asked: TimesAsked | None = field(default=None, compare=False)  # from which those of a variant follow

    @classmethod
    def listed(cls, times: Array) -> OutputTimes:
        """Rows at a list of increasing times."""
        first, last = float(times[0]), float(times[-1])
        return cls(first, last, (last - first) / max(len(times) - 1, 1) or 1.0, tuple(times.tolist()))

    @classmethod
    def single(cls, time: float) -> OutputTimes:
        """One row."""
        return cls(time, time, 1.0)

    def grid(self, columns: int = 1) -> Array:
        """The times as an array; refuses what has no meaning, or with that many columns does not fit into memory."""
        if self.at:
            return np.array(self.at)
        start, end, step = self.start, self.end, self.step
        for name, value in (("start", start), ("end", end), ("step", step)):
            if not math.isfinite(value):
                raise ModelError(f"{name} must be a finite number; found {value}")
        if step <= 0:
            raise ModelError(f"the time step must be positive; found {step:g}")
        if end < start:
            raise ModelError(f"the end time {end:g} is before the start time {start:g}")
        rows = (end - start) / step
        if not rows * columns < MOST_NUMBERS or not rows < MOST_ROWS:
            why = "more than fit into memory" if rows < MOST_ROWS else f"more than {MOST_ROWS:,.0f}"
            raise ModelError(
                f"a step of {step:g} from {start:g} to {end:g} gives {rows:.3g} rows, {why}",
                suggestion="Take a longer step or a shorter time.",
            )
        grid = start + np.arange(math.floor(rows + ROUNDING) + 1) * step
        left = end - grid[-1]
        return np.asarray(np.append(grid, end) if left > ROUNDING * step else grid, float)

    def halved(self) -> OutputTimes:
        """These rows and one more between each two."""
        if not self.at:
            return replace(self, step=self.step / 2, asked=None)
        times = np.array(self.at)
        return OutputTimes.listed(np.sort(np.concatenate([times, (times[1:] + times[:-1]) / 2])))

    def until(self, end: float) -> OutputTimes:
        """The rows before another end, and that end."""
        if not self.at:
            return replace(self, end=end, asked=None)
        times = np.array(self.at)
        return OutputTimes.listed(np.append(times[times < end - ROUNDING * self.step], end))
