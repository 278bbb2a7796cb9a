"""Vectors of a loop: terms of the core, classes of bodies that turn together, edges of the joint graph, and sums.

Sliders and welds fix the relative angle of their bodies, so that one unknown angle serves a class of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

NONE = -1
Term = tuple[int, int, int, float, float]  # angle, slide, driver, x, y: see core/loops/system.hpp
Fixed = tuple[str, str, float]  # first body, second body, angle of the second minus that of the first


class AngleClasses:
    """φ of a body = angle of its class + offset. The class of the fixed bodies is number −1, with angle 0."""

    def __init__(self, pose: Mapping[str, Array], grounded: Iterable[str], fixed: Iterable[Fixed]) -> None:
        self._offset: dict[str, tuple[str, float]] = {}  # body → leader, offset
        members: dict[str, list[str]] = {}
        for name in pose:
            self._offset[name] = (name, 0.0)
            members[name] = [name]
        self._fixed = {name: float(pose[name][2]) for name in grounded}
        for first, second, angle in fixed:
            self._join(members, first, second, angle)
        led = {self._offset[name][0] for name in self._fixed}
        self.leaders = [name for name in members if name not in led]
        self._number = {name: k for k, name in enumerate(self.leaders)}
        self.start = [float(pose[name][2]) for name in self.leaders]

    def replace_start(self, pose: Mapping[str, Array]) -> AngleClasses:
        """Classes as these, with the angles of other poses as estimates; fixed bodies are where they were."""
        other = AngleClasses.__new__(AngleClasses)
        other.__dict__.update(self.__dict__)
        other.start = [float(pose[name][2]) for name in self.leaders]
        return other

    def _join(self, members: dict[str, list[str]], first: str, second: str, angle: float) -> None:
        """Join two classes by φ_second = φ_first + angle."""
        (leader, a), (other, b) = self._offset[first], self._offset[second]
        if leader == other:
            return  # a repeated angle: its equation is redundant, which the rank analysis reports
        if other in self._fixed or any(m in self._fixed for m in members[other]):
            leader, other, a, b, angle = other, leader, b, a, -angle
        shift = a + angle - b
        for name in members.pop(other):
            self._offset[name] = (leader, self._offset[name][1] + shift)
            members[leader].append(name)

    def angle_of(self, body: str) -> tuple[int, float]:
        """Number of the unknown angle (−1: none) and offset of a body."""
        leader, offset = self._offset[body]
        if leader in self._number:
            return self._number[leader], offset
        grounded = next(name for name in self._fixed if self._offset[name][0] == leader)
        return -1, self._fixed[grounded] - self._offset[grounded][1] + offset

    def arm(self, body: str, at: Iterable[float], sign: float = 1.0) -> Term:
        """Vector A s of a body-fixed point."""
        angle, offset = self.angle_of(body)
        c, s = math.cos(offset), math.sin(offset)
        x, y = at
        return angle, NONE, NONE, sign * (c * x - s * y), sign * (s * x + c * y)


@dataclass(frozen=True)
class Edge:
    """From body i to body j: r_j = r_i + the sum of the terms."""

    name: str
    first: str
    second: str
    terms: tuple[Term, ...]


Step = tuple[Edge, bool]  # an edge, walked from its first body to its second, or back


def negate_terms(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple((a, s, d, -x, -y) for a, s, d, x, y in terms)


def merge_terms(terms: Iterable[Term]) -> list[Term]:
    """Terms with the same angle, slide and driver added up; those that cancel are left out."""
    sums: dict[tuple[int, int, int], list[float]] = {}
    for angle, slide, driver, x, y in terms:
        total = sums.setdefault((angle, slide, driver), [0.0, 0.0, 0.0])
        total[0] += x
        total[1] += y
        total[2] = max(total[2], abs(x), abs(y))
    return [(*key, x, y) for key, (x, y, size) in sums.items() if max(abs(x), abs(y)) > 1e-14 * size]


def used_unknowns(terms: list[Term], row: int) -> Iterator[int]:
    """Unknowns in the x (0) or y (1) equation of a loop."""
    for angle, slide, _, x, y in terms:
        if angle >= 0:
            yield angle
        if slide >= 0 and (angle >= 0 or (y if row else x) != 0.0):
            yield slide


def terms_along(walk: Iterable[Step]) -> Iterator[Term]:
    """The vectors on a walk, in order, with their signs there."""
    for edge, forward in walk:
        yield from edge.terms if forward else negate_terms(edge.terms)[::-1]


def shortest_walk(around: dict[str, list[Edge]], start: str, end: str) -> list[Step]:
    """The shortest walk from one body to another (breadth first)."""
    came: dict[str, tuple[str, Step]] = {}
    queue = [start]
    for body in queue:
        if body == end:
            break
        for edge in around[body]:
            forward = edge.first == body
            other = edge.second if forward else edge.first
            if other not in came and other != start:
                came[other] = (body, (edge, forward))
                queue.append(other)
    out: list[Step] = []
    while end != start:
        end, step = came[end]
        out.append(step)
    return out[::-1]
