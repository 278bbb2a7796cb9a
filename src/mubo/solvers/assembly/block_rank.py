"""Rank of a large mechanism by elimination of its bodies along the graph.

A body is eliminated with the equations that contain it. As many of them as are independent in its own coordinates place
it; their multiples are subtracted from the others, which remain as equations of the bodies around it. Rank and
degrees of freedom are decided in the few coordinates of one body at a time: where nothing places it, it is free, and
an equation that vanishes repeats others. The body with the fewest neighbours goes first (minimum degree: George and Liu
1989), so that chains, trees and rows of loops vanish without fill-in.

The equations that place a body are the most independent ones there (QR with column pivoting), so that no factor of the
subtraction is large (interpolative decomposition: Cheng, Gimbutas, Martinsson, Rokhlin 2005).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.solvers.continuation.linear_algebra import RANK_TOLERANCE

SURE = 1e-6  # a body whose equations are less independent than this waits for its neighbours to go first
NOTHING = 1e-12  # of an equation of length one: what is left of it where its parts cancel

Line = dict[int, Array]  # an equation by the bodies it knows: the derivatives by the coordinates of each


@dataclass(frozen=True)
class EliminatedBody:
    """An eliminated body: the equations that placed it, as they were then, and their multiples subtracted from the
    others that contain it, `factors` by other and placing equation."""

    body: int
    rows: tuple[int, ...]
    lines: tuple[Line, ...]
    others: tuple[int, ...]
    factors: Array

    @property
    def own(self) -> Array:
        """The equations in the coordinates of the body."""
        return np.array([line[self.body] for line in self.lines])


@dataclass(frozen=True)
class BlockDecomposition:
    """All bodies in the order of their elimination, and the equations that became empty."""

    taken: list[EliminatedBody]
    repeated: list[int]
    width: int

    @property
    def independent(self) -> list[int]:
        """Equations that place bodies, about as far from dependent as can be selected."""
        return sorted(row for one in self.taken for row in one.rows)

    @property
    def dofs(self) -> int:
        return sum(self.width - len(one.rows) for one in self.taken)


class BodyBlocks:
    """Jacobian by pairs of an equation and a body in it."""

    def __init__(self, row: Integers, column: Integers, value: Array, shape: tuple[int, int], width: int) -> None:
        bodies = shape[1] // width
        pairs, number = np.unique(row.astype(np.int64) * bodies + column // width, return_inverse=True)
        block = np.zeros((len(pairs), width))
        np.add.at(block, (number, column % width), value)
        self.bodies, self.width = bodies, width
        self.of_row: list[Line] = [{} for _ in range(shape[0])]
        known = block.any(axis=1)
        for pair, line in zip(pairs[known].tolist(), block[known], strict=True):
            at, body = divmod(pair, bodies)
            self.of_row[at][body] = line


def decompose_blocks(ties: BodyBlocks) -> BlockDecomposition:
    """Eliminate all bodies."""
    return _BodyElimination(ties).all()


class _BodyElimination:
    """Equations as they are while bodies are eliminated."""

    def __init__(self, ties: BodyBlocks) -> None:
        self.width = ties.width
        self.lines = [dict(line) for line in ties.of_row]
        self.rows: list[set[int]] = [set() for _ in range(ties.bodies)]  # by body
        for row, line in enumerate(self.lines):
            for body in line:
                self.rows[body].add(row)
        self.repeated = [row for row, line in enumerate(self.lines) if not line]
        self.depth = [0] * ties.bodies
        self.late: set[int] = set()

    def all(self) -> BlockDecomposition:
        taken: list[EliminatedBody] = []
        queue = [self._key(body) for body in range(len(self.rows))]
        heapify(queue)
        gone = set[int]()
        while queue:
            key = heappop(queue)
            body = key[-1]
            if body in gone:
                continue
            if (now := self._key(body)) > key:
                heappush(queue, now)
                continue
            rows = sorted(self.rows[body])
            parted = _split_rows(np.array([self.lines[row][body] for row in rows]).reshape(-1, self.width))
            if body not in self.late and not parted.sure:
                self.late.add(body)
                heappush(queue, self._key(body))
                continue
            taken.append(self._take(body, rows, parted))
            gone.add(body)
            for other in {other for line in taken[-1].lines for other in line} - gone:
                self.depth[other] = max(self.depth[other], self.depth[body] + bool(taken[-1].others))
                heappush(queue, self._key(other))
        return BlockDecomposition(taken, sorted(self.repeated), self.width)

    def _key(self, body: int) -> tuple[bool, int, int, int]:
        """Priority of a body: first those that leave no equation behind, then those with few neighbours; of these the
        ones with the shortest chain of subtractions behind them, so that an equation stays a combination of few."""
        rows = self.rows[body]
        around = len({other for row in rows for other in self.lines[row]}) if len(rows) > self.width else 0
        return body in self.late, around, self.depth[body], body

    def _take(self, body: int, rows: list[int], parted: _RowSplit) -> EliminatedBody:
        chosen, others = [rows[k] for k in parted.placing], [rows[k] for k in parted.others]
        out = EliminatedBody(
            body, tuple(chosen), tuple(self.lines[row] for row in chosen), tuple(others), parted.factors
        )
        for row, line in zip(chosen, out.lines, strict=True):
            for other in line:
                self.rows[other].discard(row)
        for row in others:
            del self.lines[row][body]
        self.rows[body] = set()
        if others:
            self._subtract(out)
        return out

    def _subtract(self, taken: EliminatedBody) -> None:
        """Subtract the placing equations from the others."""
        around = sorted({other for line in taken.lines for other in line} - {taken.body})
        placing = np.zeros((len(taken.rows), len(around), self.width))
        for k, line in enumerate(taken.lines):
            for n, other in enumerate(around):
                if other in line:
                    placing[k, n] = line[other]
        change = np.tensordot(taken.factors, placing, 1)
        moved = np.abs(change).max(axis=2, initial=0.0) > 0
        for k, row in enumerate(taken.others):
            line = self.lines[row]
            for n in np.flatnonzero(moved[k]).tolist():
                self._change_entry(row, line, around[n], change[k, n])
            if not line or np.sqrt(sum(float(part @ part) for part in line.values())) <= RANK_TOLERANCE:
                for other in line:
                    self.rows[other].discard(row)
                self.lines[row] = {}
                self.repeated.append(row)

    def _change_entry(self, row: int, line: Line, other: int, change: Array) -> None:
        after = line[other] - change if other in line else -change
        if np.abs(after).max() > NOTHING:
            line[other] = after
            self.rows[other].add(row)
        elif other in line:
            del line[other]
            self.rows[other].discard(row)


@dataclass(frozen=True)
class _RowSplit:
    """The most independent lines of a matrix, the others, and their combination: A[others] = factors @ A[placing].

    `sure` where the lines are as independent as they can be without a doubt.
    """

    placing: list[int]
    others: list[int]
    factors: Array
    sure: bool


def _split_rows(own: Array) -> _RowSplit:
    """QR of Aᵀ with column pivoting, by Gram-Schmidt: A = L Qᵀ with the placing lines of L triangular."""
    rest, columns, placing = own.copy(), [], list[int]()
    smallest = np.inf
    while len(placing) < min(own.shape):
        squares = np.einsum("ij,ij->i", rest, rest)
        squares[placing] = 0.0
        best = int(squares.argmax())
        length = float(squares[best]) ** 0.5
        if length <= RANK_TOLERANCE:
            break
        direction = rest[best] / length
        columns.append(rest @ direction)
        rest -= np.outer(columns[-1], direction)
        placing.append(best)
        smallest = length
    others = [k for k in range(len(own)) if k not in placing]
    sure = len(placing) == min(own.shape) and smallest > SURE
    if not others or not placing:
        return _RowSplit(placing, others, np.zeros((len(others), len(placing))), sure)
    L = np.column_stack(columns)
    factors = np.linalg.solve(np.tril(L[placing]).T, L[others].T).T
    factors[np.abs(factors) < NOTHING] = 0.0
    return _RowSplit(placing, others, factors, sure)


def block_null_motions(apart: BlockDecomposition) -> Iterator[Line]:
    """Motions that satisfy all equations: each body in a direction in which nothing placed it when it was eliminated,
    with those eliminated before that depend on it; few bodies first."""
    for number, one in enumerate(apart.taken):
        if len(one.rows) == apart.width:
            continue
        free = np.linalg.svd(one.own)[2][len(one.rows) :] if one.rows else np.eye(apart.width)
        for line in free:
            yield _propagate_motion(apart.taken[:number], {one.body: line})


def _propagate_motion(taken: list[EliminatedBody], moved: Line) -> Line:
    """The motion with that of the bodies eliminated before, the smallest that satisfies their equations."""
    hanging: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(taken):
        for body in {body for line in one.lines for body in line} - {one.body}:
            hanging[body].append(number)
    waiting = sorted({-number for body in moved for number in hanging[body]})
    while waiting:  # the last one taken off first: what it hangs on has moved by then
        number = heappop(waiting)
        if waiting and waiting[0] == number:
            continue
        one = taken[-number]
        asked = [sum(float(part @ moved[body]) for body, part in line.items() if body in moved) for line in one.lines]
        moved[one.body] = -np.linalg.lstsq(one.own, np.array(asked), rcond=None)[0]
        for hung in hanging[one.body]:
            heappush(waiting, -hung)
    return moved
