"""Assembly from other starts than the estimates: where these are symmetric or collinear, no first step leads away.

Links drawn on top of each other, as lengths alone give them, are a saddle of the gap: Newton's and Levenberg's steps
stay in the line. Starts turned and shifted a little, to either side, leave it; the assembly nearest to the estimates
is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.assemble import Assembly, assemble
from mubo.solvers.continuation.linear_algebra import EquationSubset, newton_step

AMOUNTS = (0.05, 0.4, 1.2)  # radians, or sizes of the mechanism, by which starts are moved
SIDES = 2  # random directions, each tried to both sides
DEFLATED_ITERATIONS = 40
LONGEST = 0.5  # step towards another branch, in radians or sizes of the mechanism
SAME = 1e-4  # distance below which two assemblies are one
MOST_UNKNOWNS = 120  # of a mechanism that is tried again


def assemble_from_other_starts(
    form: Absolute,
    motion: Array,
    tolerance: float,
    max_iterations: int,
    first: Assembly,
    part: EquationSubset | None = None,
) -> Assembly:
    """The assembly nearest to the estimates from starts around them, of a subset or all; `first` where none closes."""
    if len(form.weight) > MOST_UNKNOWNS:
        return first
    for starts in starts_around(form, form.estimate):
        trials = [assemble(form, motion, tolerance, max_iterations, start, part) for start in starts]
        closed = [trial for trial in trials if trial.gap <= tolerance]
        if closed:
            return min(closed, key=lambda trial: float(np.linalg.norm(form.weight * (trial.q - form.estimate))))
    return first


def starts_around(form: Absolute, q: Array) -> Iterator[list[Array]]:
    """Positions around q, to either side of it; the nearer ones first."""
    anyhow = np.random.default_rng(0)  # any directions do; the same ones for the same answer
    for amount in AMOUNTS:
        shifts = [amount * anyhow.uniform(-1, 1, len(q)) / form.weight for _ in range(SIDES)]
        yield [q + side * shift for shift in shifts for side in (1.0, -1.0)]


def find_other_branch(form: Absolute, motion: Array, tolerance: float, known: Array, start: Array) -> Assembly | None:
    """Another assembly than a `known` one from the same start, or None where none is found.

    Newton on m Φ with m = 1 + 1/d², d the distance to the known one: its step is that of Φ, longer or shorter
    (deflation: Brown and Gearhart 1971; Farrell, Birkisson and Funke 2015).
    """
    q = start.copy()
    for count in range(DEFLATED_ITERATIONS):
        phi = form.system.phi(q, motion)
        gap = float(np.max(np.abs(phi), initial=0.0))
        away = form.weight * (q - known)
        square = float(away @ away)
        if gap <= tolerance:
            return Assembly(q, count, gap, int(np.argmax(np.abs(phi)))) if square > SAME**2 else None
        step = newton_step(form, q, motion, phi, EquationSubset.whole(form)) if square > 0 else None
        if step is None or not np.all(np.isfinite(step)):
            return None
        slope = -2 * float(away @ (form.weight * step)) / (square * (square + 1))  # m'·step / m
        step = step / (1 - slope) if slope != 1 else step
        q = q + step / max(1.0, float(np.max(np.abs(form.weight * step))) / LONGEST)
    return None
