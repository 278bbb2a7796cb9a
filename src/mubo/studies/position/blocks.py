"""Blocks of a mechanism whose rank can be decided one by one.

A body all of whose equations are independent in its own coordinates alone can be taken off with them: no other equation
knows its coordinates, so no combination of equations that is zero has a share in those. Taken off again and again this
way, chains and trees vanish and need no rank decision; what stays falls into parts that share no equation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np

from mubo.arrays import Array, Integers

SURE = 1e-6  # smallest singular value of a body's equations, of length one, in its own coordinates


@dataclass(frozen=True)
class Taken:
    """A body that was taken off, and the equations that tied it to others."""

    body: int
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Core:
    """Bodies that stay, tied to each other by these equations."""

    bodies: tuple[int, ...]
    rows: tuple[int, ...]


class Ties:
    """J by pairs of an equation and a body that it knows: the derivatives by the body's coordinates."""

    def __init__(self, row: Integers, column: Integers, value: Array, shape: tuple[int, int], width: int) -> None:
        bodies = shape[1] // width
        pairs, number = np.unique(row.astype(np.int64) * bodies + column // width, return_inverse=True)
        block = np.zeros((len(pairs), width))
        np.add.at(block, (number, column % width), value)
        self.rows, self.bodies, self.width = shape[0], bodies, width
        self.of_row: list[dict[int, Array]] = [{} for _ in range(shape[0])]
        self.of_body: list[list[int]] = [[] for _ in range(bodies)]
        for pair, line in zip(pairs.tolist(), block, strict=True):
            at, body = divmod(pair, bodies)
            if line.any():
                self.of_row[at][body] = line
                self.of_body[body].append(at)

    def own(self, body: int, rows: Iterable[int]) -> Array:
        """The equations in the coordinates of one body."""
        return np.array([self.of_row[row][body] for row in rows]).reshape(-1, self.width)

    def dense(self, core: Core) -> Array:
        """The equations of a core in the coordinates of its bodies."""
        place = {body: self.width * k for k, body in enumerate(core.bodies)}
        out = np.zeros((len(core.rows), self.width * len(core.bodies)))
        for line, row in zip(out, core.rows, strict=True):
            for body, values in self.of_row[row].items():
                line[place[body] : place[body] + self.width] = values
        return out

    def sparse(self, core: Core) -> Any:
        """The same as a sparse matrix."""
        from scipy.sparse import csc_matrix

        place = {body: self.width * k for k, body in enumerate(core.bodies)}
        pairs = [(line, place[b], v) for line, row in enumerate(core.rows) for b, v in self.of_row[row].items()]
        row = np.repeat([line for line, _, _ in pairs], self.width)
        column = np.add.outer([at for _, at, _ in pairs], np.arange(self.width)).ravel()
        value = np.concatenate([v for _, _, v in pairs])
        return csc_matrix((value, (row, column)), (len(core.rows), self.width * len(core.bodies)))


def taken_apart(ties: Ties) -> tuple[list[Taken], list[Core]]:
    """The bodies that can be taken off, in that order, and the cores that are left."""
    left = [set(rows) for rows in ties.of_body]
    taken: list[Taken] = []
    gone: set[int] = set()
    waiting = [body for body in range(ties.bodies) if len(left[body]) <= ties.width]
    while waiting:
        body = waiting.pop()
        if body in gone or not _sure(ties.own(body, sorted(left[body]))):
            continue
        rows = tuple(sorted(left[body]))
        taken.append(Taken(body, rows))
        gone.add(body)
        for row in rows:
            for other in ties.of_row[row]:
                left[other].discard(row)
                if other not in gone and len(left[other]) <= ties.width:
                    waiting.append(other)
    return taken, list(_cores(ties, gone, {row for one in taken for row in one.rows}))


def _sure(own: Array) -> bool:
    """Whether equations are independent in the coordinates of one body, without a doubt."""
    return not len(own) or float(np.linalg.svd(own, compute_uv=False)[-1]) > SURE


def _cores(ties: Ties, gone: set[int], without: set[int]) -> Iterator[Core]:
    """Bodies that are left, by connected parts; equations that know no body are cores of their own."""
    reached: set[int] = set(gone)
    for start in range(ties.bodies):
        if start in reached:
            continue
        bodies, rows, front = [start], set[int](), [start]
        reached.add(start)
        while front:
            for row in set(ties.of_body[front.pop()]) - without - rows:
                rows.add(row)
                new = [body for body in ties.of_row[row] if body not in reached]
                reached.update(new)
                bodies += new
                front += new
        yield Core(tuple(sorted(bodies)), tuple(sorted(rows)))
    yield from (Core((), (row,)) for row in range(ties.rows) if not ties.of_row[row])


def own_motions(ties: Ties, taken: list[Taken]) -> Iterator[dict[int, Array]]:
    """Motions that keep all equations: each body taken off by itself, with those that hang on it; few bodies first."""
    for number, one in enumerate(taken):
        own = ties.own(one.body, one.rows)
        free = np.linalg.svd(own)[2][len(own) :] if len(own) else np.eye(ties.width)
        for line in free:
            yield followed(ties, taken[:number], {one.body: line})


def followed(ties: Ties, taken: list[Taken], moved: dict[int, Array]) -> dict[int, Array]:
    """The motion with what the bodies taken off before do then, the smallest that keeps their equations."""
    moved = dict(moved)
    hanging: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(taken):
        for body in {body for row in one.rows for body in ties.of_row[row]} - {one.body}:
            hanging[body].append(number)
    waiting = sorted({-number for body in moved for number in hanging[body]})
    while waiting:  # the last one taken off first: what it hangs on has moved by then
        number = heappop(waiting)
        if waiting and waiting[0] == number:
            continue
        one = taken[-number]
        known = [{body: line for body, line in ties.of_row[row].items() if body in moved} for row in one.rows]
        asked = [float(sum(line @ moved[body] for body, line in row.items())) for row in known]
        moved[one.body] = -np.linalg.lstsq(ties.own(one.body, one.rows), np.array(asked), rcond=None)[0]
        for hung in hanging[one.body]:
            heappush(waiting, -hung)
    return moved
