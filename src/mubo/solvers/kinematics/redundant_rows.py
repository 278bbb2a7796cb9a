"""Redundant equations: which of them are solved, and a change of that choice on the way.

A mechanism with redundant equations is moved by as many independent ones as it has unknowns. Along the motion the ones
chosen may lose their rank where all together do not: there no two motions cross, and others are chosen. Where a row of
the table is close to such a place, what was left out shows it, and the row is solved by all equations together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.solvers.assembly.block_rank import taken_apart
from mubo.solvers.assembly.mobility import scaled_jacobian, scaled_ties
from mubo.solvers.assembly.singular_positions import is_regular
from mubo.solvers.assembly.start_analysis import Inspection
from mubo.solvers.continuation.continuation import SHORTEST, Cross, DriverMotion, Path, Stepper, divide
from mubo.solvers.continuation.equation_scales import Scales
from mubo.solvers.continuation.linear_algebra import is_large
from mubo.solvers.continuation.steppers import CoreStepper, SparseStepper

MOST_CHANGES = 1000  # of equations between two rows
UNSATISFIED = 1e-11  # residual of an equation left out, beside the size of what it holds


def best_rows(form: Absolute, q: Array, motion: Array) -> Integers:
    """As many equations as unknowns, the most independent ones at q (QR with column pivoting of Jᵀ, of a large one body
    by body)."""
    if is_large(form):
        return np.array(taken_apart(scaled_ties(form, q, motion)[0]).independent, np.int32)
    from scipy.linalg import qr

    J, _ = scaled_jacobian(form, q, motion)
    order = qr(J.T, mode="r", pivoting=True)[1]
    return np.sort(order[: J.shape[1]]).astype(np.int32)


def mended(form: Absolute, states: Array, motion: Array) -> Array:
    """States that satisfy all equations; those that fail the ones left out are solved again by least squares."""
    out = np.ascontiguousarray(states)
    if is_large(form) or _satisfied(form, out, motion):
        return states
    out = out.copy()
    for k in range(len(out)):
        here = motion[k : k + 1]
        if not _satisfied(form, out[k : k + 1], here):
            by_all = _by_all(form, out[k][0], motion[k])
            if _satisfied(form, by_all[None], here):  # else they contradict each other, and nothing is smoothed over
                out[k] = by_all
    return out


def _satisfied(form: Absolute, states: Array, motion: Array) -> bool:
    """Whether no residual is more than rounding beside the largest coordinate, velocity and acceleration."""
    largest = np.max(form.system.residuals(states, motion), axis=1, initial=0.0)
    beside = np.max(np.abs(states), axis=(0, 2), initial=0.0)
    return bool(np.all(largest <= UNSATISFIED * np.maximum(beside, form.scale)))


def _by_all(form: Absolute, q: Array, motion: Array) -> Array:
    """Position, velocity and acceleration by all equations, whose rank is full where they agree."""
    system, weight, rows = form.system, form.weight, Scales.of(form).weight

    def solved(at: Array, right: Array) -> Array:
        J = rows[:, None] * np.asarray(system.jacobian(at, motion)) / weight
        return np.asarray(np.linalg.lstsq(J, rows * right, rcond=None)[0]) / weight

    for _ in range(2):  # Gauss and Newton, from a position that is solved nearly
        q = q - solved(q, system.phi(q, motion))
    v = solved(q, system.right_sides(q, np.zeros_like(q), motion)[0])
    return np.stack([q, v, solved(q, system.right_sides(q, v, motion)[1])])


def reselecting(look: Inspection, stepper: Stepper) -> Callable[[Cross], Cross]:
    """What a way with redundant equations puts before the crossing of change points; other ways nothing."""
    if not look.diagnosis.dependent or not isinstance(stepper, CoreStepper | SparseStepper):
        return lambda cross: cross
    return lambda cross: Reselecting(look.form, stepper, look.form.motion, cross)


class Reselecting:
    """Goes on with other equations where the chosen ones lose their rank; `cross` takes true singular positions."""

    def __init__(
        self, form: Absolute, stepper: CoreStepper | SparseStepper, motion: DriverMotion, cross: Cross
    ) -> None:
        self._form, self._stepper, self._motion, self._cross = form, stepper, motion, cross

    def _regular(self, state: Array, time: float) -> bool:
        return is_regular(self._form, state[0], self._motion(np.array([time]))[0])

    def __call__(self, path: Path, grid: Array, time: float, state: Array) -> bool:
        end, shortest = float(grid[path.reached + 1]), SHORTEST * abs(float(grid[-1] - grid[0]))
        count = 0
        for _ in range(MOST_CHANGES):
            motion = self._motion(np.array([time]))[0]
            if not self._regular(state, time):
                return self._cross(path, grid, time, state)
            self._stepper.use(best_rows(self._form, state[0], motion))
            status, state = self._stepper.at(state[0], motion)
            if status != Status.done:
                return False
            before = time
            status, time, state, more, _ = divide(
                self._motion, self._stepper, np.array([time, end]), state, end - time, shortest, self._regular
            )
            count += more
            if status == Status.done:
                path.reached += 1
                path.states[path.reached], path.corrections[path.reached] = state, count
                return True
            if abs(time - before) <= shortest:
                break
        return self._cross(path, grid, time, state)
