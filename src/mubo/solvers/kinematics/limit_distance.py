"""Remaining travel to a limit position, where a driver turns back shortly before the mechanism would lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.kinematics.bifurcation import BranchSwitch

if TYPE_CHECKING:
    from mubo.solvers.kinematics.problem import KinematicProblem

AHEAD = 0.5  # radians, or sizes of the mechanism, within which a limit is searched
STILL = 1e-9  # radians, or sizes: a driver that moves by less is at rest
EACH = 3  # columns of a driver: value, rate, acceleration


def remaining_travel(way: KinematicProblem, times: Array, t: float, x: Array) -> dict[str, float]:
    """Remaining travel of every driver to its limit where it turned back, in its own unit.

    The unknowns are x at the time t; `times` are those at which the motion was solved. Empty where no driver turns back
    there, or where nothing locks within AHEAD.
    """
    line = way.motion(np.array([t]))[0]
    k = int(np.searchsorted(times, t))
    beside = np.array([times[max(k - 1, 0)], times[min(k + (times[min(k, len(times) - 1)] == t), len(times) - 1)]])
    before, after = way.motion(beside)[:, ::EACH] * way.driver_weight
    came, back = (line[::EACH] * way.driver_weight - value for value in (before, after))
    out = {}
    for driver, name in enumerate(way.driver_values(line)):
        ends = np.array([came[driver], back[driver]])
        ends[np.abs(ends) < STILL] = 0.0
        if ends.any() and ends[0] * ends[1] >= 0:  # it turns back here, or is at rest before or after
            left = _drivers_at_limit(way, (t, x), driver, float(np.sign(ends.sum())))
            if left is not None:
                out[name] = abs(way.driver_values(left)[name] - way.driver_values(line)[name])
    return out


def _drivers_at_limit(way: KinematicProblem, place: tuple[float, Array], driver: int, forward: float) -> Array | None:
    """Drivers at the limit to which one of them leads while the others are fixed; None where none is near."""
    t, x = place
    line = way.motion(np.array([t]))[0]

    def motion(distances: Array) -> Array:
        lines = np.zeros((len(distances), len(line)))
        lines[:, ::EACH] = line[::EACH]
        unit = forward / float(way.driver_weight[driver])
        lines[:, EACH * driver] += unit * distances
        lines[:, EACH * driver + 1] = unit
        return lines

    def regular(state: Array, time: float) -> bool:
        return way.regular(state, t)

    settings, ends = way.settings, np.array([0.0, AHEAD])
    status, state = way.stepper.at(x, motion(ends)[0])
    if status != Status.done:
        return None
    same = settings.same(1000)
    cross = BranchSwitch(motion, way.stepper, way.weight, False, settings.scale, regular)
    path = continue_motion(motion, way.stepper, ends, state, lambda done, total: None, 1, None, same, cross)
    if path.status == Status.done or path.crossings or regular(path.stopped_state, t):
        return None
    return np.asarray(motion(np.array([path.stopped_at]))[0])
