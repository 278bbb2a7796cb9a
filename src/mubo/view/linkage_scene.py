"""Where the vectors of a deck lie, as plain data: walked along its paths first, then around its loops.

A deck tells which vectors a loop has, but only a path tells their order. Vectors that no path holds are put where they
close their loop, in the order of the cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.model.linkage import Linkage, vector_name
from mubo.results import Trajectory


@dataclass(frozen=True)
class Arrow:
    """A vector from its tail to its head; `link` is 0 for the frame and for a driven crank."""

    name: str
    number: int
    tail: complex
    head: complex
    link: int
    fixed: bool
    driven: bool


def linkage_scene(run: Trajectory, row: int) -> list[Arrow]:
    """Every vector at one row of a result."""
    linkage = run.record.inspection.linkage
    z = {n: complex(run[f"z{n}.r"][row] * np.exp(1j * np.radians(run[f"z{n}.theta"][row]))) for n in linkage.vectors}
    tails: dict[int, complex] = {}
    for path in linkage.paths:
        _walk(path.vectors, 0j, z, tails)
    size = max(linkage.lengths)
    left = [tuple(loop.vectors) for loop in linkage.loops]
    while left:
        left.sort(key=lambda loop: (-sum(abs(v) in tails for v in loop), len(loop)))
        _place(linkage, left.pop(0), z, tails, 1e-6 * size)
    return [
        Arrow(vector_name(n), n, tails[n], tails[n] + z[n], linkage.link_of(n), n in linkage.frame, n == 1)
        for n in linkage.vectors
        if n in tails
    ]


def _walk(vectors: tuple[int, ...], at: complex, z: dict[int, complex], tails: dict[int, complex]) -> None:
    for vector in vectors:
        step = z[abs(vector)] if vector > 0 else -z[abs(vector)]
        tails.setdefault(abs(vector), at if vector > 0 else at + step)
        at += step


def _place(
    linkage: Linkage, loop: tuple[int, ...], z: dict[int, complex], tails: dict[int, complex], same: float
) -> None:
    """The vectors of a loop that have no place yet, behind the end of the chain of those that have one."""
    ends = []  # (from, to) of the placed ones, in the sense of the loop
    for vector in loop:
        if abs(vector) in tails:
            tail = tails[abs(vector)]
            pair = (tail, tail + z[abs(vector)])
            ends.append(pair if vector > 0 else pair[::-1])
    starts = [start for start, _ in ends]
    free = [end for _, end in ends if all(abs(end - start) > same for start in starts)]
    new = sorted((v for v in loop if abs(v) not in tails), key=lambda v: abs(v) in linkage.frame)
    _walk(tuple(new), free[0] if free else 0j, z, tails)
