"""Other positions of a stroboscope, as thin lines: the middle of bars and rods, the edge of everything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import hull
from mubo.view.scene.data import Kind, Paint, Scene, Shape, Stretch
from mubo.view.scene.motion import STANDING, place, stretched
from mubo.view.scene.outlines import circle
from mubo.view.scene.solids import solid_shape
from mubo.view.scene.strokes import STROKES
from mubo.view.scene.texts import link_lines

Project = Callable[[Array], Array]  # from places in ground axes to the paper


def ghost_lines(scene: Scene, poses: Mapping[str, Array], project: Project) -> list[tuple[str, Array]]:
    """Lines on the paper at one position, each with its frame. What is gone there has none."""
    out = []
    for shape in scene.shapes:
        pose = poses.get(shape.frame, STANDING[scene.dimension])
        if not _moves(scene, shape) or not np.isfinite(pose).all():
            continue
        for line, convex in _lines(scene, shape):
            if shape.stretch == Stretch.ALONG:
                line = stretched(line, pose[-1], 0 if scene.dimension == 2 else 2, False)
            flat = project(place(pose, line))
            out.append((shape.frame, _closed(hull(flat)) if convex else flat))
    return out


def _moves(scene: Scene, shape: Shape) -> bool:
    return (shape.paint == Paint.OWN and shape.frame in scene.poses) or shape.kind == Kind.ROD


def _lines(scene: Scene, shape: Shape) -> list[tuple[Array, bool]]:
    """Lines in the axes of the frame, and whether it is their convex outline on the paper that shows."""
    if shape.kind == Kind.ROD:
        along = np.eye(scene.dimension)[0 if scene.dimension == 2 else 2]
        return [(np.array([0 * along, along]), False)]
    if shape.kind == Kind.BAR:
        return [(line, False) for line in link_lines(shape)]
    if scene.dimension == 3:
        return [(solid_shape(shape, scene.size).places, True)]
    if shape.kind == Kind.PLATE:
        return [(shape.numbers["points"], True)]
    if shape.kind == Kind.GEAR:
        return [(circle(np.array(shape.numbers["at"]), shape.numbers["pitch"], 90), False)]
    return [(stroke.points, False) for stroke in STROKES[shape.kind](shape) if len(stroke.points)]


def _closed(ring: Array) -> Array:
    return np.vstack([ring, ring[:1]])
