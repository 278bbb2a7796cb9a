"""First position on the assembly branch of the estimates.

Estimates are a drawing, with the drivers somewhere. Where the start is elsewhere, the mechanism is assembled as drawn,
with the drivers where the drawing has them, and led from there. Whole turns of a body are none to a drawing. Where the
drawing fits the start better than the values its drivers have in it, and where no way leads to the start, the assembly
nearest to the drawing is taken at the start itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.assemble import Assembly, assemble
from mubo.solvers.assembly.homotopy import (
    close_without_drivers,
    continue_drivers,
    driver_offsets,
    fixed_drivers,
    offset_distance,
)
from mubo.solvers.assembly.other_starts import assemble_from_other_starts, find_other_branch
from mubo.solvers.assembly.whole_turns import TURN, angle_unknowns, unwind_estimates
from mubo.solvers.continuation.linear_algebra import is_large

NEAR = 0.01  # radians or sizes of the mechanism: so far from its drawing an assembly needs no second look
FAR = 10.0  # likewise, of one unknown: estimates farther away do not tell the branch
ALIKE = 0.75  # of the distance of one branch to the estimates from that of another: below, one is plainly nearer


@dataclass(frozen=True)
class NearestAssembly:
    """An assembly, its distance from the drawing it began at, and the distance of another branch."""

    assembly: Assembly
    away: float
    rival: float = np.inf
    farthest: float = 0.0  # away, of one unknown

    @property
    def doubtful(self) -> bool:
        return self.away > ALIKE * self.rival


@dataclass(frozen=True)
class FirstPosition:
    """The first position, and notes on how it was reached."""

    form: Absolute
    assembly: Assembly
    notes: tuple[str, ...] = ()


def find_first_position(
    form: Absolute, motion: Array, tolerance: float, max_iterations: int = 20, patient: bool = True
) -> FirstPosition:
    """First position on the branch of the estimates; an open assembly where none closes."""
    drawn, form = form, replace(form, estimate=unwind_estimates(form, motion))
    search = _BranchSearch(form, tolerance, max_iterations, patient)
    direct = search.closing(form.estimate, motion)
    if direct.away <= NEAR or not patient:
        return FirstPosition(form, direct.assembly, _branch_notes(direct))
    turned = (
        offset_distance(form, driver_offsets(form, form.estimate, motion)) <= NEAR
    )  # drawn at the start, but for whole turns
    ways = [drawn.estimate] if np.all(drawn.estimate == form.estimate) else [drawn.estimate, form.estimate]
    for drawing in ways:  # the drivers' own way first; then the one without whole turns, which may go round a lock
        away = driver_offsets(form, drawing, motion)
        if offset_distance(form, away) <= NEAR:
            continue
        as_drawn = search.closing(drawing, fixed_drivers(motion, away))
        if np.isinf(as_drawn.away) and (closed := close_without_drivers(form, drawing, motion, tolerance)) is not None:
            away = driver_offsets(form, closed, motion)  # beside a lock, estimates may ask their drivers for too much
            as_drawn = search.closing(closed, fixed_drivers(motion, away))
        if as_drawn.away >= direct.away:
            continue
        q = continue_drivers(form, as_drawn.assembly.q, motion, away, tolerance)
        if q is not None:
            reached = assemble(form, motion, tolerance, max_iterations, q)
            if turned and search.farther(reached, direct, motion):
                continue
            count = as_drawn.assembly.corrections + reached.corrections
            return FirstPosition(form, replace(reached, corrections=count), _branch_notes(as_drawn))
    return FirstPosition(form, direct.assembly, _branch_notes(direct))


@dataclass(frozen=True)
class _BranchSearch:
    form: Absolute
    tolerance: float
    max_iterations: int
    patient: bool

    def closing(self, drawing: Array, motion: Array) -> NearestAssembly:
        """The assembly nearest to a drawing, another one near it considered where there is one."""
        first = assemble(self.form, motion, self.tolerance, self.max_iterations, drawing)
        if not first.gap <= self.tolerance and self.patient:
            form = replace(self.form, estimate=drawing)
            first = assemble_from_other_starts(form, motion, self.tolerance, self.max_iterations, first)
        if not first.gap <= self.tolerance:
            return NearestAssembly(first, np.inf)
        first = self._without_turns(first, drawing, motion)
        away = self._distance(first.q, drawing)
        farthest = float(np.max(np.abs(self.form.weight * (first.q - drawing)), initial=0.0))
        if away <= NEAR or not self.patient or is_large(self.form):
            return NearestAssembly(first, away, farthest=farthest)
        other = find_other_branch(self.form, motion, self.tolerance, first.q, drawing)
        if other is None:
            return NearestAssembly(first, away, farthest=farthest)
        rival = self._distance(other.q, drawing)
        pair = (first, away, rival) if away <= rival else (other, rival, away)
        return NearestAssembly(*pair, farthest)

    def farther(self, reached: Assembly, direct: NearestAssembly, motion: Array) -> bool:
        """Whether a continued assembly is farther from the drawing than the direct one, whole revolutions excepted."""
        place = self._without_turns(reached, self.form.estimate, motion)
        return direct.away < ALIKE * self._distance(place.q, self.form.estimate)

    def _without_turns(self, found: Assembly, drawing: Array, motion: Array) -> Assembly:
        """The assembly with angles within half a revolution of the drawing: an assembly from far away may turn bodies
        so often that their angles have no digits left."""
        form, angles = self.form, angle_unknowns(self.form)
        turns = np.zeros(len(found.q))
        turns[angles] = np.round((found.q[angles] - drawing[angles]) / TURN)
        if not np.any(turns):
            return found
        q = unwind_estimates(replace(form, estimate=found.q - TURN * turns), motion)
        again = assemble(form, motion, self.tolerance, self.max_iterations, q)
        nearer = self._distance(again.q, drawing) < self._distance(found.q, drawing)
        return replace(again, corrections=found.corrections) if nearer and again.gap <= self.tolerance else found

    def _distance(self, q: Array, drawing: Array) -> float:
        return float(np.linalg.norm(self.form.weight * (q - drawing)))


def _branch_notes(closing: NearestAssembly) -> tuple[str, ...]:
    if closing.farthest > FAR:
        return (
            f"estimates are up to {closing.farthest:.3g} sizes of the mechanism or radians away from where it closes: "
            "they do not tell which branch is meant; closer ones do",
        )
    if not closing.doubtful:
        return ()
    return (
        f"two ways to assemble it are about equally near to the estimates, {closing.away:.3g} and {closing.rival:.3g} "
        "away in sizes of the mechanism and radians: the nearer one is taken; closer estimates decide",
    )
