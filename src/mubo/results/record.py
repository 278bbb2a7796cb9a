"""How a run was solved: enough to draw, report, verify and repeat it without deriving anything again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.results.columns import Columns
from mubo.results.forces import ForceRecord

FORMULATIONS = {
    "absolute": "absolute coordinates",
    "loops": "vector loops",
    "tree": "a tree of joint coordinates",
    "wittenburg": "Wittenburg's equations",
    "1964": "the scheme of 1964",
}


@dataclass(frozen=True)
class Record:
    """The model as it was, the equations that solved it, and how.

    `inspection` is what the first look found: the mechanism in its form, assembled and diagnosed. `form` is what moved
    it: vector loops, the absolute form or a tree. `listing` writes the classic listing of the run's columns. `between`
    solves the motion at any times between the rows; times that it cannot reach are left out. `rows` answers the states
    there instead of columns. `strength` is what was found of metal and room, `gait` of somebody's walk, where that was
    asked for.
    """

    model: ModelDefinition
    study: str  # "kinematics", "simulate", "inverse", "statics", "strength" or "gait"
    formulation: str  # a name of FORMULATIONS
    times: tuple[float, float, float]  # start, end, step as asked for
    settings: Any = None
    inspection: Any = None
    form: Any = None
    corrections: Array = field(default_factory=lambda: np.zeros(0, int))  # Newton corrections per row
    tolerance: float = 1e-10
    listing: Callable[[Columns], str] | None = None
    between: Callable[[Array], Columns] | None = None
    forces: ForceRecord | None = None
    rows: Callable[[Array], Any] | None = None
    strength: Any = None
    gait: Any = None
