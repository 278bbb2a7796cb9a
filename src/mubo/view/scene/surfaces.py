"""Surfaces of contact as shapes: outlines of circles, polygons and boxes, lines of planes, balls in space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND
from mubo.model.parts import Detail
from mubo.view.scene.data import Kind, SceneShape
from mubo.view.scene.outlines import circle
from mubo.view.scene.plan import Plan

PLANE = 0.75  # how far a plane goes beyond what moves along it, of the size of the scene
HATCH = 2.5  # depth of the hatching of a plane that stands, of the half width of a link
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
        if surface["shape"] == "plane" and _stands(plan, surface):
            numbers["hatch"] = HATCH * plan.thick
        yield SceneShape(Kind.LINE, surface["body"], surface["body"], numbers, heights=heights)


def _stands(plan: Plan, surface: Detail) -> bool:
    return surface["body"] == GROUND or surface["body"] in plan.standing


def _span(plan: Plan, at: Array, along: Array) -> tuple[float, float]:
    """The least and greatest distance along a line of the ground at which bodies are during the motion."""
    places = [pose[:, :2] for name, pose in plan.poses.items() if name not in plan.standing]
    if not places:
        return 0.0, 0.0
    distances = (np.concatenate(places) - at) @ along
    return float(np.nanmin(distances)), float(np.nanmax(distances))


def _outline(plan: Plan, surface: Detail) -> Array:
    """The outline of a surface of the plane, in body axes."""
    shape, at = surface["shape"], np.array(surface["at"] or (0, 0), float)
    if shape == "plane":
        normal = np.array(surface["normal"], float) / np.linalg.norm(surface["normal"])
        along = np.array([normal[1], -normal[0]])  # the hatching is on its right, inside
        least, most = _span(plan, at, along) if _stands(plan, surface) else (0.0, 0.0)
        room = PLANE * plan.size
        return np.array([at + (least - room) * along, at + (most + room) * along])
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
