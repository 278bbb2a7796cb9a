"""Every vector of a linkage over time as complex numbers, with points, columns and residues.

z = r e^{iθ}     ż = (ṙ + i r ω) e^{iθ}     z̈ = (r̈ - r ω² + i (r α + 2 ṙ ω)) e^{iθ}        (O'Kins, eqs. 3, 4, 20-23)
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name
from mubo.legacy.okins1964.native import step_names
from mubo.model import ModelDefinition
from mubo.model.column_names import TIME, driver_columns, point_columns
from mubo.model.measures import vector_columns
from mubo.results import Columns

LENGTH, ANGLE = slice(0, 3), slice(3, 6)
DEGREE = math.pi / 180


@dataclass(frozen=True, eq=False)
class Vectors:
    """Length and angle of every vector with two derivatives: (times, 6, vectors), angles in radians."""

    values: Array

    def moving(self) -> Array:
        """z, ż and z̈ of every vector: (times, 3, vectors), complex."""
        (r, rate, bend), (theta, omega, alpha) = (np.moveaxis(self.values[:, part], 1, 0) for part in (LENGTH, ANGLE))
        turn = np.exp(1j * theta)
        velocity = (rate + 1j * r * omega) * turn
        return np.stack([r * turn, velocity, (bend - r * omega**2 + 1j * (r * alpha + 2 * rate * omega)) * turn], 1)


def vectors_of(linkage: VectorLinkage, columns: Columns) -> Vectors:
    """The vectors of an exact run, from its columns."""
    values = np.zeros((len(columns["t"]), 6, len(linkage.lengths)))
    for n in linkage.vectors:
        for row, word in ((0, "r"), (3, "theta"), (4, "omega"), (5, "alpha")):
            values[:, row, n - 1] = columns.raw(f"{vector_name(n)}.{word}")
    if "ram.rate" in columns:
        values[:, 1, 0] = columns.raw("ram.rate")
    return Vectors(values)


def columns_of(model: ModelDefinition, linkage: VectorLinkage, t: Array, vectors: Vectors, driver: Array) -> Columns:
    """The columns of a result: vectors, points of paths, and the driver's value and rate."""
    columns = Columns(model.units, [(TIME, t)])
    for number in linkage.vectors:
        values = (vectors.values[:, row, number - 1] for row in (0, 3, 4, 5))
        columns.extend(zip(vector_columns(vector_name(number)), values, strict=True))
    moving = vectors.moving()
    for name, at in points_of(linkage, moving):
        parts = np.stack([at.real, at.imag], -1).reshape(len(t), 6)
        columns.extend(zip(point_columns(name, 2), parts.T, strict=True))
    (name,) = model.drivers
    holds = "angle" if name == "crank" else "length"
    columns.extend(zip(driver_columns(name, holds), driver.T, strict=True))
    return columns


def points_of(linkage: VectorLinkage, moving: Array) -> Iterator[tuple[str, Array]]:
    """The points that the paths ask for: name, and z, ż, z̈ at every time."""
    for number, path in enumerate(linkage.paths, 1):
        at = np.zeros(moving.shape[:2], complex)
        for name, vector in zip(step_names(number, path), path.vectors, strict=True):
            at = at + np.sign(vector) * moving[:, :, abs(vector) - 1]
            if path.every:
                yield name, at
        yield f"path{number}", at
        if path.coupler is not None:
            last = abs(path.vectors[-1]) - 1
            arm = path.coupler.length / linkage.lengths[last] * np.exp(1j * path.coupler.angle * DEGREE)
            yield f"coupler{number}", at + arm * moving[:, :, last]


def residues(linkage: VectorLinkage, vectors: Vectors) -> tuple[Array, Array]:
    """Velocity and acceleration residues of each equation in per cent of the path: (times, equations).

    Each loop has two, as ACOE orders them: of the cosines, which is that of y, and of the sines, that of -x.

    The thesis adds the products of the links with their angular velocities, and sets the sum against the sum of
    their magnitudes (BCOE in mode 2; MAIN between 66 and 75).
    """
    r, rate, theta, omega, alpha = (vectors.values[:, row] for row in (0, 1, 3, 4, 5))
    turn = np.exp(1j * theta)
    out: list[list[Array]] = [[], []]
    for loop in linkage.loops:
        groups: dict[int, list[int]] = {}
        for vector in loop.vectors:
            if abs(vector) not in linkage.frame:
                groups.setdefault(linkage.link_of(vector), []).append(vector)
        terms: list[list[Array]] = [[], []]
        for group in groups.values():
            k = abs(group[0]) - 1
            arm = sum(np.sign(v) * r[:, abs(v) - 1] * turn[:, abs(v) - 1] for v in group)
            terms[0].append(1j * omega[:, k] * arm)
            terms[1] += [1j * alpha[:, k] * arm, -(omega[:, k] ** 2) * arm]
            for vector in group:
                push = np.sign(vector) * rate[:, abs(vector) - 1] * turn[:, abs(vector) - 1]
                terms[0].append(push)
                terms[1].append(2j * omega[:, k] * push)
        for loops, parts in zip(out, terms, strict=True):
            loops += [_per_cent(np.imag(parts)), -_per_cent(np.real(parts))]
    return np.array(out[0]).T, np.array(out[1]).T


def _per_cent(terms: Array) -> Array:
    path = np.sum(np.abs(terms), axis=0)
    return np.asarray(100 * np.sum(terms, axis=0) / np.where(path > 0, path, 1.0))
