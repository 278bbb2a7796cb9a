"""Estimates far from the driver values at the start: led there by the drivers, on the branch the estimates are on."""

from __future__ import annotations

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import target_of
from mubo.studies.motion.march import Settings, march
from mubo.studies.motion.steppers import stepper_for
from mubo.studies.position.assemble import assemble
from mubo.studies.position.diagnose import diagnose

FAR = 1.0  # radians, or sizes of the mechanism
FARTHEST = 1e4  # beyond, the drivers are not led there: the way would take longer than the run


def led_to(form: Absolute, motion: Array, tolerance: float) -> Array | None:
    """A start for the assembly, or None where the estimates are near enough or cannot be led.

    The mechanism is first assembled with the drivers at the values that the estimates have; then these move evenly to
    the values wanted, and the positions follow them step by step.
    """
    rows = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    away = form.system.phi(form.estimate, motion)[rows]
    distance = float(np.max(np.abs(away) / np.where(_turning(form), 1.0, 1 / form.weight[0]), initial=0.0))
    if not FAR < distance < FARTHEST:
        return None
    here = motion.copy()
    here[::3] += away  # Φ of a driver is its coordinate minus f
    here[1::3] = here[2::3] = 0.0
    first = assemble(form, here, tolerance, 20)
    look = diagnose(form, first.q, here)
    if first.gap > tolerance or look.freedoms_left:
        return None

    def leading(s: Array) -> Array:
        out = np.repeat(here[None], len(s), axis=0)
        out[:, ::3] -= s[:, None] * away
        out[:, 1::3] = -away
        return out

    stepper = stepper_for(form, look.independent, Settings(tolerance, scale=form.scale))
    status, state = stepper.start(first.q, leading(np.zeros(1))[0])
    if status != Status.done:
        return None
    grid = np.linspace(0, 1, int(10 * distance) + 2)
    path = march(leading, stepper, grid, state, lambda done, total: None)
    return path.states[-1][0] if path.status == Status.done else None


def _turning(form: Absolute) -> Array:
    """Which drivers have rows that hold angles; that of a screw holds its slide."""
    targets = [target_of(form.model, driver.of) for driver in form.model.drivers.values()]
    return np.array([t.holds == "angle" and t.element.moves != "screw" for t in targets], bool)
