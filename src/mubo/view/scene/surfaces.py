"""Surfaces of contact as shapes: outlines of circles, polygons and boxes, lines of planes, balls in space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.model.parts import Detail
from mubo.view.scene.data import Kind, SceneShape
from mubo.view.scene.outlines import circle
from mubo.view.scene.plan import Plan

PLANE = 0.75  # half the length of a plane, of the size of the scene
LINE = 0.25  # width of an outline, of the half width of a link
CORNERS = 60


def surface_shapes(plan: Plan) -> Iterator[SceneShape]:
    """The surfaces that contacts name, fixed in their bodies."""
    for surface in plan.model.surfaces.values():
        heights = plan.heights.get(surface["body"], (0.0, 0.0))
        if plan.dimension == 3:
            if surface["shape"] == "sphere":
                numbers = {"at": np.array(surface["at"] or (0, 0, 0), float), "radius": surface["radius"]}
                yield SceneShape(Kind.BALL, surface["body"], surface["body"], numbers, heights=heights)
            continue
        numbers = {"points": _outline(plan, surface), "width": LINE * plan.thick}
        yield SceneShape(Kind.LINE, surface["body"], surface["body"], numbers, heights=heights)


def _outline(plan: Plan, surface: Detail) -> Array:
    """The outline of a surface of the plane, in body axes."""
    shape, at = surface["shape"], np.array(surface["at"] or (0, 0), float)
    if shape == "plane":
        normal = np.array(surface["normal"], float) / np.linalg.norm(surface["normal"])
        along = PLANE * plan.size * np.array([-normal[1], normal[0]])
        return np.array([at - along, at + along])
    if shape == "polygon":
        corners = np.array(surface["corners"], float)
        return np.vstack([corners, corners[:1]])
    if shape == "box":
        half = np.array(surface["size"], float) / 2
        return np.array([at + half * sign for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))])
    if shape == "capsule":
        return np.array([at, surface["to"]], float)
    ring = circle(at, surface["radius"] or 0.5 * plan.thick, CORNERS)
    return np.vstack([ring, ring[:1]])
