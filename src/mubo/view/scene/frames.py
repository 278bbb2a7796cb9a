"""Body frames in a scene: the origin of every body and its axes, as arrows that move with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, Paint, Scene, SceneReach, SceneShape, Stretch

LENGTH = {2: 0.09, 3: 0.12}  # of an x axis, of the longest side of the scene
PARTS = {"x": 1.0, "y": 0.6, "z": 0.4}  # lengths of the axes, of that of x: so they are recognised
HEAD, SHAFT = 0.22, 0.028  # of an x axis: length of a head and half the width of a shaft


def with_frames(scene: Scene, wanted: bool) -> Scene:
    """The scene with the frames of all bodies, that of the ground among them, where they are wanted."""
    if not wanted:
        return scene
    low, high = (np.array(corner) for corner in scene.box)
    length = LENGTH[scene.dimension] * float(np.max(high - low))
    shapes, reaches = [*scene.shapes], [*scene.reaches]
    for body in scene.bodies:
        heights = max((shape.heights for shape in scene.own(body.name)), key=lambda two: two[1], default=(0.0, 0.0))
        origin = {"at": np.zeros(scene.dimension), "radius": 1.6 * SHAFT * length}
        shapes.append(
            SceneShape(
                Kind.BALL if scene.ambient.solid else Kind.PIN,
                f"frame {body.name}",
                body.name,
                origin,
                Paint.INK,
                heights=heights,
            )
        )
        for reach, shape in _axes(body.name, length, scene.dimension, heights):
            reaches.append(reach)
            shapes.append(shape)
    origins = np.concatenate([pose[:, : scene.dimension] for pose in scene.poses.values()])
    places = origins.min(axis=0) - length, origins.max(axis=0) + length
    tips = [*scene.tips, *(_place(np.clip(place, low - length, high + length)) for place in places)]
    return replace(scene, shapes=tuple(shapes), reaches=tuple(reaches), tips=tuple(tips))


def _axes(
    body: str, length: float, dimension: int, heights: tuple[float, float]
) -> Iterator[tuple[SceneReach, SceneShape]]:
    """The shaft and the head of every axis."""
    for letter, tip in zip(PARTS, _tips(length, dimension), strict=False):
        name, size = f"frame {body} {letter}", float(np.linalg.norm(tip))
        neck = (1 - HEAD * length / size) * tip
        parts = (
            (name, 0 * tip, neck, Kind.ROD, {"radius": SHAFT * length}, Stretch.ALONG),
            (f"{name} head", neck, tip, Kind.ARROW, {"length": 1.0, "radius": 1.2 * SHAFT / HEAD}, Stretch.ALL),
        )
        for label, start, end, kind, numbers, stretch in parts:
            reach = SceneReach(label, BodyPoint(body, _place(start)), BodyPoint(body, _place(end)))
            yield reach, SceneShape(kind, name, label, numbers, Paint.INK, stretch, heights)


def _tips(length: float, dimension: int) -> list[Array]:
    return [length * part * line for part, line in zip(PARTS.values(), np.eye(dimension), strict=False)]


def _place(at: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in at)
