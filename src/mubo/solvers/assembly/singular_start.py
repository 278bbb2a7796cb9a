"""A start at a singular position that one motion alone passes, such as coupled wheels with their pins in one line.

The position leaves the rates open there; the normal form of its equations determines them. The mobility of the
mechanism is that of a position of this motion beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.mobility import MobilityAnalysis, analyse_mobility
from mubo.solvers.continuation.bifurcation_normal_form import (
    BifurcationPoint,
    ReducedEquation,
    acceleration_at_point,
    find_bifurcation,
)
from mubo.solvers.continuation.continuation import CROSSING_DISTANCE, MAX_UNKNOWNS
from mubo.solvers.continuation.steppers import AbsoluteStepper, KinematicStepper, Settings

AT_START = 1e-9  # radians, or sizes, between the start and the singular position
OFF_TANGENT = 0.1  # of CROSSING_DISTANCE: largest deviation of the motion from its tangent over this distance


@dataclass(frozen=True)
class SingularStart:
    """The singular position of a start, and the position of its only motion at a time beside it."""

    point: BifurcationPoint
    time: float
    q: Array
    motion: Array
    diagnosis: MobilityAnalysis


def find_singular_start(
    form: Absolute, q: Array, time: float, tolerance: float, max_iterations: int
) -> SingularStart | None:
    """The only motion that passes the singular position q; None where two motions cross, or none can be followed."""
    motion = form.motion(np.array([time]))[0]
    lengths = np.linalg.norm(np.asarray(form.system.jacobian(q, motion)) / form.weight, axis=1)
    if len(q) > MAX_UNKNOWNS or not np.all(lengths > 0):
        return None
    stepper = AbsoluteStepper(form, np.zeros(0, np.int32), Settings(tolerance))  # for its equations alone
    point = find_bifurcation(ReducedEquation(stepper, form.motion, form.weight, lengths), time, q)
    if point is None or not point.unique:
        return None
    rates = point.rates(-1.0)
    speed = float(np.max(np.abs(form.weight * rates)))
    if abs(point.t - time) * speed > AT_START:
        return None
    beside = time + CROSSING_DISTANCE / speed
    motion = form.motion(np.array([beside]))[0]
    ahead = point.along(beside, -1.0, 0.0)
    found = assemble(form, motion, tolerance, max_iterations, ahead)
    if (
        found.gap > tolerance
        or float(np.max(np.abs(form.weight * (found.q - ahead)))) > OFF_TANGENT * CROSSING_DISTANCE
    ):
        return None
    diagnosis = analyse_mobility(form, found.q, motion)
    return SingularStart(point, beside, found.q, motion, diagnosis) if diagnosis.undriven_dofs == 0 else None


def state_at_singular_start(start: SingularStart, form: Absolute, stepper: KinematicStepper) -> tuple[Status, Array]:
    """Status and state at a singular position where the only motion that passes it begins."""
    point, times = start.point, np.array([0.5 * (start.point.t + start.time), start.time])
    laws = form.motion(times)
    solved = [stepper.solve_at(point.along(t, -1.0, 0.0), law) for t, law in zip(times, laws, strict=True)]
    lengths = np.linalg.norm(np.asarray(form.system.jacobian(start.q, start.motion)) / form.weight, axis=1)
    reduction = ReducedEquation(stepper, form.motion, form.weight, lengths)
    (status, half), (last, full) = solved
    rates = point.rates(-1.0)
    a = acceleration_at_point(reduction, point, rates, half, (start.time, full))
    return (last if status == Status.done else status), np.stack([point.x, rates, a])
