"""Functions of an OpenSim file: constants, lines, polynomials and splines, with a multiplier around them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from mubo.formats.robots.robot import Place
from mubo.formats.robots.sdf_models import text_of
from mubo.formats.robots.xml import Node, Problems
from mubo.geometry.cubic_splines import spline_value

SPLINES = ("SimmSpline", "NaturalCubicSpline")
KNOWN = ("Constant", "LinearFunction", "PolynomialFunction", "MultiplierFunction", *SPLINES)


@dataclass(frozen=True)
class CoordinateFunction:
    """A polynomial, the constant first, or a spline through points."""

    coefficients: Place = (0.0, 1.0)
    points: tuple[Place, ...] = ()

    def value(self, x: float) -> float:
        if self.points:
            return spline_value(np.array(self.points), x)
        return float(np.polynomial.polynomial.polyval(x, self.coefficients))

    @property
    def constant(self) -> bool:
        return not self.points and not any(self.coefficients[1:])

    @property
    def straight(self) -> tuple[float, float] | None:
        """Offset and slope of a line."""
        if self.points or any(self.coefficients[2:]) or len(self.coefficients) < 2:
            return None
        return self.coefficients[0], self.coefficients[1]

    @property
    def coupling(self) -> tuple[Place, tuple[Place, ...]]:
        """Coefficients and points as couplings have them."""
        return self.coefficients, self.points

    def times(self, factor: float) -> CoordinateFunction:
        points = tuple((x, factor * y) for x, y in self.points)
        return CoordinateFunction(tuple(factor * c for c in self.coefficients), points)


def read_function(holder: Node, problems: Problems, what: str) -> CoordinateFunction | None:
    """The function in an element; None where it cannot be read, which is noted."""
    node = next((child for child in holder.children if child.tag in KNOWN), None)
    if node is None:
        tags = [child.tag for child in holder.children if child.tag not in ("coordinates", "axis")]
        inner = holder.first("function")
        if inner is not None and inner.children:
            return read_function(inner, problems, what)
        found = f"<{tags[0]}>" if tags else "nothing"
        problems.note(holder, f"{what}: this function cannot be read: {found}. Allowed: {', '.join(KNOWN)}.")
        return None
    if node.tag == "MultiplierFunction":
        inside = node.first("function")
        found_inside = read_function(inside if inside is not None else node, problems, what)
        scale = _numbers(node, "scale", problems, what)
        return None if found_inside is None or not scale else found_inside.times(scale[0])
    if node.tag == "Constant":
        return CoordinateFunction((*_numbers(node, "value", problems, what), 0.0)[:2])
    if node.tag in SPLINES:
        x, y = (_numbers(node, tag, problems, what) for tag in ("x", "y"))
        if len(x) != len(y) or len(x) < 2 or any(b <= a for a, b in itertools.pairwise(x)):
            problems.note(node, f"{what}: a spline needs as many x, which ascend, as y; found {len(x)} and {len(y)}")
            return None
        return CoordinateFunction((), tuple(zip(x, y, strict=True)))
    return CoordinateFunction(_numbers(node, "coefficients", problems, what)[::-1] or (0.0, 1.0))


def _numbers(node: Node, tag: str, problems: Problems, what: str) -> Place:
    words = text_of(node, tag).split()
    at = Node(tag, {tag: " ".join(words)}, node.line, file=node.file)
    return problems.numbers(at, tag, max(len(words), 1), (), what)
