"""The vector loops of a model in words: which vectors close which polygon, and the groups in which they are solved."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mubo.compile.loops import Loops, NoLoops, compile_loops
from mubo.compile.vectors import Term
from mubo.errors import ModelError
from mubo.model import Model
from mubo.studies.inspect import inspect


@dataclass(frozen=True)
class LoopReport:
    """Loops and groups. Print it to read it."""

    model: str
    loops: tuple[tuple[str, tuple[str, ...]], ...]  # closing joint, vectors
    groups: tuple[tuple[str, tuple[str, ...]], ...]  # kind of group, unknowns it gives

    def as_dict(self) -> dict[str, object]:
        return {
            "loops": [{"closed_by": joint, "vectors": list(vectors)} for joint, vectors in self.loops],
            "groups": [{"kind": kind, "gives": list(unknowns)} for kind, unknowns in self.groups],
        }

    def __str__(self) -> str:
        lines = [f"loops of {self.model}"]
        for number, (joint, vectors) in enumerate(self.loops, 1):
            lines.append(f"  L{number:<3} closed by {joint}: " + "  ".join(vectors))
        lines.append("groups, in the order in which they are solved")
        width = max((len(kind) for kind, _ in self.groups), default=0)
        lines += [f"  {n:>3}  {kind:<{width}}  {', '.join(gives)}" for n, (kind, gives) in enumerate(self.groups, 1)]
        return "\n".join(lines)


def loop_report(model: Model) -> LoopReport:
    """The loops of a model at its start; raises ModelError where it has none or is not determined."""
    look = inspect(model, model.analysis.start if model.analysis else 0.0)
    if not look.determined:
        raise ModelError(
            "the loops are shown once the motion is determined: see what `mubo check` says without --loops"
        )
    try:
        loops = compile_loops(look.compiled, look.assembly.q)
    except NoLoops as reason:
        raise ModelError(f"the model cannot be written as vector loops: {reason}") from None
    drivers = list(model.drivers)
    vectors = tuple(
        (joint, tuple(_vector(loops, term, drivers) for term in terms))
        for joint, terms in zip(loops.chords, loops.polygons, strict=True)
    )
    groups = tuple(
        (_kind(loops, rows, unknowns), tuple(loops.unknown_names[u] for u in unknowns))
        for rows, unknowns in loops.blocks
    )
    return LoopReport(model.name, vectors, groups)


def _vector(loops: Loops, term: Term, drivers: list[str]) -> str:
    """ "+ 4 along coupler", "+ slide of ram along cylinder", "+ 2.5 at 180 deg"."""
    angle, slide, driver, x, y = term
    length, direction = math.hypot(x, y), math.degrees(math.atan2(y, x))
    size = loops.unknown_names[slide] if slide >= 0 else f"{length:.6g}"
    if driver >= 0:
        size = f"{drivers[driver]}(t)"
    if angle < 0:
        return f"+ {size} at {direction + 0.0:.6g} deg"
    along = loops.unknown_names[angle].removeprefix("angle of ")
    turned = "" if abs(direction) < 1e-9 else f" turned {direction:.6g} deg"
    if abs(abs(direction) - 180) < 1e-9:
        return f"- {size} along {along}"
    return f"+ {size} along {along}{turned}"


def _kind(loops: Loops, rows: list[int], unknowns: list[int]) -> str:
    """The structural group that a block is."""
    vectors = 2 * len(loops.polygons)
    slides = sum(loops.unknown_names[u].startswith("slide") for u in unknowns)
    if len(rows) == 1:
        if rows[0] < vectors:
            return "projection"
        return "driver" if loops.linear[rows[0] - vectors][3] >= 0 else "ratio"
    if len(rows) == 2 and all(row < vectors for row in rows):
        return ("dyad RRR", "dyad with a slider", "dyad with two sliders")[slides]
    return f"group of {len(rows)}"
