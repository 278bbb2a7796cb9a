"""Which ends the vectors of a deck share, found exactly from its loops.

A place is a sum of signed vectors from the origin. Two sums are one place in every position of the linkage where they
differ by sums of loops, so that places are compared after the loops are eliminated (Gauss, in fractions). The paths of
KINE give the order of their vectors. Other vectors are placed where they close their loop: in an order in which the
vectors of a link hold together and the driver starts at the frame, and else in the order of the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.linkage import VectorLinkage

Place = tuple[Fraction, ...]  # how often each vector is in the sum, the loops eliminated
MOST_TRIALS = 20_000  # orders of the vectors of one loop that are looked at


@dataclass(frozen=True)
class PlacedVector:
    """A vector with the places of its ends."""

    number: int
    tail: Place
    head: Place

    @property
    def ends(self) -> tuple[Place, Place]:
        return self.tail, self.head


class DeckLayout:
    """The vectors of a linkage in their places; `positions` are the places in the order they were found, as x + iy.

    A vector that two loops have in different places is placed twice: the second is a copy that turns with the first.
    """

    def __init__(self, linkage: VectorLinkage) -> None:
        self.linkage = linkage
        self.units = _eliminate_loops(linkage)
        self.origin: Place = (Fraction(0),) * len(linkage.lengths)
        self.positions: dict[Place, complex] = {self.origin: 0j}
        self.placed: list[PlacedVector] = []
        self._groups = {v: name for name, group in linkage.groups.items() for v in group}
        for path in linkage.paths:
            self.walk(path.vectors, self.origin)
        left = list(linkage.loops)
        while left:
            left.sort(key=lambda loop: (-sum(self.first(v) is not None for v in loop.vectors), len(loop.vectors)))
            self._close(left.pop(0).vectors)
        for number in linkage.frame:
            if self.first(number) is None:
                self.walk([number], self._frame_end(number))

    def first(self, vector: int) -> PlacedVector | None:
        """Where a vector was placed first, None where it has no place yet."""
        return next((placed for placed in self.placed if placed.number == abs(vector)), None)

    def fixed(self, place: Place) -> bool:
        """Whether a place belongs to the frame."""
        return all(not times or k in self.linkage.frame for k, times in enumerate(place, 1))

    def step(self, place: Place, vector: int) -> Place:
        """The place at the other end of a signed vector."""
        sign = 1 if vector > 0 else -1
        return tuple(a + sign * b for a, b in zip(place, self.units[abs(vector) - 1], strict=True))

    def walk(self, vectors: Iterable[int], place: Place) -> list[Place]:
        """Places vectors one behind the other; answers the place that each leads to."""
        reached = []
        for vector in vectors:
            end = self.step(place, vector)
            self.positions.setdefault(end, self.positions[place] + self.linkage.vector(vector))
            placed = PlacedVector(abs(vector), *((place, end) if vector > 0 else (end, place)))
            if placed not in self.placed and not (self.first(vector) and abs(vector) in self.linkage.frame):
                self.placed.append(placed)
            reached.append(place := end)
        return reached

    def _close(self, loop: Sequence[int]) -> None:
        """Places the moving vectors of a loop that have no place yet, so that they close it."""
        moving = [v for v in loop if abs(v) not in self.linkage.frame]
        chain = self._closing_order(moving) or self._closing_order([-v for v in moving])
        if chain is None:  # no order closes it with the vectors where they are: by copies of them
            self.walk(moving, self.origin)
            return
        for place, vector in chain:
            self.positions.setdefault(place, self._position(place))
            self.walk([vector], place)

    def _position(self, place: Place) -> complex:
        return sum((float(times) * self.linkage.vector(k) for k, times in enumerate(place, 1) if times), 0j)

    def _closing_order(self, loop: Sequence[int]) -> list[tuple[Place, int]] | None:
        """The new vectors of a loop with the place where each begins; None where no order closes the loop."""
        ends: dict[int, tuple[Place, Place]] = {}
        for v in loop:
            if (placed := self.first(v)) is not None:
                ends[v] = placed.ends if v > 0 else placed.ends[::-1]
        starts = [start for start, _ in ends.values()]
        loose = [v for v, (_, end) in ends.items() if end not in starts]
        loose.sort(key=lambda v: self.fixed(ends[v][1]))
        start, at = ends[loose[0]] if loose else (self.origin, self.origin)
        old = [v for v in ends if not loose or v != loose[0]] if loose else []
        trial = _Trial(self, ends, start)
        trial.search(at, old, [v for v in loop if v not in ends], [], 0)
        return trial.best

    def same(self, one: Place, other: Place) -> bool:
        """Whether a chain may go on from one place to the other: they are one, or both are of the frame."""
        return one == other or (self.fixed(one) and self.fixed(other))

    def awkward(self, vector: int, start: Place, end: Place, chain: list[tuple[Place, int]]) -> int:
        """1 where a vector would not hang on the rest of its link, or the driver would start away from the frame."""
        number = abs(vector)
        tail = start if vector > 0 else end
        if number == 1 and not self.fixed(tail):
            return 1
        group = self._groups.get(number)
        known = [p for placed in self.placed if self._groups.get(placed.number) == group for p in placed.ends]
        known += [p for at, v in chain if self._groups.get(abs(v)) == group for p in (at, self.step(at, v))]
        return int(bool(known) and start not in known and end not in known)

    def _frame_end(self, number: int) -> Place:
        """Where a frame vector begins that no path has: between two places of the frame, if it fits."""
        ground = [place for place in self.positions if self.fixed(place)]
        return next((place for place in ground if self.step(place, number) in ground), self.origin)


class _Trial:
    """The search for the least awkward order of the new vectors of one loop."""

    def __init__(self, layout: DeckLayout, ends: dict[int, tuple[Place, Place]], goal: Place) -> None:
        self.layout, self.ends, self.goal = layout, ends, goal
        self.best: list[tuple[Place, int]] | None = None
        self._cost, self._left = len(layout.linkage.lengths) + 1, MOST_TRIALS

    def search(self, at: Place, old: list[int], new: list[int], chain: list[tuple[Place, int]], cost: int) -> None:
        self._left -= 1
        if cost >= self._cost or self._left < 0:
            return
        if not old and not new:
            if self.layout.same(at, self.goal):
                self.best, self._cost = chain, cost
            return
        for k, v in enumerate(old):
            start, end = self.ends[v]
            if self.layout.same(at, start):
                self.search(end, old[:k] + old[k + 1 :], new, chain, cost)
                break
        for k, v in enumerate(new):
            end = self.layout.step(at, v)
            more = self.layout.awkward(v, at, end, chain)
            self.search(end, old, new[:k] + new[k + 1 :], [*chain, (at, v)], cost + more)


def _eliminate_loops(linkage: VectorLinkage) -> list[Place]:
    """Every vector as a sum of those that the loops leave free; frame vectors stay themselves where they can."""
    count = len(linkage.lengths)
    loops = [loop.vectors for loop in linkage.loops]
    rows = [[Fraction(loop.count(k) - loop.count(-k)) for k in linkage.vectors] for loop in loops]
    units = [tuple(Fraction(int(j == k)) for j in range(count)) for k in range(count)]
    order = sorted(range(count), key=lambda k: k + 1 in linkage.frame)
    for k, row in _echelon_rows(rows, order):
        units[k] = tuple(unit - term for unit, term in zip(units[k], row, strict=True))
    return units


def _echelon_rows(rows: list[list[Fraction]], order: list[int]) -> Iterator[tuple[int, list[Fraction]]]:
    """The pivots of a matrix with their rows in reduced echelon form; columns are tried in an order."""
    pivots: list[tuple[int, list[Fraction]]] = []
    left = [row[:] for row in rows]
    for column in order:
        row = next((row for row in left if row[column]), None)
        if row is None:
            continue
        left.remove(row)
        row = [term / row[column] for term in row]
        for other in (*left, *(pivot for _, pivot in pivots)):
            factor = other[column]
            other[:] = [a - factor * b for a, b in zip(other, row, strict=True)]
        pivots.append((column, row))
    yield from pivots
