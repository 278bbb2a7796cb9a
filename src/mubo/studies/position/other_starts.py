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
from mubo.studies.position.assemble import Assembly, assemble
from mubo.studies.position.linear import Part

AMOUNTS = (0.05, 0.4, 1.2)  # radians, or sizes of the mechanism, by which starts are moved
SIDES = 2  # random directions, each tried to both sides
MOST_UNKNOWNS = 120  # of a mechanism that is tried again


def from_other_starts(
    form: Absolute, motion: Array, tolerance: float, max_iterations: int, first: Assembly, part: Part | None = None
) -> Assembly:
    """The assembly nearest to the estimates from starts around them, of a part or of all; `first` where none closes."""
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
