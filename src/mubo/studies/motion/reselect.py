"""Redundant equations: which of them are solved, and a change of that choice on the way.

A mechanism with redundant equations is moved by as many independent ones as it has unknowns. Along the motion the ones
chosen may lose their rank where all together do not: there no two motions cross, and others are chosen.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.studies.motion.march import SHORTEST, Cross, DriverMotion, Path, Stepper, divide
from mubo.studies.motion.steppers import CoreStepper, SparseStepper
from mubo.studies.position.diagnose import scaled_jacobian
from mubo.studies.position.inspect import Inspection
from mubo.studies.position.singular import is_regular


def best_rows(form: Absolute, q: Array, motion: Array) -> Integers:
    """As many equations as unknowns, the most independent ones at q (QR with column pivoting of Jᵀ)."""
    from scipy.linalg import qr

    J, _ = scaled_jacobian(form, q, motion)
    order = qr(J.T, mode="r", pivoting=True)[1]
    return np.sort(order[: J.shape[1]]).astype(np.int32)


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
        while True:
            motion = self._motion(np.array([time]))[0]
            if not self._regular(state, time):
                return self._cross(path, grid, time, state)
            self._stepper.use(best_rows(self._form, state[0], motion))
            status, state = self._stepper.at(state[0], motion)
            if status != Status.done:
                return False
            before = time
            status, time, state, more = divide(
                self._motion, self._stepper, np.array([time, end]), state, end - time, shortest, self._regular
            )
            count += more
            if status == Status.done:
                path.reached += 1
                path.states[path.reached], path.corrections[path.reached] = state, count
                return True
            if abs(time - before) <= shortest:
                return self._cross(path, grid, time, state)
