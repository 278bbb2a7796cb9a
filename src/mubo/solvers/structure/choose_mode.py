"""A model assembled in another of its assembly modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.structure.assembly_modes import AssemblyModes, find_modes
from mubo.solvers.structure.circuits import find_circuits
from mubo.solvers.structure.mode_problem import mode_problem_from_start


def start_in_mode(look: StartAnalysis, number: int) -> StartAnalysis:
    """Analysis of the start in the numbered assembly mode; raises where there is no such mode."""
    modes = find_modes(mode_problem_from_start(look))
    q = modes.absolute(mode_unknowns(modes, number), look.motion)
    gap = float(np.max(np.abs(look.form.system.phi(q, look.motion))))
    return replace(
        look, assembly=replace(look.assembly, q=q, gap=gap), diagnosis=analyse_mobility(look.form, q, look.motion)
    )


def mode_unknowns(modes: AssemblyModes, number: int) -> Array:
    """Unknowns of the loops in the numbered mode."""
    if modes.searches and number > len(modes.found) and modes.subject.drivers:
        find_circuits(modes, 0)  # what a search missed may lie on the way of another mode
    if not 1 <= number <= len(modes.found):
        count = len(modes.found)
        ways = f"{count} way{'s' * (count != 1)}"
        raise ModelError(
            f"there is no mode {number}: the mechanism can be assembled in {ways} at its start",
            numbers={"modes": count},
            suggestion="`mubo check MODEL --modes` lists them.",
        )
    return modes.found[number - 1].x
