"""Stresses along a beam at every instant, their extremes found exactly: N, V, M are polynomials piece by piece.

    σ = N/A ∓ M/W on the left and right side,   τ = largest shear stress of the section per V

Extremes lie at the ends of a piece, or where N'/A ∓ V/W = 0, a quadratic.
"""

from __future__ import annotations

import numpy as np

from mubo.applications.strength.beams import EMPTY, InternalForces, value
from mubo.applications.strength.sections import Section
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

SIDES = {-1.0: "left", 1.0: "right"}  # of the direction along the beam: +n and −n


@dataclass(frozen=True)
class Peak:
    """The largest of something along a beam at every time: size with its sign, where, and on which side."""

    size: Array
    at: Array
    side: Array


def normal_stress(section: Section, n: Array, m: Array, side: float) -> Array:
    """σ on a side from N and M."""
    return np.asarray(n / section.area + side * m / section.modulus)


def largest_stress(section: Section, pieces: InternalForces) -> Peak:
    """The normal stress of largest size along the beam."""
    sizes, places, sides = [], [], []
    for side in SIDES:
        rise = pieces.n[..., 1:] * [1, 2] / section.area
        turn = side * pieces.v / section.modulus
        slope = np.concatenate([turn[..., :2] + rise, turn[..., 2:]], -1)
        for u in (0 * pieces.length, pieces.length, *_roots(slope, pieces.length)):
            n, m = value(pieces.n, u), value(pieces.m, u)
            sizes.append(normal_stress(section, n, m, side))
            places.append(u)
            sides.append(np.full(u.shape, side))
    return _largest(pieces, sizes, places, sides)


def largest_shear(pieces: InternalForces) -> Peak:
    """The shear force of largest size along the beam."""
    places = _extreme_places(pieces.v, pieces.length)
    return _largest(pieces, [value(pieces.v, u) for u in places], places)


def largest_compression(pieces: InternalForces) -> Peak:
    """The largest −N along the beam; zero where it is pulled everywhere."""
    places = _extreme_places(pieces.n, pieces.length)
    return _largest(pieces, [np.maximum(-value(pieces.n, u), 0.0) for u in places], places)


def _extreme_places(polynomial: Array, length: Array) -> list[Array]:
    """Places of a piece where a quadratic may have its extremes: both ends, and its vertex where that is inside."""
    with np.errstate(divide="ignore", invalid="ignore"):
        vertex = -polynomial[..., 1] / (2 * polynomial[..., 2])
    inside = np.isfinite(vertex) & (vertex > 0) & (vertex < length)
    return [0 * length, length, np.where(inside, vertex, 0.0)]


def _roots(slope: Array, length: Array) -> tuple[Array, Array]:
    """Roots of c + b u + a u² within the pieces; 0 where there is none."""
    c, b, a = (slope[..., k] for k in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(b * b - 4 * a * c)
        q = -0.5 * (b + np.where(b < 0, -1.0, 1.0) * root)
        both = (q / a, c / q)
    return tuple(np.where(np.isfinite(u) & (u > 0) & (u < length), u, 0.0) for u in both)  # type: ignore[return-value]


def _largest(pieces: InternalForces, sizes: list[Array], places: list[Array], sides: list[Array] | None = None) -> Peak:
    """The largest of several stresses (times × pieces each, at places of a piece) at every time; pieces without length
    do not count."""
    real = pieces.length > EMPTY * pieces.start.max()
    rows = np.arange(len(pieces.t))
    along = [pieces.start + u for u in places]
    sides = sides or [np.zeros_like(u) for u in places]
    size, at, side = (np.concatenate(parts, axis=1) for parts in (sizes, along, sides))
    sample = np.where(np.tile(real, (1, len(sizes))), np.abs(size), -1.0)
    k = np.argmax(np.nan_to_num(sample, nan=np.inf), axis=1)
    return Peak(size[rows, k], at[rows, k], side[rows, k])
