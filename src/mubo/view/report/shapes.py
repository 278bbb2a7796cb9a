"""The scene as the page draws it: as many rows, names and paths as can be shown, its strokes or solids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.report.numbers import pack_base64
from mubo.view.scene import Scene
from mubo.view.scene.solids import parts_of
from mubo.view.scene.strokes import strokes_of

FRAMES, MOST_FRAMES = MOST_ROWS, 20_000  # positions that are kept for the animation
MOST_POSES = 250_000  # of all bodies in all positions: some 25 MB of the page in space
FEW_NAMES, MOST_NAMES = 60, 200  # with those of joints, and of bodies and points alone: more cover each other
MOST_PATHS = 200  # of points: more cannot be distinguished
TURN = np.radians(20.0)  # how far a body may turn from one kept position to the next, before more are kept


def reduce_scene(scene: Scene) -> Scene:
    """The scene with as many names, paths and positions as can be shown, the first and last position among them."""
    rows = len(scene.times)
    if len(scene.texts) > FEW_NAMES:
        scene = replace(scene, texts=tuple(t for t in scene.texts if t.of != "joint")[:MOST_NAMES])
    scene = replace(scene, points=scene.points[:MOST_PATHS])
    stride = max(int(np.ceil(rows / FRAMES)), 1)
    turn = max((_largest_turn(pose) for pose in scene.poses.values()), default=0.0)
    if turn > 0:
        stride = max(min(stride, int(TURN / turn)), int(np.ceil(rows / MOST_FRAMES)))
    stride = max(stride, int(np.ceil(rows * len(scene.poses) / MOST_POSES)))
    if stride == 1:
        return scene
    kept = distinct(np.append(np.arange(0, rows, stride), rows - 1))
    reaches = [reach.of_rows(kept) for reach in scene.reaches]
    return replace(
        scene,
        times=scene.times[kept],
        poses={name: pose[kept] for name, pose in scene.poses.items()},
        rates={name: rate[kept] for name, rate in scene.rates.items()},
        reaches=tuple(reaches),
        forces=tuple(replace(force, values=force.values[kept]) for force in scene.forces),
    )


def _largest_turn(pose: Array) -> float:
    """Radians that a body turns from one row to the next, at most."""
    if len(pose) < 2:
        return 0.0
    if pose.shape[1] == 3:
        turns = np.abs(np.diff(pose[:, 2]))
    else:
        turns = 2 * np.arccos(np.clip(np.abs(np.sum(pose[1:, 3:] * pose[:-1, 3:], axis=1)), 0, 1))
    return float(np.nanmax(turns, initial=0.0))


def strokes_data(scene: Scene) -> list[dict[str, Any]]:
    """Lines and areas of the plane."""
    return [
        {**vars(stroke), "stretch": str(stroke.stretch), "points": pack_base64(stroke.points, "<f4")}
        for stroke in strokes_of(scene)
    ]


def solids_data(scene: Scene) -> list[dict[str, Any]]:
    """Meshes in space."""
    return [
        {
            **{key: str(getattr(part, key)) for key in ("frame", "name", "paint", "colour", "stretch")},
            "places": pack_base64(part.mesh.places, "<f4"),
            "normals": pack_base64(part.mesh.normals, "<f4"),
            "triangles": pack_base64(part.mesh.triangles, "<u4"),
        }
        for part in parts_of(scene)
    ]
