"""How a run was solved: enough to draw, report, verify and repeat it without deriving anything again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.results.columns import Columns

if TYPE_CHECKING:
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


@dataclass(frozen=True)
class Event:
    """Something that happened between or at output times."""

    # "limit", "bifurcation", "near_miss", "crossing", "unbounded", "undetermined", "interference" or "failure"
    kind: str
    t: float
    drivers: dict[str, float]
    bodies: tuple[str, ...]
    message: str
    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # of both motions, where two cross
    remaining_travel: dict[str, float] = field(default_factory=dict)  # of drivers that turn back shortly before a limit

    joints: tuple[str, ...] = ()  # joints and drivers whose forces are beyond all bounds
    went_on: bool = False  # said by a simulation, which goes on from most of its events

    def __repr__(self) -> str:
        return f"<{self.kind} at t = {self.t:.9g}: {self.message}>"

    @property
    def passed(self) -> bool:
        """Whether the motion went on from here."""
        going_on = ("near_miss", "unbounded", "undetermined", "interference")
        return self.went_on or bool(self.rates) or self.kind in going_on

    def as_dict(self) -> dict[str, Any]:
        told = {name: value for name, value in asdict(self).items() if name != "went_on"}
        return {**told, "bodies": list(self.bodies), "joints": list(self.joints)}
