"""Checks of positions that the equations themselves prove: residuals at the rows, and a certificate of every pose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.analyses.verify.certificate import Certificate, certificate
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Integers
from mubo.mechanism.rows import Equation
from mubo.model import Units
from mubo.solvers.kinematics.redundant_rows import most_independent_rows

RATES = 1e-9  # of the largest rate, or acceleration: what rounding may leave of J v − ν
WORK = 2e9  # rows × unknowns³: more rows than that are not all looked at
MOST_UNKNOWNS = 1500  # whose inverse, which has no zeros, is made
NAMES = ("residual of positions", "residual of velocities", "residual of accelerations")
TEXTS = ("Φ of every joint and driver at the table's positions", "J v − ν of the table", "J a − γ of the table")
TURNS = {2: 1.0, 3: 2.0}  # radians that a body may turn where no unknown moves by more than one


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
        note = f"largest of {owner(form.equations[row])}" if found > 0 else ""
        yield Check(NAMES[order], TEXTS[order], found, holding if order == 0 else RATES, note)


def owner(equation: Equation) -> str:
    return equation.owner


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
    return f"{value:.1e} {units.of(holds, 0) or ('rad' if holds == 'angle' else '')}".rstrip()
