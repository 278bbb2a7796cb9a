"""Puts the poses of a table written by `mubo export MODEL -o poses.csv` onto objects in Blender.

    blender --python import_poses.py -- poses.csv [frames a second]

An object that has a body's name is moved as it is, so that parts from a CAD program come alive; for other bodies a
small cross of axes is made. Columns: t, and for each body B.x B.y B.z B.qw B.qx B.qy B.qz. Frame 0 is the first row.
"""

from __future__ import annotations

import csv
import sys
from typing import Any

import bpy

FPS = 30


def read_poses(path: str) -> tuple[list[float], dict[str, list[list[float]]]]:
    """Times, and for each body rows of place and quaternion (scalar first)."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file))
    column = {name: [float(line[k]) for line in lines] for k, name in enumerate(header)}
    bodies = [name[:-3] for name in header if name.endswith(".qw")]
    words = ("x", "y", "z", "qw", "qx", "qy", "qz")
    return column["t"], {
        body: [list(row) for row in zip(*(column[f"{body}.{word}"] for word in words), strict=True)] for body in bodies
    }


def import_poses(path: str, fps: float = FPS) -> None:
    """Key frames for every body of the table, in the scene that is open."""
    times, bodies = read_poses(path)
    scene = bpy.context.scene
    scene.render.fps = round(fps)
    scene.frame_start, scene.frame_end = 0, int((times[-1] - times[0]) * fps)
    reach = max(max(row[k] for row in rows) - min(row[k] for row in rows) for rows in bodies.values() for k in range(3))
    for body, rows in bodies.items():
        thing = bpy.data.objects.get(body) or _cross(scene, body, 0.1 * reach or 1.0)
        thing.rotation_mode = "QUATERNION"
        for time, row in zip(times, rows, strict=True):
            thing.location, thing.rotation_quaternion = row[:3], row[3:]
            for path_of in ("location", "rotation_quaternion"):
                thing.keyframe_insert(data_path=path_of, frame=(time - times[0]) * fps)


def _cross(scene: Any, name: str, size: float) -> Any:
    thing = bpy.data.objects.new(name, None)
    thing.empty_display_type, thing.empty_display_size = "ARROWS", size
    scene.collection.objects.link(thing)
    return thing


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    import_poses(words[0], float(words[1]) if len(words) > 1 else FPS)
