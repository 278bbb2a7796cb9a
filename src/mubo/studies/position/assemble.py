"""The first position: from rough estimates to one that satisfies every constraint, or the reason why not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.studies.position.linear import damped_step, newton_step

DAMPED_ITERATIONS = 300
SMALL = 1e-6  # radians, or sizes of the mechanism


@dataclass(frozen=True)
class Assembly:
    """The position reached, how many corrections it took, and the largest gap left."""

    q: Array
    corrections: int
    gap: float
    worst: int  # the equation with the largest gap


def assemble(
    form: Absolute, motion: Array, tolerance: float, max_iterations: int, start: Array | None = None
) -> Assembly:
    """From `start`, else from the model's estimates: Newton while it makes plain progress in moderate steps; otherwise
    damped (Levenberg), which goes to the nearest assembly and, where there is none, to the smallest gap."""
    start = form.estimate if start is None else start
    attempt = _newton(form, start, motion, tolerance, max_iterations)
    found = attempt if attempt is not None else _damped(form, start, motion, tolerance)
    return _polished(form, found, motion) if found.gap <= tolerance else found


def _polished(form: Absolute, found: Assembly, motion: Array) -> Assembly:
    """One more correction where it helps, not counted: the rank of J is judged at this position."""
    phi, gap, _ = _gap(form, found.q, motion)
    step = newton_step(form, found.q, motion, phi) if gap > _core.rounding * form.scale else None
    if step is None or np.max(np.abs(form.weight * step)) > SMALL:
        return found
    _, after, worst = _gap(form, found.q + step, motion)
    return Assembly(found.q + step, found.corrections, after, worst) if after < gap else found


def _gap(form: Absolute, q: Array, motion: Array) -> tuple[Array, float, int]:
    phi = form.system.phi(q, motion)
    worst = int(np.argmax(np.abs(phi))) if len(phi) else 0
    return phi, float(np.max(np.abs(phi), initial=0.0)), worst


def _newton(form: Absolute, start: Array, motion: Array, tolerance: float, most: int) -> Assembly | None:
    q = start.copy()
    before = np.inf
    for count in range(most + 1):
        phi, gap, worst = _gap(form, q, motion)
        if gap <= tolerance:
            return Assembly(q, count, gap, worst)
        step = newton_step(form, q, motion, phi) if gap < before else None
        if step is None or not np.max(np.abs(form.weight * step), initial=0.0) < 1.0:
            return None
        q, before = q + step, gap
    return None


def _damped(form: Absolute, start: Array, motion: Array, tolerance: float) -> Assembly:
    q = start.copy()
    phi, gap, worst = _gap(form, q, motion)
    size, damping, count = float(phi @ phi), 1.0, 0
    while gap > tolerance and count < DAMPED_ITERATIONS and damping < 1e12:
        step = damped_step(form, q, motion, phi, damping * min(size, 1.0))
        if step is None:
            break
        trial, trial_gap, trial_worst = _gap(form, q + step, motion)
        trial_size = float(trial @ trial)
        count += 1
        if trial_size < size:
            stalled = size - trial_size < 1e-14 * size
            q, phi, gap, worst, size = q + step, trial, trial_gap, trial_worst, trial_size
            damping = max(damping / 5, 1e-9)
            if stalled:
                break
        else:
            damping *= 4
    return Assembly(q, count, gap, worst)
