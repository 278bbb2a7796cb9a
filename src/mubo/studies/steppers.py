"""The two ways to take a step: the dense core for small systems, SuperLU of SciPy for large ones."""

from __future__ import annotations

import numpy as np

from mubo.compile import Compiled
from mubo.motion.law import Array, Integers
from mubo.studies.linear import Factor, is_large, jacobian
from mubo.studies.march import DONE, SIGN_CHANGE, Settings, Stepper

NO_CONVERGENCE, SINGULAR, NOT_FINITE, OTHER_BRANCH = 1, 2, 3, 4
ROUNDING, NEARLY = 1e-14, 1e-8  # as in core/kinematics/sweep.hpp


def stepper_for(compiled: Compiled, active: Integers, settings: Settings) -> Stepper:
    """The faster stepper for a system of this size."""
    return (SparseStepper if is_large(compiled) else CoreStepper)(compiled, active, settings)


class CoreStepper:
    """Steps in the compiled core."""

    def __init__(self, compiled: Compiled, active: Integers, settings: Settings) -> None:
        self._compiled, self._active, self._settings = compiled, active, settings
        self._sign = 0
        # Dense steps take about n³ + 1000 units of a nanosecond each: a tenth of a second per call.
        self.chunk = max(1, int(1e8 / (int(compiled.system.unknowns) ** 3 + 1000)))

    def start(self, q: Array, motion: Array) -> tuple[int, Array]:
        o = self._settings
        status, _, self._sign, state = self._compiled.system.solve(
            self._active, q, motion, o.tolerance, o.max_iterations
        )
        return status, state

    def sweep(self, times: Array, motion: Array, state: Array) -> tuple[int, int, Array, Array]:
        o = self._settings
        return self._compiled.system.sweep(
            self._active,
            times,
            motion,
            np.ascontiguousarray(state),
            self._sign,
            self._compiled.weight,
            o.tolerance,
            o.max_iterations,
            o.predictor == "taylor",
        )


class SparseStepper:
    """The same steps with a sparse factorisation, for hundreds of bodies and more."""

    chunk = 1

    def __init__(self, compiled: Compiled, active: Integers, settings: Settings) -> None:
        self._compiled, self._active, self._settings = compiled, active, settings
        self._sign = 0

    def start(self, q: Array, motion: Array) -> tuple[int, Array]:
        status, q, _ = self._position(q, motion)
        if status != DONE:
            return status, np.zeros((3, len(q)))
        status, state, self._sign = self._rates(q, motion)
        return status, state

    def sweep(self, times: Array, motion: Array, state: Array) -> tuple[int, int, Array, Array]:
        h, (q, v, a) = float(times[1] - times[0]), state
        guess = q + h * (v + 0.5 * h * a)
        counts, states = np.zeros(2), np.stack([state, state])
        first = guess if self._settings.predictor == "taylor" else q
        status, position, counts[1] = self._position(first, motion[1])
        if status == DONE and self._strayed(q, position, guess):
            status = OTHER_BRANCH
        if status == DONE:
            status, states[1], sign = self._rates(position, motion[1])
            if status == DONE and sign != self._sign:
                status = SIGN_CHANGE
        return status, int(status == DONE), states, counts

    def _position(self, q: Array, motion: Array) -> tuple[int, Array, int]:
        """Newton: status, position, corrections."""
        o, system = self._settings, self._compiled.system
        count, factor = 0, None
        while True:
            phi = system.phi(q, motion)
            gap = float(np.max(np.abs(phi)))
            if not np.isfinite(gap):
                return NOT_FINITE, q, count
            converged = gap <= o.tolerance
            if converged and (gap <= ROUNDING or gap > NEARLY):
                return DONE, q, count
            if not converged and count >= o.max_iterations:
                return NO_CONVERGENCE, q, count
            if factor is None or not converged:  # the last, uncounted correction makes do with the last factor
                factor = self._factor(q, motion)
            if not factor.regular:
                return SINGULAR, q, count
            q = q - factor.solve(phi[self._active])
            if converged:
                return DONE, q, count
            count += 1

    def _rates(self, q: Array, motion: Array) -> tuple[int, Array, int]:
        factor, system = self._factor(q, motion), self._compiled.system
        if not factor.regular:
            return SINGULAR, np.stack([q, q, q]), 0
        still = np.zeros_like(q)
        v = factor.solve(system.right_sides(q, still, motion)[0][self._active])
        a = factor.solve(system.right_sides(q, v, motion)[1][self._active])
        return DONE, np.stack([q, v, a]), factor.sign

    def _factor(self, q: Array, motion: Array) -> Factor:
        return Factor(jacobian(self._compiled, q, motion)[self._active])

    def _strayed(self, before: Array, after: Array, guess: Array) -> bool:
        weight = self._compiled.weight
        moved = float(np.linalg.norm(weight * (after - before)))
        return moved > 1e-3 and float(np.linalg.norm(weight * (after - guess))) > 0.25 * moved
