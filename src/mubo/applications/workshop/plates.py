"""The plate of every link: the hull of its points with rounded corners, or its own polygon, and a hole at each pin.

Points are those of the body and the points of interest on it, such as the foot of a leg. With the points as corners of
a convex hull and R half the width of the link, the contour consists of lines at the distance R from the sides and of
arcs of the radius R about the corners. Between two vertices a contour has a bulge b = tan(θ/4), θ the angle of the arc,
as DXF writes it: 0 of a line, 1 of a half circle.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.polygons import hull, moments
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import join_words
from mubo.model import GROUND, ModelDefinition

TURN = ("turn z",)  # the degrees of freedom of a joint that has a pin


@dataclass(frozen=True)
class Hole:
    """A round hole at a point of a body."""

    point: str
    joint: str
    center: tuple[float, float]
    diameter: float


@dataclass(frozen=True, eq=False)
class Plate:
    """One link as it is cut: vertices of its contour with the bulge of what follows each, and its holes."""

    body: str
    vertices: Array  # × 2
    bulges: Array
    holes: tuple[Hole, ...]
    mass: float | None

    @property
    def box(self) -> tuple[Array, Array]:
        """Lower left and upper right corner."""
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        for center, radius in self._arcs():
            low, high = np.minimum(low, center - radius), np.maximum(high, center + radius)
        return low, high

    @property
    def area(self) -> float:
        """Area of the contour less its holes: ½ Σ x × y of the vertices, and r² (θ − sin θ)/2 of every arc."""
        whole = moments(self.vertices).area if len(self.vertices) > 2 else 0.0
        chords = np.linalg.norm(np.roll(self.vertices, -1, axis=0) - self.vertices, axis=1)
        angles = 4 * np.arctan(self.bulges)
        radii = np.divide(chords, 2 * np.sin(angles / 2), out=np.zeros_like(chords), where=angles > 0)
        return float(whole + np.sum(radii**2 * (angles - np.sin(angles)) / 2)) - sum(
            np.pi * hole.diameter**2 / 4 for hole in self.holes
        )

    def _arcs(self) -> Iterator[tuple[Array, float]]:
        """Centre and radius of each arc."""
        for one, two, bulge in zip(self.vertices, np.roll(self.vertices, -1, axis=0), self.bulges, strict=True):
            if bulge:
                chord, angle = two - one, 4 * np.arctan(bulge)
                across = np.array([-chord[1], chord[0]]) / (2 * np.tan(angle / 2))
                yield (one + two) / 2 + across, float(np.linalg.norm(chord)) / (2 * np.sin(angle / 2))


def plates_of(model: ModelDefinition, hole: float | None = None, width: float | None = None) -> list[Plate]:
    """The plates of all moving bodies with two pins or more, or with a polygon; each with its holes.

    `hole` is the diameter where a joint has no [pin], `width` the width of links without [outline] or [section].
    """
    if model.dimension != 2:
        raise ModelError("links are cut as plates in the plane; this model is in space")
    holes = _holes(model, hole)
    found = [_plate(model, body, holes.get(body, []), width) for body in model.bodies if body != GROUND]
    plates = [plate for plate in found if plate is not None]
    if not plates:
        raise ModelError("no body has two pins or a polygon: there is nothing to cut")
    return plates


def _holes(model: ModelDefinition, hole: float | None) -> dict[str, list[Hole]]:
    """The holes of every body, one for each of its points at which a joint has a pin."""
    out: dict[str, dict[str, Hole]] = {}
    unsized = []
    for name, joint in model.joints.items():
        if model.kinds[joint.kind].dofs != TURN:
            continue
        pin = model.pins.get(name)
        diameter = hole if pin is None else pin["diameter"]
        if diameter is None:
            unsized.append(name)
            continue
        for body, _, point in (end.partition(".") for end in joint.between):
            at = model.bodies[body].points[point]
            new = Hole(point, name, (float(at[0]), float(at[1])), diameter)
            old = out.setdefault(body, {}).get(point)
            out[body][point] = new if old is None or old.diameter < diameter else old
    if unsized:
        raise ModelError(
            f"{join_words(unsized)}: the diameter of the pin is not known",
            suggestion="Write [pin.JOINT] with its diameter, or give one for all: --hole '6 mm'.",
            names=unsized,
        )
    return {body: list(holes.values()) for body, holes in out.items()}


def _plate(model: ModelDefinition, body: str, holes: list[Hole], width: float | None) -> Plate | None:
    detail, section = model.outlines.get(body), model.sections.get(body)
    polygon = None if detail is None else detail["polygon"]
    mass = model.bodies[body].whole.mass
    if polygon is not None:
        ring = np.array(polygon, float)
        ring = ring if moments(ring).area > 0 else ring[::-1]
        return Plate(body, ring, np.zeros(len(ring)), tuple(holes), mass)
    if len(holes) < 2:
        return None
    radius = None if detail is None else detail["radius"]
    if radius is None and section is not None and section["height"] is not None:
        radius = section["height"] / 2
    radius = radius or (width / 2 if width is not None else None)
    if radius is None:
        raise ModelError(
            f"body {body}: its width is not known",
            suggestion=f"Write [outline.{body}] with a radius, or give a width for all links: --width '20 mm'.",
            names=[body],
        )
    _require_room(body, holes, radius)
    own = model.bodies[body].points.values()
    of_interest = [point.at for point in model.points.values() if point.body == body and not point.centered]
    vertices, bulges = _rounded(hull(np.array([*own, *of_interest], float)), radius)
    return Plate(body, vertices, bulges, tuple(holes), mass)


def _require_room(body: str, holes: list[Hole], radius: float) -> None:
    """Refuses holes that reach the edge of the plate or each other."""
    for k, one in enumerate(holes):
        if one.diameter >= 2 * radius:
            raise ModelError(
                f"body {body}: the hole of {one.joint} is {one.diameter / (2 * radius):.3g} times as wide as the link",
                suggestion="Take a wider link or a thinner pin.",
                names=[body, one.joint],
            )
        for two in holes[k + 1 :]:
            apart = float(np.hypot(one.center[0] - two.center[0], one.center[1] - two.center[1]))
            if apart < (one.diameter + two.diameter) / 2:
                raise ModelError(
                    f"body {body}: the holes of {one.joint} and {two.joint} overlap",
                    suggestion="Take thinner pins, or one pin for both joints at one point.",
                    names=[body, one.joint, two.joint],
                )


def _rounded(ring: Array, radius: float) -> tuple[Array, Array]:
    """The contour at a distance from a convex ring, counter-clockwise: two vertices at each of its corners."""
    sides = np.roll(ring, -1, axis=0) - ring
    along = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    before = np.roll(normals, 1, axis=0)
    crosses = before[:, 0] * normals[:, 1] - before[:, 1] * normals[:, 0]
    angles = np.arctan2(crosses, np.sum(before * normals, axis=1)) % (2 * np.pi)
    vertices = np.stack([ring + radius * before, ring + radius * normals], axis=1).reshape(-1, 2)
    return vertices, np.stack([np.tan(angles / 4), np.zeros(len(ring))], axis=1).ravel()
