"""How near a limit is grazed: where a driver turns back shortly before the mechanism would lock, the way left to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.kinematics.bifurcation import BranchSwitch

if TYPE_CHECKING:
    from mubo.solvers.kinematics.problem import KinematicProblem

AHEAD = 0.5  # radians, or sizes of the mechanism: how far a limit is looked for
STILL = 1e-9  # the same: a driver that moves by less stands
EACH = 3  # columns of a driver: value, rate, acceleration


def remaining_travel(way: KinematicProblem, times: Array, t: float, x: Array) -> dict[str, float]:
    """By driver, in its own unit: how much farther it could go where it turned back, if the mechanism locks then.

    The unknowns are x at the time t; `times` are those at which the way was solved. Empty where no driver turns back
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
        if ends.any() and ends[0] * ends[1] >= 0:  # it turns back here, or stands before or after
            left = _drivers_at_limit(way, (t, x), driver, float(np.sign(ends.sum())))
            if left is not None:
                out[name] = abs(way.driver_values(left)[name] - way.driver_values(line)[name])
    return out


def _drivers_at_limit(way: KinematicProblem, place: tuple[float, Array], driver: int, forward: float) -> Array | None:
    """The drivers at the limit to which one of them leads while the others stand; None where none is near."""
    t, x = place
    line = way.motion(np.array([t]))[0]

    def motion(ways: Array) -> Array:
        lines = np.zeros((len(ways), len(line)))
        lines[:, ::EACH] = line[::EACH]
        unit = forward / float(way.driver_weight[driver])
        lines[:, EACH * driver] += unit * ways
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
