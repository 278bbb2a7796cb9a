"""The task of a linkage in numbers, with the label of its table."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

ANGLE, PLACE = "angle", "place"


@dataclass(frozen=True)
class Task:
    """Columns of a linkage's run and the values they are to have, position by position.

    Angles (degrees) count from their value at the first position where `relative` is set.
    """

    label: str  # "function at 3 points"
    columns: dict[str, Array] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # of the columns: ANGLE or PLACE
    numbers: dict[str, float] = field(default_factory=dict)  # objectives of the whole run, as sweeps measure them
    units: Units = field(default_factory=Units)
    relative: bool = False
    whole_turn: bool = False  # a crank that turns round is run over the whole turn
    marks: Complex | None = None  # places to draw
    more: dict[str, str] = field(default_factory=dict)  # further errors of a design, with their names in tables
    plain: tuple[str, ...] = ()  # dimensions that are no lengths
    axes: Array | None = None  # angles of poses to draw, at the places

    @property
    def measured(self) -> dict[str, str]:
        """Names of the errors that are reported, with their units in brackets."""
        length = f" [{self.units.length}]" if self.units.length else ""
        unit = {PLACE: length, ANGLE: " [deg]"}
        errors = {kind: f"{kind} error{unit[kind]}" for kind in dict.fromkeys(self.kinds.values())}
        return errors | self.more | {text: f"{text.partition(' of ')[0]} error" for text in self.numbers}

    @property
    def size(self) -> float:
        """How far the places are apart, at most; 1 where there are none."""
        places = [values for name, values in self.columns.items() if self.kinds[name] == PLACE]
        return float(max((np.ptp(values) for values in places), default=1.0)) or 1.0

    def errors(self, found: dict[str, Array]) -> dict[str, float]:
        """The largest distance of places and difference of angles, by kind; `found` has what the columns have."""
        out: dict[str, float] = {}
        gaps = {name: found[name] - values for name, values in self.columns.items()}
        if self.relative:
            gaps = {name: gap - gap[0] for name, gap in gaps.items()}
        angles = [(gap + 180) % 360 - 180 for name, gap in gaps.items() if self.kinds[name] == ANGLE]
        places = [gap for name, gap in gaps.items() if self.kinds[name] == PLACE]
        if places:
            out[PLACE] = float(np.max(np.linalg.norm(places, axis=0)))
        if angles:
            out[ANGLE] = float(np.max(np.abs(angles)))
        return out
