"""Stresses along a beam at every instant, their extremes found exactly: N, V, M are polynomials piece by piece.

    σ = N/A ∓ M/W on the left and right side,   τ = largest shear stress of the section per V

Extremes lie at the ends of a piece, or where N'/A ∓ V/W = 0, a quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.applications.strength.beams import EMPTY, InternalForces, value
from mubo.applications.strength.sections import Section
from mubo.arrays import Array

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
            places.append(pieces.start + u)
            sides.append(np.full(u.shape, side))
    return _largest(pieces, sizes, places, sides)


def largest_shear(pieces: InternalForces) -> Peak:
    """The shear force of largest size along the beam."""
    with np.errstate(divide="ignore", invalid="ignore"):
        top = -pieces.v[..., 1] / (2 * pieces.v[..., 2])
    inside = np.isfinite(top) & (top > 0) & (top < pieces.length)
    looks = (0 * pieces.length, pieces.length, np.where(inside, top, 0.0))
    sizes = [value(pieces.v, u) for u in looks]
    return _largest(pieces, sizes, [pieces.start + u for u in looks], [np.zeros_like(u) for u in looks])


def largest_compression(pieces: InternalForces) -> Peak:
    """The largest −N along the beam; zero where it is pulled everywhere."""
    with np.errstate(divide="ignore", invalid="ignore"):
        top = -pieces.n[..., 1] / (2 * pieces.n[..., 2])
    inside = np.isfinite(top) & (top > 0) & (top < pieces.length)
    looks = (0 * pieces.length, pieces.length, np.where(inside, top, 0.0))
    sizes = [np.maximum(-value(pieces.n, u), 0.0) for u in looks]
    return _largest(pieces, sizes, [pieces.start + u for u in looks], [np.zeros_like(u) for u in looks])


def _roots(slope: Array, length: Array) -> tuple[Array, Array]:
    """Roots of c + b u + a u² within the pieces; 0 where there is none."""
    c, b, a = (slope[..., k] for k in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(b * b - 4 * a * c)
        q = -0.5 * (b + np.where(b < 0, -1.0, 1.0) * root)
        both = (q / a, c / q)
    return tuple(np.where(np.isfinite(u) & (u > 0) & (u < length), u, 0.0) for u in both)  # type: ignore[return-value]


def _largest(pieces: InternalForces, sizes: list[Array], places: list[Array], sides: list[Array]) -> Peak:
    """The largest of several stresses (times × pieces each) at every time; pieces without length do not count."""
    real = pieces.length > EMPTY * pieces.start.max()
    rows = np.arange(len(pieces.t))
    size, at, side = (np.concatenate(parts, axis=1) for parts in (sizes, places, sides))
    seen = np.where(np.tile(real, (1, len(sizes))), np.abs(size), -1.0)
    k = np.argmax(np.nan_to_num(seen, nan=np.inf), axis=1)
    return Peak(size[rows, k], at[rows, k], side[rows, k])
