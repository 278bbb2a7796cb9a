"""A model put together in another of its assembly modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.solvers.assembly.mobility import diagnose
from mubo.solvers.assembly.start_analysis import Inspection
from mubo.solvers.structure.assembly_modes import Modes, find_modes
from mubo.solvers.structure.circuits import follow
from mubo.solvers.structure.mode_problem import inspected


def in_mode(look: Inspection, number: int) -> Inspection:
    """The model assembled in the numbered mode, diagnosed there; raises where there is no such mode."""
    modes = find_modes(inspected(look))
    q = modes.absolute(mode_of(modes, number), look.motion)
    gap = float(np.max(np.abs(look.form.system.phi(q, look.motion))))
    return replace(look, assembly=replace(look.assembly, q=q, gap=gap), diagnosis=diagnose(look.form, q, look.motion))


def mode_of(modes: Modes, number: int) -> Array:
    """The unknowns of the loops in the numbered mode."""
    if modes.searches and number > len(modes.found) and modes.subject.drivers:
        follow(modes, 0)  # what a search missed may lie on the way of another mode
    if not 1 <= number <= len(modes.found):
        count = len(modes.found)
        ways = f"{count} way{'s' * (count != 1)}"
        raise ModelError(
            f"there is no mode {number}: the mechanism can be assembled in {ways} at its start",
            numbers={"modes": count},
            suggestion="`mubo check MODEL --modes` lists them.",
        )
    return modes.found[number - 1].x
