"""The linkage of a deck: vectors between pins, closed loops of them, links that turn, one driver.

Every vector has a length and a direction, vectors of one link keep their angles to each other, and each loop is a sum
of signed vectors that is zero. Vectors are numbered from 1 and called z1, z2 …; angles are degrees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class VectorLoop:
    """Signed vector numbers whose sum is zero, and the line of its card.

    `complete` says that the frame vectors are among them; a MAIN card leaves them out.
    """

    vectors: tuple[int, ...]
    line: int
    complete: bool = True


@dataclass(frozen=True)
class Drive:
    """The driver of z1: a ram moves its length, a crank its angle, at a constant rate in units or degrees per time."""

    kind: str  # "ram" or "crank"
    rate: float


@dataclass(frozen=True)
class Positions:
    """The positions of a MAIN deck: their number, `step` apart in time; back again; passes of the 1964 scheme."""

    count: int
    step: float
    back: bool
    passes: int

    @property
    def end(self) -> float:
        return (self.count - 1) * self.step


@dataclass(frozen=True)
class CouplerPoint:
    """A point `length` beyond the last point of a path, at `angle` degrees from the path's last vector."""

    length: float
    angle: float


@dataclass(frozen=True)
class VectorPath:
    """Signed vectors from the origin to a point; with `every` the points along it are wanted too."""

    vectors: tuple[int, ...]
    every: bool
    coupler: CouplerPoint | None = None


@dataclass(frozen=True)
class VectorLinkage:
    """Vectors, loops and, for a MAIN deck, links, driver, positions and paths."""

    lengths: tuple[float, ...]
    angles: tuple[float, ...]  # degrees
    loops: tuple[VectorLoop, ...]
    links: tuple[tuple[int, ...], ...] = ()  # the vectors of each numbered link; a driven crank has no number
    frame: tuple[int, ...] = ()
    drive: Drive | None = None
    positions: Positions | None = None
    paths: tuple[VectorPath, ...] = ()
    makeup: tuple[int, ...] = ()  # of a CLOSURE deck: the vector of each loop that absorbs the error
    notes: tuple[str, ...] = ()
    path_links: Mapping[int, int] = field(default_factory=dict)  # IOMCOR of vectors that are in paths only

    @property
    def vectors(self) -> range:
        """Numbers of all vectors."""
        return range(1, len(self.lengths) + 1)

    @property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """The vectors that turn together, by the name of their body: "link2", numbered as on the cards, or "crank"."""
        if self.drive is None:  # CLOSURE names no links: every vector is one
            return {f"link{n}": (n,) for n in self.vectors}
        crank = {"crank": (1,)} if self.drive.kind == "crank" else {}
        links = {
            f"link{n}": (*link, *(v for v, number in self.path_links.items() if number == n))
            for n, link in enumerate(self.links, 1)
        }
        return crank | links

    def vector(self, number: int) -> complex:
        """A vector as the cards have it, backwards where its number is negative."""
        angle = math.radians(self.angles[abs(number) - 1])
        return math.copysign(self.lengths[abs(number) - 1], number) * complex(math.cos(angle), math.sin(angle))

    def link_of(self, vector: int) -> int:
        """Number of the link that a vector belongs to; 0 for the frame and for a driven crank."""
        links = {v: k for k, link in enumerate(self.links, 1) for v in link}
        return links.get(abs(vector), self.path_links.get(abs(vector), 0))


def vector_name(number: int) -> str:
    """ "z4" for 4 and for -4."""
    return f"z{abs(number)}"


def signed_names(vectors: tuple[int, ...] | list[int]) -> str:
    """ "z1 - z6 + z8"."""
    text = " ".join(f"{'-' if v < 0 else '+'} {vector_name(v)}" for v in vectors)
    return text.removeprefix("+ ")
