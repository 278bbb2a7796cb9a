"""First position on the assembly branch of the estimates.

Estimates are a drawing, with the drivers somewhere. Where the start is elsewhere, the mechanism is assembled as drawn,
with the drivers where the drawing has them, and led from there. Whole turns of a body are none to a drawing. Where the
drawing fits the start better than the values its drivers have in it, and where no path leads to the start, the assembly
nearest to the drawing is taken at the start itself.

In the plane, drivers of angles, guides, gears and belts are equations linear in the angles φ of bodies. Walked from
what stands or is driven outwards, each places one body more: where all its factors are one, the body is put within
half a turn of its place by whole turns; behind gears and belts, where a whole turn of one wheel is none of the other,
onto it.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import found_once
from mubo.mechanism import Absolute
from mubo.model import ModelDefinition, target_of
from mubo.note import Note
from mubo.solvers.assembly.assemble import Assembly, assemble, assemble_from_other_starts, find_other_branch
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.continuation.linear_algebra import is_large
from mubo.solvers.continuation.steppers import Settings, absolute_stepper

NEAR = 0.01  # radians or sizes of the mechanism: so far from its drawing an assembly needs no second look
FAR = 10.0  # likewise, of one unknown: estimates farther away do not tell the branch
ALIKE = 0.75  # of the distance of one branch to the estimates from that of another: below, one is plainly nearer
MOST_CORRECTIONS = 20
FARTHEST = 1e4  # radians or sizes: beyond, the drivers are not led there: that would take longer than the run
TURN = 2 * np.pi


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
    notes: tuple[Note, ...] = ()


def find_first_position(
    form: Absolute, motion: Array, tolerance: float, max_iterations: int = 20, patient: bool = True
) -> FirstPosition:
    """First position on the branch of the estimates; an open assembly where none closes."""
    drawn, unwound = form, unwind_estimates(form, motion)
    if unwound is not form.estimate and not np.array_equal(unwound, form.estimate):
        form = replace(form, estimate=unwound)
    search = _BranchSearch(form, tolerance, max_iterations, patient)
    direct = search.closing(form.estimate, motion)
    if direct.away <= NEAR or not patient:
        return FirstPosition(form, direct.assembly, _branch_notes(direct))
    turned = _drawn_at_start(form, motion)  # but for whole turns
    if drawn is form and turned:
        return FirstPosition(form, direct.assembly, _branch_notes(direct))
    drawings = [form.estimate] if drawn is form else [drawn.estimate, form.estimate]
    for drawing in drawings:  # the drivers' own path first; then the one without whole turns, which may avoid a lock
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


def _drawn_at_start(form: Absolute, motion: Array) -> bool:
    """Whether the estimates have every driver where it is at the start."""
    return offset_distance(form, driver_offsets(form, form.estimate, motion)) <= NEAR


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
        away = self.form.weight * (q - drawing)
        return math.sqrt(float(away @ away))


def _branch_notes(closing: NearestAssembly) -> tuple[Note, ...]:
    if closing.farthest > FAR:
        return (Note("assembly.estimates_far", away=closing.farthest),)
    if not closing.doubtful:
        return ()
    return (Note("assembly.modes_equally_near", away=closing.away, rival=closing.rival),)


def driver_offsets(form: Absolute, q: Array, motion: Array) -> Array:
    """Offset of every driver's coordinate at q from its value: Φ of its row."""
    return np.asarray(form.system.phi(q, motion)[form.driver_equations])


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
    analysis = analyse_mobility(form, q, here)
    if analysis.undriven_dofs:
        return None

    def leading(s: Array) -> Array:
        """Drivers led linearly from where they are to the wanted values."""
        out = np.repeat(here[None], len(s), axis=0)
        out[:, ::3] -= s[:, None] * away
        out[:, 1::3] = -away
        return out

    stepper = absolute_stepper(form, analysis.independent, Settings(tolerance, scale=form.scale))
    status, state = stepper.start(q, leading(np.zeros(1))[0])
    if status != Status.done:
        return None
    grid = np.linspace(0, 1, int(10 * distance) + 2)
    path = continue_motion(leading, stepper, grid, state)
    return np.asarray(path.states[-1][0]) if path.status == Status.done else None


def _angle_drivers(form: Absolute) -> Array:
    """Flags of the drivers whose rows are equations of angles; that of a screw is its slide."""
    return found_once(form.model.structure, "drivers of angles", lambda: _find_angle_drivers(form.model))


def _find_angle_drivers(model: ModelDefinition) -> Array:
    targets = [target_of(model, driver.of) for driver in model.drivers.values()]
    return np.array([t.holds == "angle" and t.element.moves != "screw" for t in targets], bool)


def unwind_estimates(form: Absolute, motion: Array) -> Array:
    """The estimates, bodies turned so that no equation of angles is a whole revolution off with the drivers at
    `motion`."""
    if form.model.dimension == 3:
        return form.estimate  # quaternions do not count turns
    away, scales = form.system.phi(form.estimate, motion), form.equation_scales
    if scales.even and np.all(np.abs(away[scales.turning]) < 0.5 * TURN * scales.radians[scales.turning]):
        return form.estimate  # no equation of angles is half a turn off
    rows = _angle_rows(form)
    meets: dict[int, list[int]] = {}
    for row, factors in rows.items():
        for body in factors:
            meets.setdefault(body, []).append(row)
    shift: dict[int, float] = {}
    for first in (None, *meets):  # of bodies that hang together but on nothing else, the first stays as drawn
        if first is not None and first not in shift:
            shift[first] = 0.0
        ready = deque(rows if first is None else meets[first])
        while ready:
            row = ready.popleft()
            open_bodies = [body for body in rows[row] if body not in shift]
            if len(open_bodies) == 1:
                shift[open_bodies[0]] = _shift(rows[row], open_bodies[0], shift, float(away[row]))
                ready.extend(meets[open_bodies[0]])
    q = form.estimate.copy()
    q[list(shift)] += list(shift.values())
    return q


def angle_unknowns(form: Absolute) -> slice:
    """Flags of the unknowns that are angles and count revolutions: φ of every planar body, none in space."""
    return slice(form.model.dimension, None, form.width) if form.model.dimension == 2 else slice(0)


def near_turns(form: Absolute, q: Array) -> Array:
    """A position with its angles within half a turn of the estimates: angles of many turns have few digits left."""
    out, angles = q.copy(), angle_unknowns(form)
    out[angles] -= TURN * np.round((q[angles] - form.estimate[angles]) / TURN)
    return out


def _shift(factors: dict[int, float], body: int, shift: dict[int, float], away: float) -> float:
    """Rotation of a body that its equation needs, where the others have turned already."""
    off = -(away + sum(factor * shift[other] for other, factor in factors.items() if other != body)) / factors[body]
    whole = len({abs(factor) for factor in factors.values()}) == 1
    return TURN * round(off / TURN) if whole and np.isfinite(off) else off


def _angle_rows(form: Absolute) -> dict[int, dict[int, float]]:
    """Unknowns φ of every equation of angles with their factors; drivers first."""
    entries = form.estimate_entries
    turns = form.equation_scales.turning[entries[:, 0].astype(int)] & (entries[:, 2] != 0)
    rows: dict[int, dict[int, float]] = {}
    for row, column, factor in entries[turns].tolist():
        rows.setdefault(int(row), {})[int(column)] = factor
    return dict(sorted(rows.items(), key=lambda item: form.equations[item[0]].kind != "driver"))
