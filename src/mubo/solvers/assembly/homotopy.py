"""Homotopy of the drivers from the values of a drawing to those of the start, the positions continued step by step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.continuation.continuation import Settings, continue_motion
from mubo.solvers.continuation.linear_algebra import is_large
from mubo.solvers.continuation.steppers import absolute_stepper

MOST_CORRECTIONS = 20
FARTHEST = 1e4  # radians or sizes: beyond, the drivers are not led there: the way would take longer than the run


def driver_offsets(form: Absolute, q: Array, motion: Array) -> Array:
    """Offset of every driver's coordinate at q from its value: Φ of its row."""
    rows = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    return np.asarray(form.system.phi(q, motion)[rows])


def offset_distance(form: Absolute, away: Array) -> float:
    """Largest offset of a driver, in radians or sizes of the mechanism."""
    return float(np.max(np.abs(away) * np.where(_angle_drivers(form), 1.0, form.weight[0]), initial=0.0))


def fixed_drivers(motion: Array, away: Array) -> Array:
    """Driver motion at rest, offset from the wanted values."""
    here = motion.copy()
    here[::3] += away
    here[1::3] = here[2::3] = 0.0
    return here


def close_without_drivers(form: Absolute, drawing: Array, motion: Array, tolerance: float) -> Array | None:
    """The position near a drawing at which all joints close, whatever the drivers prescribe: Gauss-Newton steps of
    least norm. None where they do not close, or are too many for dense equations."""
    rows = [k for k, equation in enumerate(form.equations) if equation.kind != "driver"]
    if is_large(form) or not rows:
        return None
    q = drawing
    for _ in range(MOST_CORRECTIONS):
        J, phi = np.asarray(form.system.jacobian(q, motion))[rows], np.asarray(form.system.phi(q, motion))[rows]
        if not (np.all(np.isfinite(J)) and np.all(np.isfinite(phi))):
            return None
        if np.max(np.abs(phi)) <= tolerance:
            return q
        q = q - np.linalg.lstsq(J / form.weight, phi, rcond=None)[0] / form.weight
    return None


def continue_drivers(form: Absolute, q: Array, motion: Array, away: Array, tolerance: float) -> Array | None:
    """Continue from the assembled q, with the drivers offset, to `motion`; None where the path ends before, as in a
    lock."""
    here, distance = fixed_drivers(motion, away), offset_distance(form, away)
    if not distance < FARTHEST:
        return None
    look = analyse_mobility(form, q, here)
    if look.undriven_dofs:
        return None
    leading = _linear_homotopy(here, away)
    stepper = absolute_stepper(form, look.independent, Settings(tolerance, scale=form.scale))
    status, state = stepper.start(q, leading(np.zeros(1))[0])
    if status != Status.done:
        return None
    grid = np.linspace(0, 1, int(10 * distance) + 2)
    path = continue_motion(leading, stepper, grid, state, lambda done, total: None)
    return np.asarray(path.states[-1][0]) if path.status == Status.done else None


def _linear_homotopy(here: Array, away: Array) -> Callable[[Array], Array]:
    def leading(s: Array) -> Array:
        out = np.repeat(here[None], len(s), axis=0)
        out[:, ::3] -= s[:, None] * away
        out[:, 1::3] = -away
        return out

    return leading


def _angle_drivers(form: Absolute) -> Array:
    """Flags of the drivers whose rows are equations of angles; that of a screw is its slide."""
    targets = [target_of(form.model, driver.of) for driver in form.model.drivers.values()]
    return np.array([t.holds == "angle" and t.element.moves != "screw" for t in targets], bool)
