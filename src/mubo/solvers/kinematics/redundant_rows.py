"""Selection of independent equations among redundant ones, and its change along the motion.

A mechanism with redundant equations is solved by as many independent ones as it has unknowns. Along the motion the
selected ones may lose their rank where all together do not: there no two motions cross, and others are selected. Where
an output time is close to such a position, the equations left out show it, and all equations are solved together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.solvers.assembly.mobility import scaled_body_blocks, scaled_jacobian
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.continuation import SHORTEST_STEP, divide_step
from mubo.solvers.continuation.linear_algebra import is_large
from mubo.solvers.continuation.steppers import (
    AbsoluteStepper,
    ContinuationResult,
    DriverMotion,
    KinematicStepper,
    SingularityPassage,
)

MOST_CHANGES = 1000  # changes of the selection between two rows
UNSATISFIED = 1e-11  # residual of an equation left out, relative to its largest term


def most_independent_rows(form: Absolute, q: Array, motion: Array) -> Integers:
    """The most independent equations at q, as many as unknowns, by QR with column pivoting of Jᵀ; of a large J body by
    body."""
    from mubo.solvers.assembly.block_rank import decompose_blocks

    if is_large(form):
        return np.array(decompose_blocks(scaled_body_blocks(form, q, motion)[0]).independent, np.int32)
    from scipy.linalg import qr

    J, _ = scaled_jacobian(form, q, motion)
    order = qr(J.T, mode="r", pivoting=True)[1]
    return np.sort(order[: J.shape[1]]).astype(np.int32)


def satisfy_all_equations(form: Absolute, states: Array, motion: Array) -> Array:
    """States that satisfy all equations; those that violate the ones left out are solved again by least squares."""
    out = np.ascontiguousarray(states)
    if is_large(form) or _all_equations_hold(form, out, motion):
        return states
    out = out.copy()
    for k in range(len(out)):
        here = motion[k : k + 1]
        if not _all_equations_hold(form, out[k : k + 1], here):
            by_all = _solve_least_squares(form, out[k][0], motion[k])
            # Equations that contradict each other are left as they are: nothing is smoothed over.
            if _all_equations_hold(form, by_all[None], here):
                out[k] = by_all
    return out


def _all_equations_hold(form: Absolute, states: Array, motion: Array) -> bool:
    """Whether every residual is rounding beside the largest coordinate, velocity and acceleration."""
    largest = np.max(form.system.residuals(states, motion), axis=1, initial=0.0)
    beside = np.max(np.abs(states), axis=(0, 2), initial=0.0)
    return bool(np.all(largest <= UNSATISFIED * np.maximum(beside, form.scale)))


def _solve_least_squares(form: Absolute, q: Array, motion: Array) -> Array:
    """Position, velocity and acceleration by all equations, whose rank is full where they agree."""
    system, weight, rows = form.system, form.weight, form.equation_scales.weight

    def least_squares(at: Array, right: Array) -> Array:
        J = rows[:, None] * np.asarray(system.jacobian(at, motion)) / weight
        return np.asarray(np.linalg.lstsq(J, rows * right, rcond=None)[0]) / weight

    for _ in range(2):  # Gauss-Newton from a position that is nearly solved
        q = q - least_squares(q, system.phi(q, motion))
    v = least_squares(q, system.right_sides(q, np.zeros_like(q), motion)[0])
    return np.stack([q, v, least_squares(q, system.right_sides(q, v, motion)[1])])


def redundant_row_passage(
    analysis: StartAnalysis, stepper: KinematicStepper
) -> Callable[[SingularityPassage], SingularityPassage]:
    """Wrapper of the singularity passage that first selects other redundant equations; else the identity."""
    if not analysis.diagnosis.dependent or not isinstance(stepper, AbsoluteStepper):
        return lambda cross: cross
    return lambda cross: RowReselection(analysis.form, stepper, analysis.form.motion, cross)


class RowReselection:
    """Continues with other equations where the selected ones lose their rank; `cross` takes true singular positions."""

    def __init__(
        self, form: Absolute, stepper: AbsoluteStepper, motion: DriverMotion, cross: SingularityPassage
    ) -> None:
        self._form, self._stepper, self._motion, self._cross = form, stepper, motion, cross

    def _regular(self, state: Array, time: float) -> bool:
        from mubo.solvers.assembly.singular_positions import is_regular

        return is_regular(self._form, state[0], self._motion(np.array([time]))[0])

    def __call__(self, path: ContinuationResult, grid: Array, time: float, state: Array) -> bool:
        end, shortest = float(grid[path.reached + 1]), SHORTEST_STEP * abs(float(grid[-1] - grid[0]))
        count = 0
        for _ in range(MOST_CHANGES):
            motion = self._motion(np.array([time]))[0]
            if not self._regular(state, time):
                return self._cross(path, grid, time, state)
            self._stepper.select_equations(most_independent_rows(self._form, state[0], motion))
            status, state = self._stepper.solve_at(state[0], motion)
            if status != Status.done:
                return False
            before = time
            status, time, state, more, _ = divide_step(
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
