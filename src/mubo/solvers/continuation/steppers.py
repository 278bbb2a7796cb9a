"""Steppers of continuation, with their settings, results and protocol: vector loops, the dense core for small systems,
SuperLU of SciPy for large ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, Protocol

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.loops import Loops
from mubo.solvers.continuation.linear_algebra import SparseLU, is_large, jacobian

POSITION_TOLERANCE = 1e-6  # radians or sizes of the mechanism: nearer positions are equal
ROUNDING = 3e5 * float(np.finfo(float).eps)  # of coordinates, which are at most 1e5 scales large, three times
SweepResult = tuple[Status, int, Array, Array]  # status, steps done, states (the given one first), Newton iterations
DriverMotion = Callable[[Array], Array]  # values, rates and accelerations of the drivers at given times
SingularityPassage = Callable[["ContinuationResult", Array, float, Array], bool]  # tries to pass a position
RowSelection = Callable[[Array, Array], Integers]  # independent equations at a position and values of the drivers
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
        """Return Φ, J, ν and γ of all equations, redundant ones included, at the unknowns x and their rates v."""

    def select_equations(self, x: Array, motion: Array) -> bool:
        """Solve other independent equations from x on, and return whether there are any; `solve_at` must follow."""

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        """Step from the state at times[0]; a body may be corrected by the fraction `part` of its motion.

        Every `parts` times make one output step, which is divided where necessary; a stepper of one step a call
        (`chunk`) takes it whole. Positions that differ by less than `same` are equal.
        """

    def bodies(self, states: Array, motion: Array) -> Array:
        """Return the states in absolute coordinates of the moving bodies."""


def absolute_stepper(
    form: Absolute, active: Integers, settings: Settings, select: RowSelection | None = None
) -> AbsoluteStepper:
    """Return the faster stepper in absolute coordinates for a system of this size; `select` among redundant
    equations."""
    return (SparseStepper if is_large(form) else AbsoluteStepper)(form, active, settings, select)


class AbsoluteStepper:
    """Stepper in absolute coordinates by the dense solver of the core."""

    def __init__(
        self, form: Absolute, active: Integers, settings: Settings, select: RowSelection | None = None
    ) -> None:
        self._form, self._active, self._settings, self._select = form, active, settings, select
        self._sign, self._largest = 0, 0.0
        # Dense steps take about n³ + 1000 units of a nanosecond each: a tenth of a second per call.
        self.chunk = max(1, int(1e8 / (form.system.unknowns**3 + 1000)))

    def select_equations(self, x: Array, motion: Array) -> bool:
        if self._select is not None:
            self._active = self._select(x, motion)
        return self._select is not None

    def start(self, q: Array, motion: Array) -> tuple[Status, Array]:
        return self.solve_at(q, motion)

    def solve_at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        o = self._settings
        status, _, self._sign, self._largest, state = self._form.system.solve(
            self._active, x, motion, o.tolerance, o.max_iterations, o.scale
        )
        return status, state

    def equations(self, x: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        system = self._form.system
        return system.phi(x, motion), system.jacobian(x, motion), *system.right_sides(x, v, motion)

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        o = self._settings
        x, method = np.ascontiguousarray(state), (o.tolerance, o.max_iterations, o.predictor == "taylor", part)
        status, done, self._largest, states, counts = self._form.system.sweep(
            self._active, times, motion, x, self._sign, self._largest, self._form.weight, *method, o.scale, parts, same
        )
        return status, done, states, counts

    def bodies(self, states: Array, motion: Array) -> Array:
        return states


class LoopStepper:
    """Stepper on vector loops by the core: the unknowns are angles and slides."""

    def __init__(self, loops: Loops, settings: Settings) -> None:
        self._loops, self._settings = loops, settings
        self._signs = self._largest = np.zeros(0)
        largest = max((len(rows) for rows, _ in loops.blocks), default=1)
        self.chunk = max(1, int(1e8 / (200 * loops.system.unknowns + largest**3 + 1000)))

    def start(self, q: Array, motion: Array) -> tuple[Status, Array]:
        return self.solve_at(self._loops.start, motion)

    def solve_at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        o = self._settings
        status, _, self._signs, self._largest, state = self._loops.system.solve(
            x, motion, o.tolerance, o.max_iterations, o.scale
        )
        return status, state

    def equations(self, x: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        system, still = self._loops.system, np.zeros_like(x)
        at_rest = motion.copy()
        at_rest[1::3] = at_rest[2::3] = 0.0
        J = np.column_stack([system.along(x, unit, still, at_rest)[1] for unit in np.eye(len(x))])
        phi, rate, _ = system.along(x, still, still, motion)
        return phi, J, -rate, -system.along(x, v, still, motion)[2]

    def select_equations(self, x: Array, motion: Array) -> bool:
        return False

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        o = self._settings
        x, method = np.ascontiguousarray(state), (o.tolerance, o.max_iterations, o.predictor == "taylor", part)
        status, done, self._largest, states, counts = self._loops.system.sweep(
            times, motion, x, self._signs, self._largest, self._loops.weight, *method, o.scale, parts, same
        )
        return status, done, states, counts

    def bodies(self, states: Array, motion: Array) -> Array:
        return self._loops.system.bodies(np.ascontiguousarray(states), motion)


class SparseStepper(AbsoluteStepper):
    """Stepper in absolute coordinates with a sparse factorisation, for hundreds of bodies and more."""

    def __init__(
        self, form: Absolute, active: Integers, settings: Settings, select: RowSelection | None = None
    ) -> None:
        super().__init__(form, active, settings, select)
        self.chunk = 1

    def solve_at(self, x: Array, motion: Array) -> tuple[Status, Array]:
        status, x, _ = self._position(x, motion)
        if status != Status.done:
            return status, np.zeros((3, len(x)))
        status, state, self._sign, self._largest = self._rates(x, motion)
        return status, state

    def sweep(
        self, times: Array, motion: Array, state: Array, part: float, parts: int = 1, same: float = 0.0
    ) -> SweepResult:
        h, (q, v, a) = float(times[1] - times[0]), state
        guess = q + h * (v + 0.5 * h * a)
        counts, states = np.zeros(2), np.stack([state, state])
        first = guess if self._settings.predictor == "taylor" else q
        status, position, counts[1] = self._position(first, motion[1])
        if status == Status.done:
            status, states[1], sign, size = self._rates(position, motion[1])
            self._largest = max(self._largest, size)
            radius = _core.branch_radius(size, self._largest)
            if status == Status.done and self._left_branch(h, state, states[1], guess, radius, part):
                status = Status.other_branch
            elif status == Status.done and sign != self._sign:
                status = Status.sign_change
            elif status == Status.done and size < _core.nearly_singular * self._largest:
                status = Status.singular
        return status, int(status == Status.done), states, counts

    def _position(self, q: Array, motion: Array) -> tuple[Status, Array, int]:
        """Newton's method: status, position and number of iterations."""
        o, system = self._settings, self._form.system
        count, factor = 0, None
        while True:
            phi = system.phi(q, motion)
            gap = float(np.max(np.abs(phi)))
            if not np.isfinite(gap):
                return Status.not_finite, q, count
            converged = gap <= o.tolerance
            if _core.accepts(gap, o.tolerance, o.scale):
                return Status.done, q, count
            if not converged and count >= o.max_iterations:
                return Status.no_convergence, q, count
            if factor is None or not converged:  # the last, uncounted correction makes do with the last factor
                factor = self._factor(q, motion)
            if not factor.regular:
                return Status.singular, q, count
            q = q - factor.solve(phi[self._active])
            if converged:
                return Status.done, q, count
            count += 1

    def _rates(self, q: Array, motion: Array) -> tuple[Status, Array, int, float]:
        """Return status, state, sign of det J and smallest pivot."""
        factor, system = self._factor(q, motion), self._form.system
        if not factor.regular:
            return Status.singular, np.stack([q, q, q]), 0, 0.0
        still = np.zeros_like(q)
        v = factor.solve(system.right_sides(q, still, motion)[0][self._active])
        a = factor.solve(system.right_sides(q, v, motion)[1][self._active])
        return Status.done, np.stack([q, v, a]), factor.sign, factor.smallest

    def _factor(self, q: Array, motion: Array) -> SparseLU:
        return SparseLU(jacobian(self._form, q, motion)[self._active])

    def _left_branch(self, h: float, state: Array, after: Array, guess: Array, radius: float, part: float) -> bool:
        o, c = self._settings, self._form
        return _core.left_branch(
            c.width, c.turning, h, state, after, guess, c.weight, radius, part, o.tolerance, o.scale
        )
