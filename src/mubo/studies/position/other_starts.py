"""Assembly from other starts than the estimates: where these are symmetric or collinear, no first step leads away.

Links drawn on top of each other, as lengths alone give them, are a saddle of the gap: Newton's and Levenberg's steps
stay in the line. Starts turned and shifted a little, to either side, leave it; the assembly nearest to the estimates
is taken.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.studies.position.assemble import Assembly, assemble

AMOUNTS = (0.05, 0.4, 1.2)  # radians, or sizes of the mechanism, by which starts are moved
SIDES = 2  # random directions, each tried to both sides
MOST_UNKNOWNS = 120  # of a mechanism that is tried again


def from_other_starts(
    form: Absolute, motion: Array, tolerance: float, max_iterations: int, first: Assembly
) -> Assembly:
    """The assembly nearest to the estimates from starts around them; `first` where none closes."""
    if len(form.weight) > MOST_UNKNOWNS:
        return first
    anyhow = np.random.default_rng(0)  # any directions do; the same ones for the same answer
    for amount in AMOUNTS:
        closed = []
        for _ in range(SIDES):
            shift = amount * anyhow.uniform(-1, 1, len(form.weight)) / form.weight
            for side in (1.0, -1.0):
                trial = assemble(form, motion, tolerance, max_iterations, form.estimate + side * shift)
                closed += [trial] if trial.gap <= tolerance else []
        if closed:
            return min(closed, key=lambda trial: float(np.linalg.norm(form.weight * (trial.q - form.estimate))))
    return first
