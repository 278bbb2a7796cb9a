"""Closure of the loops of a deck: program CLOSURE (O'Kins 1964, appendix A), and the rotations that close them.

The error of a loop is ε = Σ ± z. One vector absorbs it if it is replaced by z ∓ ε: RERR and ANGERR are how much longer
and how much further turned that is, RAD and ANGLE its length and direction.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from mubo.errors import ModelError, MuboError
from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.closing import closing_rotations
from mubo.legacy.okins1964.completion import misclosure
from mubo.legacy.okins1964.linkage import VectorLinkage, VectorLoop, vector_name
from mubo.legacy.okins1964.read import deck_of
from mubo.model import ModelDefinition
from mubo.results.presentation import Presented


@dataclass(frozen=True)
class MakeUp:
    """A vector that absorbs the error of its loop; angles in degrees."""

    vector: str
    RERR: float
    RAD: float
    ANGERR: float
    ANGLE: float


@dataclass(frozen=True)
class LoopClosure:
    """A loop, its error, and vectors that could absorb it: all of them, or the one that the deck names."""

    number: int
    vectors: tuple[int, ...]
    error: complex
    makeup: tuple[MakeUp, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "loop": self.number,
            "vectors": list(self.vectors),
            "residual": [self.error.real, self.error.imag],
            "gap": abs(self.error),
            "makeup": {
                m.vector: {"RERR": m.RERR, "RAD": m.RAD, "ANGERR_deg": m.ANGERR, "ANGLE_deg": m.ANGLE}
                for m in self.makeup
            },
        }


@dataclass(frozen=True, repr=False)
class ClosureReport(Presented):
    """The findings of `mubo check` for a deck. `error` is the error that an analysis would raise, or None."""

    model: str
    linkage: VectorLinkage
    loops: tuple[LoopClosure, ...]
    rotations: dict[str, float]  # degrees by which links turn so that all loops close
    notes: tuple[str, ...]
    error: MuboError | None

    @property
    def ok(self) -> bool:
        """Whether an analysis of the deck would start."""
        return self.error is None

    def as_dict(self) -> dict[str, Any]:
        drive = self.linkage.drive
        return {
            "status": "ok" if self.ok else "failed",
            "model": self.model,
            "program": "MAIN" if drive else "CLOSURE",
            "driver": drive.kind if drive else "",
            "loops": [loop.as_dict() for loop in self.loops],
            "gap": max(abs(loop.error) for loop in self.loops),
            "closing_rotations_deg": self.rotations,
            "mobility": {"gruebler": 1, "rank": 1, "loops": len(self.loops), "redundant": []} if drive else {},
            "message": str(self.error) if self.error else "",
            "warnings": list(self.notes),
        }


def check_deck(model: ModelDefinition) -> ClosureReport:
    """Closure of every loop, independence, and whether the links can close all loops together."""
    whole = deck_of(model)
    linkage = whole.linkage
    error: MuboError | None = None
    rotations: dict[str, float] = {}
    if whole.problems:
        error = ModelError(f"{model.source}:\n  " + "\n  ".join(whole.problems))
    elif linkage.drive is not None:
        try:
            rotations = {
                vector_name(min(linkage.groups[name])): turn for name, turn in closing_rotations(linkage).items()
            }
        except MuboError as found:
            error = found
    named = linkage.makeup or (0,) * len(linkage.loops)
    loops = []
    for number, (loop, vector) in enumerate(zip(linkage.loops, named, strict=True), 1):
        chosen = (vector,) if vector else loop.vectors
        absorbing = tuple(make_up(linkage, loop, v) for v in chosen)
        loops.append(LoopClosure(number, loop.vectors, misclosure(linkage, loop), absorbing))
    notes = (*linkage.notes, *whole.notes)
    return ClosureReport(model.name, linkage, tuple(loops), rotations, notes, error)


def make_up(linkage: VectorLinkage, loop: VectorLoop, vector: int) -> MakeUp:
    """The vector that closes a loop in place of the one given; its angle is the one nearest to it."""
    length, angle = linkage.lengths[abs(vector) - 1], linkage.angles[abs(vector) - 1]
    new = cmath.rect(length, math.radians(angle)) - np.sign(vector) * misclosure(linkage, loop)
    turned = math.degrees(cmath.phase(new * cmath.rect(1.0, -math.radians(angle))))
    return MakeUp(vector_name(vector), abs(new) - length, abs(new), turned, angle + turned)
