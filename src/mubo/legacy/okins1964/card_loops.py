"""The loop table of a deck with the vectors and loops of its cards (O'Kins 1964, Table I and Figure 11)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name
from mubo.legacy.okins1964.read import deck_of
from mubo.model import GROUND, ModelDefinition
from mubo.solvers.structure.loop_table import Place, TableLoop, TableVector

Pose = tuple[float, float, float]


def card_loops(
    model: ModelDefinition, poses: Mapping[str, Pose]
) -> tuple[tuple[TableVector, ...], tuple[TableLoop, ...]]:
    """The vectors of the cards between their pins, and the loops of the cards; bodies stand at `poses`."""
    linkage = deck_of(model).linkage
    vectors = tuple(_vector(model, poses, linkage, number) for number in linkage.vectors)
    loops = tuple(
        TableLoop(f"L{number}", "", _walk(loop.vectors, vectors), loop.line)
        for number, loop in enumerate(linkage.loops, 1)
    )
    return vectors, loops


def _vector(model: ModelDefinition, poses: Mapping[str, Pose], linkage: VectorLinkage, number: int) -> TableVector:
    ends = model.measures[vector_name(number)].on
    tail, head = (reference.partition(".")[2] for reference in ends)
    link = GROUND if number in linkage.frame else next(name for name, own in linkage.groups.items() if number in own)
    ram = linkage.drive is not None and linkage.drive.kind == "ram" and number == 1
    kind = "slide" if ram else GROUND if link == GROUND else "link"
    start, end = (_place(model, poses, reference) for reference in ends)
    return TableVector(vector_name(number), "slide" if ram else link, kind, tail, head, start, end, link == GROUND)


def _place(model: ModelDefinition, poses: Mapping[str, Pose], reference: str) -> Place:
    body, (x, y, *_) = model.place(reference)
    px, py, angle = poses[body]
    cosine, sine = math.cos(angle), math.sin(angle)
    return px + cosine * x - sine * y, py + sine * x + cosine * y


def _walk(loop: tuple[int, ...], vectors: tuple[TableVector, ...]) -> tuple[tuple[str, int], ...]:
    """The loop as a walk from pin to pin that begins with the frame; in the order of its card where copies break it."""
    left = sorted(loop, key=lambda v: vectors[abs(v) - 1].kind != GROUND)
    steps = [left.pop(0)]
    while left:
        at = _ends(steps[-1], vectors)[1]
        following = next((v for v in left if _ends(v, vectors)[0] == at), left[0])
        left.remove(following)
        steps.append(following)
    return tuple((vector_name(v), 1 if v > 0 else -1) for v in steps)


def _ends(vector: int, vectors: tuple[TableVector, ...]) -> tuple[str, str]:
    """Pins where a signed vector begins and ends."""
    own = vectors[abs(vector) - 1]
    return (own.tail, own.head) if vector > 0 else (own.head, own.tail)
