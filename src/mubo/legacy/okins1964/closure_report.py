"""How well the loops of a deck close: program CLOSURE (O'Kins 1964, appendix A), and by what its links are turned.

The error of a loop is ε = Σ ± z. One vector absorbs it if it is replaced by z ∓ ε: RERR and ANGERR are how much longer
and how much further turned that is, RAD and ANGLE its length and direction.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.errors import ModelError, MuboError
from mubo.legacy.okins1964.closing import close
from mubo.legacy.okins1964.completion import misclosure
from mubo.legacy.okins1964.linkage import VectorLinkage, VectorLoop, signed_names, vector_name
from mubo.legacy.okins1964.read import deck_of
from mubo.model import ModelDefinition


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


@dataclass(frozen=True)
class ClosureReport:
    """What `mubo check` says of a deck. `error` is what an analysis would raise, or None."""

    model: str
    linkage: VectorLinkage
    loops: tuple[LoopClosure, ...]
    rotations: dict[str, float]  # degrees by which links turn so that all loops close
    notes: tuple[str, ...]
    error: MuboError | None

    @property
    def ok(self) -> bool:
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

    def __str__(self) -> str:
        drive, links = self.linkage.drive, len(self.linkage.links)
        what = f"{len(self.linkage.lengths)} vectors in {len(self.loops)} loop{'s' * (len(self.loops) > 1)}"
        if drive:
            crank = " and the crank" if drive.kind == "crank" else ""
            what += f"; {links} links{crank} turn, driven by the {drive.kind} z1 at {drive.rate:g} "
            what += "per second" if drive.kind == "ram" else "deg per second"
        lines = [self.model, f"  deck          program {'MAIN' if drive else 'CLOSURE'}: {what}"]
        width = max(len(signed_names(loop.vectors)) for loop in self.loops)
        lines += ["", f"  {'loop':<6}{'sum of vectors':<{width + 2}}{'error x':>10}{'error y':>10}"]
        for loop in self.loops:
            names = signed_names(loop.vectors)
            lines.append(
                f"  L{loop.number:<5}{names:<{width + 2}}{_number(loop.error.real, 5)}{_number(loop.error.imag, 5)}"
            )
        lines += ["", "  a loop closes if one vector is changed [deg]:"]
        lines.append(f"  {'loop':<6}{'vector':<8}{'RERR':>10}{'RAD':>12}{'ANGERR':>10}{'ANGLE':>12}")
        for loop in self.loops:
            for m in loop.makeup:
                cells = f"{_number(m.RERR, 5)}{m.RAD:>12.5f}{_number(m.ANGERR, 4)}{_number(m.ANGLE, 4, 12)}"
                lines.append(f"  L{loop.number:<5}{m.vector:<8}{cells}")
        if self.rotations:
            lines += ["", "  all loops close if the links turn [deg]:"]
            told = [f"{name:>5} {round(turn, 4) + 0.0:+8.4f}" for name, turn in self.rotations.items()]
            lines += ["".join(told[k : k + 5]) for k in range(0, len(told), 5)]
        lines += ["", *(f"  note          {note}" for note in self.notes)]
        verdict = "ready: the motion is determined" if drive else "the loops close within their errors"
        problem = str(self.error).replace("\n", "\n                ")
        return "\n".join([*lines, f"  verdict       {verdict}" if self.ok else f"  problem       {problem}"])

    __repr__ = __str__


def _number(value: float, digits: int, width: int = 10) -> str:
    """Aligned, without a sign before zero."""
    return f"{round(value, digits) + 0.0:>{width}.{digits}f}"


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
            rotations = {vector_name(min(linkage.groups[name])): turn for name, turn in close(linkage).items()}
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
