"""Mass, centre and inertia of the solids of the plane: bar, plate and disc, prisms whose ends lie in the plane.

A bar is a rectangle between two points of the body, or of a given length along its x axis; without a width it is
slender. A plate is the convex hull of the body's points. A disc sits at a point, else at the body's centre of mass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.geometry.polygons import hull, moments
from mubo.laws.dependent import hypot, kept

FLAT = 1e-9  # of the square of its length: a plate of less area has its points on a line
Points = Mapping[str, Sequence[float]]


class Solid(NamedTuple):
    """Solid from which mass follows: volume (None without a thickness), inertia of a unit of mass about the centre of
    mass, and where that is in body axes (None: where the body says)."""

    volume: float | None
    inertia: tuple[float, ...]
    center: tuple[float, ...] | None


def _bar(sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """(L² + b²)/12."""
    center, length = None, sizes.get("length", 0.0)
    if on:
        first, second = (points[name] for name in on)
        length = hypot(second[0] - first[0], second[1] - first[1])
        if not length > 0:
            raise ModelError(f"the bar between {on[0]} and {on[1]} has no length: both points are the same place")
        center = tuple((x + y) / 2 for x, y in zip(first, second, strict=True))
    return Solid(
        _prism(length * sizes.get("width", 0.0), sizes), ((length**2 + sizes.get("width", 0.0) ** 2) / 12,), center
    )


def _plate(sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """∫ r² dA / A of the hull, by Green's theorem."""
    ring = hull(list(points.values()))
    size = float(np.max(np.ptp(np.asarray(ring, float), axis=0))) if len(ring) > 2 else 0.0
    if len(ring) < 3 or moments(ring).area <= FLAT * size**2:
        raise ModelError(
            "a plate is the hull of three points or more that are not on a line; the body has "
            f"{', '.join(points) or 'none'}: give it another point, or make it a bar, "
            '{ kind = "bar", between = ["A", "B"] }'
        )
    area, center, polar = moments(ring)
    return Solid(_prism(area, sizes), (polar / area,), tuple(kept(x) for x in center))


def _disc(sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """r²/2."""
    radius = sizes["radius"]
    center = tuple(kept(x) for x in points[on[0]]) if on else None
    return Solid(_prism(math.pi * radius**2, sizes), (radius**2 / 2,), center)


def _prism(area: float, sizes: Mapping[str, float]) -> float | None:
    """Its volume; None where a side was left out."""
    volume = area * sizes.get("thickness", 0.0)
    return volume if volume > 0 else None


_SOLIDS: dict[str, Callable[[Mapping[str, float], Sequence[str], Points], Solid]] = {
    "bar": _bar,
    "plate": _plate,
    "disc": _disc,
}


def flat_solid(kind: str, sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """The solid of a shape of the plane on a body with these points."""
    for name in on:
        if name not in points:
            raise ModelError(f'the {kind} is at "{name}", which is no point of the body. {nearest(name, points)}')
    return _SOLIDS[kind](sizes, on, points)
