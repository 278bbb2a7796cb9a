"""How the core places bodies and points of interest from the angles and slides of the loops."""

from __future__ import annotations

from collections.abc import Mapping

from mubo.arrays import Array
from mubo.mechanism.formulations.angles import AngleClasses
from mubo.mechanism.formulations.vectors import NONE, Edge, Term, negate_terms
from mubo.model import Point

Placed = tuple[int, int, float, float, float, list[Term]]  # parent, angle, offset, x, y, terms


def body_placement(
    free: tuple[str, ...],
    classes: AngleClasses,
    pose: Mapping[str, Array],
    tree: dict[str, Edge],
    points: tuple[Point, ...],
) -> list[Placed]:
    """Every moving body from its parent in the tree, or from where a standing body is; then the points."""
    number = {name: k for k, name in enumerate(free)}

    def placed(parent: str, angle: int, offset: float, terms: tuple[Term, ...]) -> Placed:
        x, y = (0.0, 0.0) if parent in number else (float(value) for value in pose[parent][:2])
        return number.get(parent, NONE), angle, offset, x, y, list(terms)

    out = []
    for name in free:
        edge = tree[name]
        forward = edge.second == name
        terms = edge.terms if forward else negate_terms(edge.terms)
        out.append(placed(edge.first if forward else edge.second, *classes.of(name), terms))
    out += [placed(point.body, NONE, 0.0, (classes.arm(point.body, point.at),)) for point in points]
    return out
