"""Interface of continuation: settings, results, and the protocol of a stepper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers

POSITION_TOLERANCE = 1e-6  # radians or sizes of the mechanism: nearer positions are equal
ROUNDING = 3e5 * float(np.finfo(float).eps)  # of coordinates, which are at most 1e5 scales large, three times
SweepResult = tuple[Status, int, Array, Array]  # status, steps done, states (the given one first), Newton iterations
DriverMotion = Callable[[Array], Array]  # values, rates and accelerations of the drivers at given times
SingularityPassage = Callable[["ContinuationResult", Array, float, Array], bool]  # tries to pass a position
RegularityTest = Callable[[Array, float], bool]  # whether a state at a time is far from singular


@dataclass
class ContinuationResult:
    """States (3 × unknowns: position, velocity, acceleration) at the output times that were reached."""

    states: Array
    corrections: Array  # Newton iterations per output time
    reached: int  # index of the last output time reached
    status: Status = Status.done
    stopped_at: float = np.nan  # time of the singular position, if any
    stopped_state: Array = field(default_factory=lambda: np.zeros((3, 0)))
    crossings: list[Any] = field(default_factory=list)  # change points that were passed
    misses: Any = None  # the change point that a lock just misses

    def add(self, states: Array, corrections: Array) -> None:
        """Append the states of the next output times."""
        new = slice(self.reached + 1, self.reached + 1 + len(states))
        self.states[new], self.corrections[new] = states, corrections
        self.reached += len(states)

    def stop(self, status: Status, time: float, state: Array) -> None:
        """End the motion before the next output time, at a state that was still reached."""
        self.status, self.stopped_at, self.stopped_state = status, time, state

    def select_rows(self, rows: Integers) -> ContinuationResult:
        """Restrict the result to some of its output times."""
        if len(rows) == len(self.states):
            return self
        done = int(np.searchsorted(rows, self.reached, side="right"))
        counts = np.add.reduceat(self.corrections, np.append(0, rows[:-1] + 1)) if len(rows) else self.corrections
        return replace(self, states=self.states[rows], corrections=counts, reached=done - 1)


@dataclass(frozen=True)
class Settings:
    """Accuracy, formulation and reported quantities of a kinematic analysis."""

    tolerance: float = 0.0  # FEPS; 0: 1e-10 times the decade of the mechanism's size
    max_iterations: int = 20  # NRMAX
    predictor: str = "taylor"
    progress: Callable[[int, int], None] = lambda done, total: None  # rows done, rows in all
    scale: float = 1.0  # of lengths, a power of ten: rounding is judged by it
    size: float = 0.0  # of the mechanism, where it is known: far from the origin that is less than the scale
    formulation: str = "auto"
    branch: str = "smooth"  # or "other": which motion to follow where two cross
    reverse: bool = False  # whether the drivers are reversed at the end, and the rows go back to the start
    mode: int = 1  # assembly mode to start in; 1 is that of the estimates
    transmission: bool = False  # whether the table has the columns of transmission
    advantage: str = ""  # output coordinate of the mechanical advantage
    extremes: tuple[str, ...] | None = None  # columns whose extremes are searched; None: all that are reported

    def same(self, tolerances: float, least: float = POSITION_TOLERANCE) -> float:
        """Distance below which two positions are equal, in radians and sizes of the mechanism: tolerances or rounding.

        The core judges corrections by the same bound (rounding_explained).
        """
        rounding = ROUNDING * self.scale / self.size if self.size else 0.0
        return max(least, tolerances * self.tolerance / self.scale, rounding)


class KinematicStepper(Protocol):
    """A stepper solves the positions at given times one after the other until one fails."""

    chunk: int  # steps per call, about a tenth of a second

    def start(self, q: Array, motion: Array) -> tuple[Status, Array]:
        """Return status and state at the absolute position q, which is (nearly) solved."""

    def solve_at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        """Return status and state at the unknowns x; the following steps start there."""

    def equations(self, x: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        """Return Φ, J, ν and γ at the unknowns x and their rates v."""

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        """Step from the state at times[0]; a body may be corrected by the fraction `part` of its motion.

        Every `parts` times make one output step, which is divided where necessary; a stepper of one step a call
        (`chunk`) takes it whole. Positions that differ by less than `same` are equal.
        """

    def bodies(self, states: Array, motion: Array) -> Array:
        """Return the states in absolute coordinates of the moving bodies."""
