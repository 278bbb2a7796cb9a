"""The loop table of O'Kins (1964, Table I): vectors by loop, with their signs.

A vector is what a loop passes of one link, from the joint by which it enters to the joint by which it leaves, or the
displacement in a slider. Its positive sense is away from the ground: its tail is where the spanning tree reaches its
link. Vectors of the ground point to the right; slides point along their axis.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import Edge, Term
from mubo.model import GROUND

Place = tuple[float, float]


@dataclass(frozen=True)
class TableVector:
    """A vector of the table at the start of the motion."""

    name: str  # z1
    link: str  # the body it belongs to, or the joint or driver whose slide or link it is
    kind: str  # "link", "ground", "slide", "rod" (a massless link) or "driver" (a driven length)
    tail: str  # joint where it begins; of others than links: body
    head: str
    start: Place
    end: Place
    grounded: bool = False  # lies in the ground, or slides on it

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def angle(self) -> float:
        return math.atan2(self.end[1] - self.start[1], self.end[0] - self.start[0])


Signed = tuple[int, TableVector]


@dataclass(frozen=True)
class TableLoop:
    """A closed polygon: its vectors in the order of the walk, with their signs."""

    name: str  # L1
    joint: str  # that closes it; "" of a loop that a card gives
    walk: tuple[tuple[str, int], ...]
    line: int = 0  # of that card

    @property
    def source(self) -> str:
        """The joint or the card that makes it a loop: "closed by C", "card on line 7"."""
        return f"closed by {self.joint}" if self.joint else f"card on line {self.line}"

    @property
    def signs(self) -> dict[str, int]:
        return dict(self.walk)

    @property
    def equation(self) -> str:
        """Text such as "z1 + z2 - z3 - z4 = 0"."""
        text = " ".join(f"{'+' if sign > 0 else '-'} {name}" for name, sign in self.walk)
        return f"{text.removeprefix('+ ')} = 0"


def loop_table(form: Absolute, loops: Loops, q: Array, motion: Array) -> tuple[list[TableVector], list[TableLoop]]:
    """Vectors and loops of a model at the position q."""
    walker = _LoopWalker(form, loops, q, motion)
    vectors: list[TableVector] = []
    known: dict[tuple[str, str], list[TableVector]] = {}  # of each link
    out = []
    for number, joint in enumerate(loops.chords):
        steps = []
        for sign, piece in _oriented_walk(walker.pieces(number)):
            if piece.length <= walker.small and piece.kind not in ("slide", "driver"):
                continue
            alike = known.setdefault((piece.link, piece.kind), [])
            same = next((v for v in alike if walker.same(v, piece)), None)
            if same is None:
                same = replace(piece, name=f"z{len(vectors) + 1}")
                vectors.append(same)
                alike.append(same)
            agree = math.dist(same.start, piece.start) <= math.dist(same.start, piece.end)
            steps.append((same.name, sign if agree else -sign))
        out.append(TableLoop(f"L{number + 1}", joint, tuple(steps)))
    return vectors, out


class _LoopWalker:
    def __init__(self, form: Absolute, loops: Loops, q: Array, motion: Array) -> None:
        self._loops, self._motion = loops, motion
        self._standing = set(form.fixed)
        bodies = form.model.bodies
        self._origin = {name: np.array(bodies[name].position) for name in form.fixed}
        self._origin |= {name: q[3 * k : 3 * k + 2] for k, name in enumerate(form.free)}
        self.small = 1e-9 / float(form.weight[0])

    def pieces(self, number: int) -> list[Signed]:
        """The vectors of a loop in the order of its walk, in their positive sense, with the sign of the walk."""
        walk = self._loops.walks[number]
        at = self._origin[walk[0][0].first]
        out: list[TableVector] = []  # in the direction of the walk
        for edge, forward in walk:
            for index in range(len(edge.terms))[:: 1 if forward else -1]:
                end = at + (1 if forward else -1) * self._value(edge.terms[index])
                link, kind = self._owner(edge, index)
                ends = ("origin", edge.name) if index == 0 else (edge.name, "origin")
                if kind not in ("link", GROUND):
                    ends = (edge.first, edge.second)
                ends = ends if forward else ends[::-1]
                grounded = kind == GROUND or (kind == "slide" and edge.first in self._standing)
                _append_piece(
                    out, TableVector("+" if forward else "-", link, kind, *ends, _place(at), _place(end), grounded)
                )
                at = end
        if len(out) > 1 and _one_link(out[-1], out[0]):
            last = out.pop()
            out[0] = replace(out[0], tail=last.tail, start=last.start)
        return [self._sensed(piece) for piece in out]

    def same(self, one: TableVector, two: TableVector) -> bool:
        """Whether two vectors of one link coincide, in either sense; a slider has one slide only."""
        if one.kind not in ("link", GROUND):
            return True
        ends = ((one.start, two.start, one.end, two.end), (one.start, two.end, one.end, two.start))
        return any(math.dist(a, b) + math.dist(c, d) <= self.small for a, b, c, d in ends)

    def _sensed(self, piece: TableVector) -> Signed:
        if piece.kind not in ("link", GROUND):
            backward = piece.name == "-"
        elif piece.kind == GROUND:
            x, y = np.subtract(piece.end, piece.start)
            backward = x < -self.small or (abs(x) <= self.small and y < 0)
        else:
            backward = self._loops.tree[piece.link].name == piece.head != piece.tail
        if not backward:
            return 1, piece
        return -1, replace(piece, tail=piece.head, head=piece.tail, start=piece.end, end=piece.start)

    def _owner(self, edge: Edge, index: int) -> tuple[str, str]:
        """Link and kind of a term: the first belongs to the first body, the last to the second, others to the joint."""
        _, slide, driver, _, _ = edge.terms[index]
        if slide < 0 and driver < 0 and index in (0, len(edge.terms) - 1):
            body = edge.first if index == 0 else edge.second
            return (GROUND, GROUND) if body in self._standing else (body, "link")
        if slide < 0:
            return edge.name, "rod" if driver < 0 else "driver"
        return self._loops.unknown_names[slide].removeprefix("slide of "), "slide"

    def _value(self, term: Term) -> Array:
        angle, slide, driver, x, y = term
        theta = self._loops.start[angle] if angle >= 0 else 0.0
        scale = (self._loops.start[slide] if slide >= 0 else 1.0) * (self._motion[3 * driver] if driver >= 0 else 1.0)
        c, s = math.cos(theta), math.sin(theta)
        return np.array([scale * (c * x - s * y), scale * (s * x + c * y)])


def _append_piece(out: list[TableVector], piece: TableVector) -> None:
    """Append a piece; two successive ones of one link are one vector."""
    if out and _one_link(out[-1], piece):
        out[-1] = replace(out[-1], head=piece.head, end=piece.end)
    else:
        out.append(piece)


def _one_link(before: TableVector, after: TableVector) -> bool:
    return before.link == after.link and before.kind == after.kind and before.kind in ("link", GROUND)


def _oriented_walk(walk: list[Signed]) -> list[Signed]:
    """The walk that begins after the ground, in the direction in which its first vector is positive."""
    for turn in (walk, [(-sign, piece) for sign, piece in walk[::-1]]):
        ground = [k for k, (_, piece) in enumerate(turn) if piece.kind == GROUND]
        start = ground[-1] + 1 if ground else 0
        turned = [*turn[start:], *turn[:start]]
        if turned and turned[0][0] > 0:
            return turned
    return walk


def _place(at: Array) -> Place:
    return float(at[0]), float(at[1])
