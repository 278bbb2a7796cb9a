"""Derivatives of the transmission angle of a dyad by parameters.

Its two columns of J are vectors between its joints (`group_measures`), here taken in ground axes from poses and numbers
of rows that carry their derivatives; the angle between them is the one that a run measures.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.errors import ModelError
from mubo.laws.tangent import as_array, beside
from mubo.mechanism.estimates import drawn_pose
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import Edge, Term
from mubo.mechanism.parameter_derivatives import EquationDerivatives
from mubo.mechanism.rows import NamedRow, join_words
from mubo.results import Columns
from mubo.solvers.structure.groups import StructuralGroup, structural_groups

Poses = dict[str, Array]  # x, y, φ of every body at one time, with derivatives


def transmission_grade_of(name: str, loops: Loops, equations: EquationDerivatives, columns: Columns) -> Array:
    """Grade of the named dyad at the one time of the columns, in radians: min(μ, π − μ), with derivatives."""
    group = next(g for g in structural_groups(loops) if f"{g.kind} of {join_words(g.parts(loops))}" == name)
    mechanism = equations.mechanism
    like = columns.raw(f"{mechanism.free[0]}.x")
    poses = {name: drawn_pose(mechanism.model.bodies[name], like) for name in mechanism.fixed}
    for body in mechanism.free:
        poses[body] = np.stack([columns.raw(f"{body}.{word}")[0] for word in COORDINATES])
    one, two = (_column(loops, group, unknown, _rows(equations, loops), poses) for unknown in group.unknowns)
    across, along = one[0] * two[1] - one[1] * two[0], one[0] * two[0] + one[1] * two[1]
    angle = np.arctan2(np.abs(across), -along)
    return as_array(np.minimum(angle, np.pi - angle))


def _rows(equations: EquationDerivatives, loops: Loops) -> dict[int, NamedRow]:
    """Row behind each edge of the vector graph, by the number of the edge."""
    made = [row for row in equations.rows if _makes_edge(row)]
    if [row.owner.name for row in made] != [edge.name for edge in loops.edges]:
        raise ModelError("derivatives of transmission are not known where coordinates of points are fixed or driven")
    return dict(enumerate(made))


def _makes_edge(row: NamedRow) -> bool:
    return row.kind in ("coincide", "along", "distance", "roll", "place") or (row.kind == "slide" and row.driver < 0)


def _column(loops: Loops, group: StructuralGroup, unknown: int, rows: dict[int, NamedRow], poses: Poses) -> Array:
    """Derivative ∂(loop)/∂(unknown) in ground axes: vectors that turn with an angle, a quarter turn on; or the axis of
    a slide."""
    total = beside(next(iter(poses.values())), np.zeros(2))
    for edge, forward in loops.walks[group.rows[0] // 2]:
        row = rows[next(k for k, one in enumerate(loops.edges) if one is edge)]
        for (angle, slide, *_), vector, axis in _terms(edge, row, poses):
            sign = 1.0 if forward else -1.0
            if angle == unknown:
                total = total + sign * np.stack([-vector[1], vector[0]])
            if slide == unknown:
                total = total + sign * axis
    return total


def _terms(edge: Edge, row: NamedRow, poses: Poses) -> Iterator[tuple[Term, Array, Array]]:
    """Terms of an edge with their vectors in ground axes, and the axis of one that slides."""
    if row.kind not in ("coincide", "along", "distance"):
        raise ModelError(f"derivatives of transmission are not known at {row.owner.owner}")
    (first, second), (at, *rest, on) = row.bodies, _pairs(row)
    like = poses[first]
    from_first, to_second = _turned(poses[first], beside(like, at)), _turned(poses[second], beside(like, on))
    between = poses[second][:2] + to_second - poses[first][:2] - from_first  # from the one point to the other
    vectors, axis = [from_first, -to_second], between
    if row.kind == "along":
        axis = _turned(poses[first], beside(like, rest[0]))
        vectors.insert(1, axis * (between @ axis))
    elif row.kind == "distance":
        vectors.insert(1, between)
    for term, vector in zip(edge.terms, vectors, strict=True):
        yield term, vector, axis


def _pairs(row: NamedRow) -> list[tuple[float, ...]]:
    """Points and axis of a row, in the core's order."""
    numbers = row.parameters
    return [tuple(numbers[2 * k : 2 * k + 2]) for k in range(len(numbers) // 2)]


def _turned(pose: Array, s: Array) -> Array:
    c, sine = np.cos(pose[2]), np.sin(pose[2])
    return np.stack([c * s[0] - sine * s[1], sine * s[0] + c * s[1]])
