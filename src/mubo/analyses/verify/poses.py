"""Checks of positions by the equations themselves: residuals at the rows, and a certificate of every pose.

A certificate of a position: near the numbers of the table the equations have exactly one exact solution.

Theorem of Newton and Kantorovich (Ortega and Rheinboldt, Iterative Solution of Nonlinear Equations, 1970, 12.6; in its
form without units Deuflhard and Heindl, 1979): let F be the square system at q, J = F'(q), and

    η ≥ ‖J⁻¹ F(q)‖,    ω ≥ ‖J⁻¹ (J(x) − J(y))‖ / ‖x − y‖  in the ball ‖x − q‖ ≤ ρ,    h = η ω ≤ 1/2.

Then a solution exists within r₋ = 2η / (1 + √(1 − 2h)) of q where r₋ ≤ ρ, and there is no other one within
r₊ = (1 + √(1 − 2h)) / ω, as far as ρ reaches. With β ≥ ‖J⁻¹‖ and K a Lipschitz constant of J, ω ≤ β K: the rows' own
constants K_r give the sharper ω = max_i Σ_r |J⁻¹|_ir K_r. Norms are the largest component, lengths in sizes of the
mechanism and angles in radians. The K_r are bounds in closed form, from the rows' own formulas (core/number/bound.hpp).

Rounding: F is evaluated in doubles, and its error bound is added to η; the computed Y is not J⁻¹, but with
‖I − Y J‖ ≤ ε < 1 all norms grow by 1 / (1 − ε) at most, ε counting the rounding of J and of the product. The numbers of
the model and the values of the motion laws are taken as the doubles that they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import Units
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.redundant_rows import most_independent_rows
from mubo.solvers.kinematics.time_grid_refinement import BACK

UNIT = 2.0**-53
ROUNDINGS = 64  # on any path through the formula of a derivative; the slope bounds the sum of their sizes
SLACK = 1 + 1e-9  # more than the rounding of the bounds themselves
RADII = tuple(4.0**-k for k in range(16))  # sizes of the mechanism, or radians
RATES = 1e-9  # of the largest rate, or acceleration: what rounding may leave of J v − ν
WORK = 2e9  # rows × unknowns³: of more, not every row is certified
MOST_UNKNOWNS = 1500  # whose inverse, which has no zeros, is made
NAMES = ("residual of positions", "residual of velocities", "residual of accelerations")
TEXTS = ("Φ of every joint and driver at the table's positions", "J v − ν of the table", "J a − γ of the table")
TURNS = {2: 1.0, 3: 2.0}  # radians that a body may turn where no unknown moves by more than one


@dataclass(frozen=True)
class Certificate:
    """Radii in sizes of the mechanism, or radians; both infinite and h too where nothing is certified."""

    h: float
    exists: float = math.inf
    unique: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether a solution is certified."""
        return math.isfinite(self.exists)


NONE = Certificate(math.inf)


def certificate(form: Absolute, active: Integers, q: Array, motion: Array) -> Certificate:
    """For the position q and as many equations as unknowns, `active`."""
    system, weight, count = form.system, form.weight, len(active)
    J = np.asarray(system.jacobian(q, motion))[active] / weight
    F = np.asarray(system.phi(q, motion))[active]
    slope, error = system.bounds(q, motion, weight, 0.0)[1:, active]
    if not (np.all(np.isfinite(slope)) and np.all(np.isfinite(J)) and np.all(np.isfinite(F))):
        return NONE
    try:
        Y = np.linalg.inv(J)
    except np.linalg.LinAlgError:
        return NONE
    size = np.abs(Y)
    defect = np.abs(np.eye(count) - Y @ J).sum(axis=1) + (count + 2) * UNIT * (size @ np.abs(J)).sum(axis=1)
    epsilon = float(np.max(defect + ROUNDINGS * UNIT * (size @ slope))) * SLACK
    if not epsilon < 0.5:
        return NONE
    rounding = size @ (error + (count + 2) * UNIT * np.abs(F))
    eta = float(np.max(np.abs(Y @ F) + rounding)) * SLACK / (1 - epsilon)
    best = NONE
    for radius in RADII:
        bend = system.bounds(q, motion, weight, radius)[0, active]
        omega = float(np.max(size @ bend)) * SLACK / (1 - epsilon) if np.all(np.isfinite(bend)) else math.inf
        best = max(best, _within(eta, omega, radius), key=lambda one: one.unique)
        if best.unique >= radius:  # smaller balls prove less
            break
    return best


def _within(eta: float, omega: float, radius: float) -> Certificate:
    h = eta * omega
    if not h <= 0.5:
        return Certificate(h)
    root = math.sqrt(1 - 2 * h)
    exists = 2 * eta / (1 + root)
    if exists > radius:
        return Certificate(h)
    return Certificate(h, exists, min(radius, (1 + root) / omega if omega > 0 else radius))


def residuals(subject: Subject) -> Iterator[Check]:
    """Residuals of the equations in absolute coordinates, by jets over time, at the table's own numbers."""
    form = subject.form
    largest = np.asarray(form.system.residuals(subject.states, subject.motion)) * subject.scales.weight
    holding = max(1e-9, 10 * subject.run.record.tolerance / form.scale if subject.run.record.study != "simulate" else 0)
    orders = 1 if subject.is_static else 3
    for order in range(orders):
        size = subject.sizes[order] if order else 1.0
        row = int(np.argmax(largest[order])) if largest.size else 0
        found = float(largest[order, row]) / (size or 1.0) if largest.size else 0.0
        note = f"largest of {form.equations[row].owner}" if found > 0 else ""
        yield Check(NAMES[order], TEXTS[order], found, holding if order == 0 else RATES, note)


def certificates(subject: Subject) -> Iterator[Check]:
    """The theorem of Kantorovich at the rows."""
    name, what = "certificate", "Kantorovich at every pose: an exact solution near it, and no other"
    if subject.form.system.unknowns > MOST_UNKNOWNS:
        yield Check(name, what, note=f"more than {MOST_UNKNOWNS} unknowns: it takes the whole inverse of J")
        return
    looks = _rows_to_look_at(subject)
    found = {row: _certified(subject, row) for row in looks}
    if not found:
        yield Check(name, what, note="there is no row")
        return
    worst = max(found, key=lambda row: found[row].h)
    count = f"{len(looks)} of {len(subject.t)} rows"
    if not found[worst].holds:
        lost = [subject.t[row] for row in looks if not found[row].holds]
        some = ", ".join(f"{t:.6g}" for t in lost[:5]) + (" …" if len(lost) > 5 else "")
        note = f"not certified at t = {some} ({len(lost)} of {count}): near a singular position, or no solution"
        yield Check(name, what, found[worst].h, 0.5, note)
        return
    exists, unique = max(one.exists for one in found.values()), min(one.unique for one in found.values())
    note = (
        f"{count}: exists within {_radius_text(subject, exists)}, the only one within {_radius_text(subject, unique)}"
    )
    yield Check(name, what, found[worst].h, 0.5, note)


def _rows_to_look_at(subject: Subject) -> list[int]:
    return subject.looks(max(3, int(WORK / max(subject.form.system.unknowns, 1) ** 3)))


def _certified(subject: Subject, row: int) -> Certificate:
    q, motion = np.ascontiguousarray(subject.states[row, 0]), subject.motion[row]
    return certificate(subject.form, _active(subject, row), q, motion)


def _active(subject: Subject, row: int) -> Integers:
    """As many equations as unknowns: all, or the most independent ones there."""
    form = subject.form
    if len(form.equations) == form.system.unknowns:
        return np.arange(len(form.equations), dtype=np.int32)
    return most_independent_rows(form, np.ascontiguousarray(subject.states[row, 0]), subject.motion[row])


def _radius_text(subject: Subject, radius: float) -> str:
    """A radius as a length and an angle, in the model's units."""
    form, units = subject.form, subject.run.units
    length, turn = radius * form.mechanism.size, radius * TURNS[form.mechanism.dimension]
    return f"{_amount(length, units, 'length')} and {_amount(turn / units.angle_factor(), units, 'angle')}"


def _amount(value: float, units: Units, holds: str) -> str:
    return f"{value:.1e} {units.unit_of(holds, 0) or ('rad' if holds == 'angle' else '')}".rstrip()


def reversibility(subject: Subject) -> Iterator[Check]:
    """Whether the motion returns to its start when it is reversed; else it has changed its branch."""
    settings: Settings = subject.run.record.settings
    allowed = settings.same(BACK)
    found = subject.run.summary["there_and_back"]
    yield Check("reversibility", "the first row with where the motion ends that is run backwards", found, allowed)
