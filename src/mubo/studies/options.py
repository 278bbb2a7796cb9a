"""Options that several studies share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mubo.studies.declare import option


def no_progress(done: float, total: float) -> None:
    """Shows nothing: the progress of a study that nobody watches."""


@dataclass(frozen=True)
class Timed:
    """The time grid of a study: start, start + step, … and end, always the last row."""

    start: float | str | None = option(
        None, 'First time, such as 0.1 or "100 ms".', quantity="time", in_file=True, positional=True, required=True
    )
    end: float | str | None = option(None, "Last time.", quantity="time", in_file=True, positional=True, required=True)
    step: float | str | None = option(
        None, "Time between rows.", quantity="time", in_file=True, positional=True, required=True
    )

    @property
    def times(self) -> tuple[float, float, float]:
        """Start, end and step in the model's unit of time."""
        return float(self.start or 0.0), float(self.end or 0.0), float(self.step or 0.0)


@dataclass(frozen=True)
class Watched:
    """A study whose progress can be watched."""

    progress: Callable[[float, float], None] = option(
        no_progress, "Called with the work done and the whole work, for a progress bar.", flag=""
    )


@dataclass(frozen=True)
class Solved(Timed, Watched):
    """How the positions along a prescribed motion are solved."""

    tolerance: float | None = option(
        None,
        "Largest constraint violation (FEPS).",
        shown_default="1e-10 times the decade of the mechanism's size",
    )
    max_iterations: int = option(20, "Newton iterations per step (NRMAX).", least=1)
    formulation: str = option("auto", "Equations to solve.", choices=("auto", "absolute", "loops"))
    branch: str = option("smooth", "Motion to follow where two cross.", choices=("smooth", "other"))
    mode: int = option(1, "Assembly mode to start in, as `mubo check --modes` numbers them.", least=1)


@dataclass(frozen=True)
class Scaled:
    """The length that weighs moments against forces."""

    length_scale: float | str | None = option(
        None,
        "Length that weighs moments against forces where reactions are not unique, such as 0.1 or '100 mm'.",
        quantity="length",
        shown_default="1 m",
    )

    @property
    def scale(self) -> float | None:
        """The length scale in the model's unit of length."""
        return None if self.length_scale is None else float(self.length_scale)


@dataclass(frozen=True)
class WithForces(Solved, Scaled):
    """How forces along a motion are found."""
