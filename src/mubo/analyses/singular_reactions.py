"""Change points, where reactions may grow without bound though the motion is smooth.

There J loses rank: a motion w with J w = 0 is possible while the drivers stand. Balance needs M a + Jᵀλ = Q, so that
w·(Q − M a) = 0 must hold; where the loads push along w, λ grows like one over the distance from the place. Where they
do not, reactions stay finite beside it. Close to the place accelerations are lost to rounding, so that Q − M a is taken
from farther away, in four places that a cubic goes through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.wording import join_words
from mubo.numerics.singularity import CHANGE_POINT
from mubo.results import Event
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.events import describe_drivers
from mubo.solvers.kinematics.problem import DenseMotion, MotionRows
from mubo.solvers.search.change_point_values import sample_beside

if TYPE_CHECKING:
    from mubo.analyses.inverse import ForceProblem

AWAY = 0.01  # radians, or sizes of the mechanism, that bodies move between a change point and the nearest look at loads
PUSHED = 1e-5  # of the loads: a part along the idle motion that is none


@dataclass(frozen=True)
class SingularPosition:
    """A singular position: its time, what its forces belong to, and whether loads push along the motion it allows."""

    t: float
    owners: tuple[str, ...]  # joints and drivers
    pushed: bool
    on_row: bool


def unbounded_events(
    problem: ForceProblem, rows: MotionRows, found: ForceSolution, between: DenseMotion
) -> list[Event]:
    """Singular positions on rows, where no number stands, and those between them where forces grow without bound."""
    solver = problem.solver
    places = [_on_row(solver, rows, found, row) for row in found.singular]
    for crossing in between.crossings:
        if not np.any(np.abs(rows.t[found.singular] - crossing.t) <= 1e-9 * max(between.step, 1e-300)):
            place = _between(problem, crossing, between)
            places += [place] if place is not None and place.pushed else []
    return [_event(problem, place) for place in sorted(places, key=lambda place: place.t)]


def _event(problem: ForceProblem, place: SingularPosition) -> Event:
    drivers = problem.drivers_at(place.t)
    at = f"at t = {place.t:.9g} ({describe_drivers(drivers)})"
    joints = join_words(list(place.owners))
    if place.pushed:
        text = f"forces of {joints} grow beyond all bounds {at}: the position is singular"
    else:
        text = f"forces of {joints} are not determined {at}: the position is singular; beside it they are finite"
    more = ", and no number stands there" if place.on_row else ""
    return Event(
        "unbounded" if place.pushed else "undetermined", place.t, drivers, (), text + more, joints=place.owners
    )


def _on_row(solver: ForceSolver, rows: MotionRows, found: ForceSolution, row: int) -> SingularPosition:
    shared = solver.sharing.solve(found.states[row, None], found.motion[row, None], found.right[row, None])
    owners = _owners(solver, found.lost[row], np.isnan(found.lam[row]))
    return SingularPosition(float(rows.t[row]), owners, bool(shared.pushed[0] > PUSHED), on_row=True)


def _between(problem: ForceProblem, crossing: ChangePoint, between: DenseMotion) -> SingularPosition | None:
    solver = problem.solver
    speed = float(np.max(np.abs(crossing.smooth) * problem.weight))
    if not speed > 0:
        return None
    sides = sample_beside(crossing.t, AWAY / speed, between.rows, lambda rows: len(rows.t))
    if sides is None:
        return None
    right = sides[1] @ problem.forces(sides[0]).right
    motion = problem.motion(np.array([crossing.t]))
    state = np.stack([crossing.x, crossing.smooth, np.zeros_like(crossing.x)])[None]
    shared = solver.sharing.solve(
        np.ascontiguousarray(problem.absolute(state, motion)), motion, right[None], CHANGE_POINT
    )
    owners = _owners(solver, shared.lost[0], shared.lost_lam[0])
    return SingularPosition(crossing.t, owners, bool(shared.pushed[0] > PUSHED) and bool(owners), on_row=False)


def _owners(solver: ForceSolver, lost: Array, lost_lam: Array) -> tuple[str, ...]:
    """Joints and drivers of the components that are lost."""
    shown = solver.exerted.places[: solver.exerted.shown]
    joints = [place.joint for place, parts in zip(shown, lost, strict=False) if parts.any()]
    equations = solver.form.equations
    drivers = [
        e.owner.split(" ", 1)[1] for e, gone in zip(equations, lost_lam, strict=True) if gone and e.kind == "driver"
    ]
    return tuple(dict.fromkeys([*joints, *drivers]))
