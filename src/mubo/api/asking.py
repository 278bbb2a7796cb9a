"""How a study is asked for: its times and settings, and its answer as a run that draws itself."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from mubo.api.reports import Reports
from mubo.errors import ModelError
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.solvers.continuation.stepping import Settings

Time = float | str | None  # a number, text such as "10 ms", or None: as [analysis] says


def settings_of(tolerance: float | None, max_iterations: int, **others: Any) -> Settings:
    """Settings of a kinematic run; without a tolerance it follows from the mechanism's size."""
    from mubo.solvers.continuation.stepping import Settings

    if tolerance is not None and not tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {tolerance:g}")
    return Settings(tolerance or 0.0, max_iterations, **others)


class Asking(Reports):
    """Times as users write them, and runs as they get them."""

    def _times(self, start: Time, end: Time, step: Time) -> tuple[float, float, float]:
        """What is left out is as [analysis] says."""
        given = {"start": start, "end": end, "step": step}
        if self.analysis is None and self.origin is not None and self.origin.problems:
            raise ModelError("\n".join(self.origin.problems))
        for name, value in given.items():
            if value is None and self.analysis is None:
                raise ModelError(
                    f"{name} is missing, and the model has no [analysis] that gives it",
                    suggestion="Give start, end and step, such as --start 0 --end 1 --step 0.01.",
                )
        asked = [getattr(self.analysis, name) if value is None else value for name, value in given.items()]
        start, end, step = (self.units.read(value, "time") for value in asked)
        return start, end, step

    def _static_times(self, start: Time, end: Time, step: Time) -> tuple[float, float, float]:
        """Likewise; without end and step, and an [analysis] that has them, one position at the start."""
        if self.analysis is None and end is None and step is None:
            start = 0.0 if start is None else start
            return self._times(start, start, 1.0)
        return self._times(start, end, step)

    @staticmethod
    def _answer(result: Run) -> Run:
        if result.status != "ok":
            warnings.warn(result.events[-1].message, stacklevel=3)
        return result
