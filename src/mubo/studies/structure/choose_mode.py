"""A model put together in another of its assembly modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.errors import ModelError
from mubo.studies.position.diagnose import diagnose
from mubo.studies.position.inspect import Inspection
from mubo.studies.structure.circuits import follow
from mubo.studies.structure.modes import find_modes


def in_mode(look: Inspection, number: int) -> Inspection:
    """The model assembled in the numbered mode, diagnosed there; raises where there is no such mode."""
    modes = find_modes(look)
    if modes.searches and number > len(modes.found) and look.form.model.drivers:
        follow(modes, 0)  # what a search missed may lie on the way of another mode
    if not 1 <= number <= len(modes.found):
        count = len(modes.found)
        ways = f"{count} way{'s' * (count != 1)}"
        raise ModelError(
            f"there is no mode {number}: the mechanism can be assembled in {ways} at its start",
            numbers={"modes": count},
            suggestion="`mubo check MODEL --modes` lists them.",
        )
    q = modes.absolute(modes.found[number - 1].x, look.motion)
    gap = float(np.max(np.abs(look.form.system.phi(q, look.motion))))
    return replace(look, assembly=replace(look.assembly, q=q, gap=gap), diagnosis=diagnose(look.form, q, look.motion))
