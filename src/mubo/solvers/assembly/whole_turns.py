"""Estimated angles without whole revolutions: 30° and 390° are one pose, but equations of angles count revolutions.

In the plane, drivers of angles, guides, gears and belts are equations linear in the angles φ of bodies. Walked from
what stands or is driven outwards, each places one body more: where all its factors are one, the body is put within
half a turn of its place by whole turns; behind gears and belts, where a whole turn of one wheel is none of the other,
onto it.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.continuation.equation_scales import EquationScales

TURN = 2 * np.pi


def unwind_estimates(form: Absolute, motion: Array) -> Array:
    """The estimates, bodies turned so that no equation of angles is a whole revolution off with the drivers at
    `motion`."""
    if form.model.dimension == 3:
        return form.estimate  # quaternions do not count turns
    rows = _angle_rows(form)
    away = form.system.phi(form.estimate, motion)
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
    turning = EquationScales.of(form).turning
    entries = form.system.jacobian_entries(form.estimate, np.zeros(3 * len(form.model.drivers)))
    rows: dict[int, dict[int, float]] = {}
    for row, column, factor in entries:
        if turning[int(row)] and factor != 0:
            rows.setdefault(int(row), {})[int(column)] = float(factor)
    return dict(sorted(rows.items(), key=lambda item: form.equations[item[0]].kind != "driver"))
