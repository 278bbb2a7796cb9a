"""Vectors of a loop: terms of the core, edges of the joint graph, and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NONE = -1
Term = tuple[int, int, int, float, float]  # angle, slide, driver, x, y: see core/loops/system.hpp


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
        held = sums.setdefault((angle, slide, driver), [0.0, 0.0, 0.0])
        held[0] += x
        held[1] += y
        held[2] = max(held[2], abs(x), abs(y))
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
