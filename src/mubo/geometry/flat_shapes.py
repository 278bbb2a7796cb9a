"""Mass, centre and inertia of the solids of the plane: bar, plate, disc and link, prisms whose ends lie in the plane.

A bar is a rectangle between two points of the body, or of a given length along its x axis; without a width it is
slender. A plate is the convex hull of the body's points. A disc sits at a point, else at the body's centre of mass. A
link is what is cut of sheet: everything within half its width of the hull of the body's points, with a hole at each of
its pins. With L the sides of the hull, R half the width, and n₁, n₂ the normals of the sides that meet at a corner at
the angle α it consists of (Steiner's formula for parallel bodies, with its moments)

    the hull;  rectangles L × R beside it;  sectors at the corners, area α R²/2, ∫ (x − corner) dA = R³/3 [n₂ − n₁]
    turned by −90°, ∫ |x − corner|² dA = α R⁴/4
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.geometry.polygons import hull, moments
from mubo.laws.dependent import arc_tangent, array_of, hypot, kept

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


def _link(sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """The hull with round corners less its holes."""
    ring = [(kept(x), kept(y)) for x, y in hull(list(points.values()))]
    if len(ring) < 2:
        raise ModelError("a link goes through two points of the body or more, at different places")
    radius, drill = sizes["width"] / 2, sizes.get("hole", 0.0) / 2
    if drill >= radius:
        raise ModelError(f"the hole of a link, {2 * drill:g}, must be smaller than its width, {2 * radius:g}")
    parts = [*_round_parts(ring, radius)]
    if drill:
        holes = [points[name] for name in on] if on else list(points.values())
        parts += [(-math.pi * drill**2, (x, y), math.pi * drill**4 / -2) for x, y in holes]
    area = sum(part for part, _, _ in parts)
    center = [sum(part * at[k] for part, at, _ in parts) / area for k in range(2)]
    polar = sum(own + part * sum((at[k] - center[k]) ** 2 for k in range(2)) for part, at, own in parts)
    return Solid(_prism(area, sizes), (kept(polar / area),), tuple(kept(x) for x in center))


Part = tuple[float, tuple[float, float], float]  # area, centre, and second moment about that


def _round_parts(ring: Sequence[tuple[float, float]], radius: float) -> Iterator[Part]:
    """The hull, the rectangles beside it and the sectors at its corners."""
    if len(ring) > 2:
        area, center, polar = moments(array_of(ring))
        yield area, (center[0], center[1]), polar
    sides = []
    for (x, y), (u, w) in zip(ring, [*ring[1:], ring[0]], strict=True):
        length = hypot(u - x, w - y)
        normal = ((w - y) / length, (x - u) / length)
        middle = ((x + u + radius * normal[0]) / 2, (y + w + radius * normal[1]) / 2)
        yield length * radius, middle, length * radius * (length**2 + radius**2) / 12
        sides.append(normal)
    for (x, y), before, after in zip(ring, [sides[-1], *sides[:-1]], sides, strict=True):
        across, along = before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]
        angle = math.pi if len(ring) == 2 else 2 * arc_tangent(across / (1 + along))
        area = angle * radius**2 / 2
        off = ((after[1] - before[1]) * radius**3 / 3 / area, (before[0] - after[0]) * radius**3 / 3 / area)
        polar = angle * radius**4 / 4 - area * (off[0] ** 2 + off[1] ** 2)
        yield area, (x + off[0], y + off[1]), polar


def _prism(area: float, sizes: Mapping[str, float]) -> float | None:
    """Its volume; None where a side was left out."""
    volume = area * sizes.get("thickness", 0.0)
    return volume if volume > 0 else None


_SOLIDS: dict[str, Callable[[Mapping[str, float], Sequence[str], Points], Solid]] = {
    "bar": _bar,
    "plate": _plate,
    "disc": _disc,
    "link": _link,
}


def flat_solid(kind: str, sizes: Mapping[str, float], on: Sequence[str], points: Points) -> Solid:
    """The solid of a shape of the plane on a body with these points."""
    for name in on:
        if name not in points:
            raise ModelError(f'the {kind} is at "{name}", which is no point of the body. {nearest(name, points)}')
    return _SOLIDS[kind](sizes, on, points)
