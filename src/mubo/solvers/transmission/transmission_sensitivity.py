"""Derivatives of the transmission angle of a dyad by parameters.

Its two columns of J are vectors between its joints (`group_measures`), here taken in ground axes from poses and numbers
of rows with their derivatives; the angle between them is the one that a run measures. A vector is a complex number
followed by its derivatives, one for each parameter: a product z w has the derivatives z′ w + z w′.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array, Complexes
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import Edge, Term
from mubo.mechanism.parameter_derivatives import EquationDerivatives
from mubo.mechanism.rows import NamedRow, join_words
from mubo.solvers.structure.groups import StructuralGroup, structural_groups


@dataclass(frozen=True)
class DyadSensitivity:
    """The derivatives of the transmission angles of dyads at one position of a mechanism."""

    loops: Loops
    equations: EquationDerivatives
    q: Array  # unknowns of the position
    derivatives: Array  # of them: parameters × unknowns

    def grade(self, name: str) -> tuple[float, Array]:
        """Grade of the named dyad in radians, min(μ, π − μ), and its derivatives."""
        group = _group(self.loops, name)
        one, two = self._columns(group)
        # conj(one) two = along + i across
        product = _product(np.conj(one), two)
        along, across = product.real, product.imag * np.sign(product.imag[0])
        angle = float(np.arctan2(across[0], -along[0]))
        change = (across[0] * along[1:] - along[0] * across[1:]) / (along[0] ** 2 + across[0] ** 2)
        return (angle, change) if angle <= np.pi - angle else (np.pi - angle, -change)

    def _columns(self, group: StructuralGroup) -> list[Complexes]:
        """Derivatives ∂(loop)/∂(unknown) in ground axes: vectors that turn with an angle, a quarter turn on; or the
        axis of a slide."""
        numbers = self._numbers()
        totals = [np.zeros(1 + len(self.derivatives), complex) for _ in group.unknowns]
        for edge, forward in self.loops.walks[group.rows[0] // 2]:
            sign = 1.0 if forward else -1.0
            for (angle, slide, *_), vector, axis in self._terms(edge, *numbers[id(edge)]):
                for unknown, total in zip(group.unknowns, totals, strict=True):
                    if angle == unknown:
                        total += sign * 1j * vector
                    if slide == unknown:
                        total += sign * axis
        return totals

    def _numbers(self) -> dict[int, tuple[NamedRow, Complexes]]:
        """Row behind each edge of the vector graph, and its points and axes with their derivatives."""
        made: list[tuple[NamedRow, Complexes]] = []
        first = 0
        for row in self.equations.rows:
            values = np.array([*map(float, row.parameters)])
            at = slice(first, first + len(values))
            first = at.stop
            if _makes_edge(row):
                lines = np.vstack([values, self.equations.parameters[:, at]])[:, : len(values) // 2 * 2]
                made.append((row, lines[:, ::2] + 1j * lines[:, 1::2]))
        if [row.owner.name for row, _ in made] != [edge.name for edge in self.loops.edges]:
            raise ModelError(
                "derivatives of transmission are not known where coordinates of points are fixed or driven"
            )
        return {id(edge): row for edge, row in zip(self.loops.edges, made, strict=True)}

    def _terms(self, edge: Edge, row: NamedRow, numbers: Complexes) -> Iterator[tuple[Term, Complexes, Complexes]]:
        """Terms of an edge with their vectors in ground axes, and the axis of one that slides."""
        if row.kind not in ("coincide", "along", "distance"):
            raise ModelError(f"derivatives of transmission are not known at {row.owner.owner}")
        (first, turn), (second, other) = (self._pose(body) for body in row.bodies)
        from_first, to_second = _product(turn, numbers[:, 0]), _product(other, numbers[:, -1])
        between = second + to_second - first - from_first  # from the one point to the other
        vectors, axis = [from_first, -to_second], between
        if row.kind == "along":
            axis = _product(turn, numbers[:, 1])
            vectors.insert(1, _product(axis, np.asarray(_product(np.conj(axis), between).real, complex)))
        elif row.kind == "distance":
            vectors.insert(1, between)
        for term, vector in zip(edge.terms, vectors, strict=True):
            yield term, vector, axis

    def _pose(self, body: str) -> tuple[Complexes, Complexes]:
        """Origin and direction e^(iφ) of a body with their derivatives."""
        mechanism = self.equations.mechanism
        if body in mechanism.free:
            k = 3 * mechanism.free.index(body)
            lines = np.vstack([self.q[k : k + 3], self.derivatives[:, k : k + 3]])
        else:
            k = 3 * mechanism.fixed.index(body)
            lines = np.vstack([mechanism.poses[body], self.equations.fixed[:, k : k + 3]])
        turn = np.exp(1j * lines[0, 2]) * np.concatenate([[1.0], 1j * lines[1:, 2]])
        return lines[:, 0] + 1j * lines[:, 1], turn


def _group(loops: Loops, name: str) -> StructuralGroup:
    return next(g for g in structural_groups(loops) if f"{g.kind} of {join_words(g.parts(loops))}" == name)


def _makes_edge(row: NamedRow) -> bool:
    return row.kind in ("coincide", "along", "distance", "roll", "place") or (row.kind == "slide" and row.driver < 0)


def _product(z: Complexes, w: Complexes) -> Complexes:
    """The product of two numbers with derivatives."""
    out: Complexes = z * w[0] + z[0] * w
    out[0] = z[0] * w[0]
    return out
