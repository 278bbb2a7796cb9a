"""The loops of a card deck as the core's loop system: the unknowns are rotations of the links.

Each link turns as a whole from where the deck has it, so that its vectors keep their angles to each other. A ram scales
its vector by its length; a crank has an angle that follows the driver.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.formulations.loops import Loops, Placed
from mubo.mechanism.formulations.vectors import NONE, Term, merge_terms, used_unknowns
from mubo.mechanism.mechanism import decade
from mubo.model import ModelDefinition
from mubo.model.linkage import Linkage, vector_name
from mubo.topology.blocks import solve_order
from mubo.topology.vector_loops import complete

DEGREE = math.pi / 180


@dataclass(frozen=True)
class DeckLoops:
    """A deck ready to solve. Its frame vectors are in the loops of `linkage`; `notes` tell how they came there."""

    model: ModelDefinition
    linkage: Linkage
    loops: Loops
    turning: tuple[tuple[int, ...], ...]  # vectors of each unknown rotation
    notes: tuple[str, ...]

    @property
    def scale(self) -> float:
        return decade(self.size)

    @property
    def size(self) -> float:
        return max(self.linkage.lengths)

    @property
    def free(self) -> tuple[str, ...]:
        """Names of what turns, one per unknown."""
        return self.loops.bodies

    @property
    def driver(self) -> str:
        (name,) = self.model.drivers
        return name

    @property
    def factor(self) -> float:
        """Radians per degree where the driver is an angle, else 1."""
        return DEGREE if self.driver == "crank" else 1.0

    def motion(self, t: Array) -> Array:
        """Value, rate and acceleration of the driver: the ram's length or the crank's angle in radians."""
        return self.model.drivers[self.driver].motion(np.asarray(t, float)) * self.factor

    def driver_values(self, motion: Array) -> dict[str, float]:
        """The length of the ram, or the angle of the crank in degrees."""
        return {self.driver: float(motion[0]) / self.factor}


def deck_loops(model: ModelDefinition) -> DeckLoops:
    """Loops of the core, or a refusal with all problems of the loops."""
    linkage = model.linkage
    assert linkage is not None
    if linkage.drive is None:
        raise ModelError(
            f"{model.where}a CLOSURE deck has no driver, so that nothing moves",
            suggestion="`mubo check` shows its closure; the motion needs a MAIN deck.",
        )
    whole = complete(linkage)
    if whole.problems:
        raise ModelError(f"{model.source}:\n  " + "\n  ".join(whole.problems))
    linkage = whole.linkage
    crank = linkage.drive is not None and linkage.drive.kind == "crank"
    turning = _turning(linkage, crank)
    terms, linear = _equations(linkage, turning, crank)
    uses = [set(used_unknowns(loop, row)) for loop in terms for row in (0, 1)] + [{0}] * len(linear)
    blocks = solve_order(uses, len(turning))
    if blocks is None:
        raise ModelError(f"{model.where}the loops do not determine the links: some loop moves too few of them")
    placed: list[Placed] = [(NONE, k, 0.0, 0.0, 0.0, []) for k in range(len(turning))]
    names = tuple(vector_name(min(group)) for group in turning)
    loops = Loops(
        system=_core.LoopSystem(len(turning), 0, terms, linear, blocks, placed),
        start=np.zeros(len(turning)),
        weight=np.ones(len(turning)),
        bodies=names,
        chords=tuple(f"loop {k}" for k in range(1, len(terms) + 1)),
        blocks=blocks,
        unknown_names=tuple(f"angle of {name}" for name in names),
        polygons=terms,
        linear=linear,
    )
    return DeckLoops(model, linkage, loops, turning, whole.notes)


def _turning(linkage: Linkage, crank: bool) -> tuple[tuple[int, ...], ...]:
    """The vectors of each unknown rotation, those that only paths have included."""
    groups = (((1,),) if crank else ()) + linkage.links
    return tuple(
        (*group, *(v for v, link in linkage.path_links.items() if link == n + (not crank)))
        for n, group in enumerate(groups)
    )


def _equations(
    linkage: Linkage, turning: tuple[tuple[int, ...], ...], crank: bool
) -> tuple[list[list[Term]], list[tuple[list[int], list[float], float, int]]]:
    """Polygons of the loops, and the linear equation of a driven crank."""
    unknown = {vector: k for k, group in enumerate(turning) for vector in group}
    terms = [merge_terms(_term(linkage, vector, unknown, crank) for vector in loop.vectors) for loop in linkage.loops]
    return terms, [([0], [1.0], -linkage.angles[0] * DEGREE, 0)] if crank else []


def _term(linkage: Linkage, vector: int, unknown: dict[int, int], crank: bool) -> Term:
    number = abs(vector)
    driven = number == 1 and not crank
    size = math.copysign(1.0 if driven else linkage.lengths[number - 1], vector)
    angle = linkage.angles[number - 1] * DEGREE
    return unknown.get(number, NONE), NONE, 0 if driven else NONE, size * math.cos(angle), size * math.sin(angle)
