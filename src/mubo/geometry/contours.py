"""Closed contours of lines and circular arcs in the plane: area, centre and second moment exactly, corners on demand.

Between two vertices a contour has a bulge b = tan(θ/4), θ the angle of the arc, as DXF writes it: 0 of a line, 1 of a
half circle, negative where the arc bends inwards. What an arc of the radius r adds to the polygon of its vertices is a
segment between chord c and arc, with n the outward normal of the chord and C the centre of the circle:

    area r² (θ − sin θ)/2,   ∫ (x − C) dA = n c³/12,   ∫ |x − C|² dA = r⁴ (θ/4 − sin θ (2 + cos θ)/12)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import Moments, hull
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property

HALF = 1.0  # bulge of a half circle


class Arc(NamedTuple):
    """An arc of a contour: the circle it lies on, its angle (negative where it bends inwards), and both ends."""

    center: Array
    radius: float
    angle: float
    start: Array
    end: Array


@dataclass(frozen=True, eq=False)
class Contour:
    """A closed curve, counter-clockwise around what it encloses: vertices, and the bulge of what follows each."""

    vertices: Array  # × 2
    bulges: Array

    @property
    def sides(self) -> Iterator[tuple[Array, Array, float]]:
        """Start, end and bulge of every line and arc."""
        yield from zip(self.vertices, np.roll(self.vertices, -1, axis=0), self.bulges.tolist(), strict=True)

    @property
    def arcs(self) -> Iterator[Arc]:
        """The arcs in turn."""
        for one, two, bulge in self.sides:
            if bulge:
                yield arc_of(one, two, bulge)

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """Lower left and upper right corner of a box around it: the smallest, as the ends of axes of an arc count."""
        places = [self.vertices]
        for arc in self.arcs:
            first = np.arctan2(*(arc.start - arc.center)[::-1])
            poles = np.arange(4) * np.pi / 2
            gone = (poles - first) * np.sign(arc.angle) % (2 * np.pi)
            on = poles[gone <= abs(arc.angle)]
            places.append(arc.center + arc.radius * np.column_stack([np.cos(on), np.sin(on)]))
        everything = np.concatenate(places)
        return everything.min(axis=0), everything.max(axis=0)

    @cached_property
    def moments(self) -> Moments:
        """Area, centre, and ∫ |r − centre|² dA, by Green's theorem and the segments of its arcs."""
        middle = self.vertices.mean(axis=0)
        r = self.vertices - middle
        after = np.roll(r, -1, axis=0)
        c = r[:, 0] * after[:, 1] - after[:, 0] * r[:, 1]
        area, first = c.sum() / 2, c @ (r + after) / 6
        polar = c @ np.sum(r * r + r * after + after * after, axis=1) / 12
        for arc in self.arcs:
            chord, theta, at = arc.end - arc.start, arc.angle, arc.center - middle
            part = arc.radius**2 * (theta - np.sin(theta)) / 2
            own = np.array([chord[1], -chord[0]]) * (chord @ chord) / 12
            area, first = area + part, first + own + part * at
            polar += arc.radius**4 * (theta / 4 - np.sin(theta) * (2 + np.cos(theta)) / 12)
            polar += 2 * at @ own + part * at @ at
        return Moments(float(area), middle + first / area, float(polar - first @ first / area))

    def transformed(self, angle: float, shift: Array) -> Contour:
        """The contour turned about the origin, then shifted."""
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return Contour(self.vertices @ turn.T + shift, self.bulges)

    def corners(self, within: float) -> Array:
        """A polygon on the contour whose chords are at most `within` away from its arcs."""
        out = []
        for one, two, bulge in self.sides:
            out.append(one[None])
            if bulge:
                arc = arc_of(one, two, bulge)
                step = 2 * np.arccos(max(1 - within / arc.radius, -1.0))
                count = max(int(np.ceil(abs(arc.angle) / step)), 1)
                angles = np.arctan2(*(one - arc.center)[::-1]) + arc.angle * np.arange(1, count) / count
                out.append(arc.center + arc.radius * np.column_stack([np.cos(angles), np.sin(angles)]))
        return np.concatenate(out)


def arc_of(start: Array, end: Array, bulge: float) -> Arc:
    """The arc between two vertices.

    >>> arc_of(np.array([0.0, 0.0]), np.array([2.0, 0.0]), 1.0).radius
    1.0
    """
    chord, angle = end - start, 4 * np.arctan(bulge)
    across = np.array([-chord[1], chord[0]]) * (1 - bulge**2) / (4 * bulge)  # (c/2) / tan(θ/2)
    radius = float(np.hypot(*chord)) * (1 + bulge**2) / (4 * abs(bulge))
    return Arc((start + end) / 2 + across, radius, float(angle), start, end)


def offset_contour(points: Array, radius: float) -> Contour:
    """Contour of all that is within a radius of the convex hull of points: lines at that distance from its sides, arcs
    around its corners; of one point a circle, of two a bar with round ends.

    >>> bar = offset_contour(np.array([[0.0, 0.0], [1.0, 0.0]]), 0.5)
    >>> round(bar.moments.area, 12) == round(1 + np.pi / 4, 12)
    True
    """
    ring = np.asarray(hull(points), float)
    if len(ring) == 1:
        reach = np.array([radius, 0.0])
        return Contour(np.stack([ring[0] - reach, ring[0] + reach]), np.full(2, HALF))
    sides = np.roll(ring, -1, axis=0) - ring
    along = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    before = np.roll(normals, 1, axis=0)
    crosses = before[:, 0] * normals[:, 1] - before[:, 1] * normals[:, 0]
    angles = np.arctan2(crosses, np.sum(before * normals, axis=1)) % (2 * np.pi)
    vertices = np.stack([ring + radius * before, ring + radius * normals], axis=1).reshape(-1, 2)
    return Contour(vertices, np.stack([np.tan(angles / 4), np.zeros(len(ring))], axis=1).ravel())


def polygon_contour(ring: Array) -> Contour:
    """A polygon, in either sense, as a contour that goes counter-clockwise."""
    contour = Contour(np.asarray(ring, float), np.zeros(len(ring)))
    return contour if contour.moments.area > 0 else Contour(contour.vertices[::-1], contour.bulges)
