"""The solid that a body is drawn as: a primitive of its geometry, or the box around a mesh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import Notes, RobotLink, place_of
from mubo.geometry.rotation import matrix
from mubo.geometry.shapes import Shape
from mubo.geometry.triangle_meshes import ENDINGS, read_mesh

MOST_FOLDERS = 6  # around a robot's file in which a package is looked for
ALIGNED = 1e-6  # how far a solid's axes and place may be from the body's, in radians and of its size


def shape_of(
    kind: str, sizes: Mapping[str, float], at: Sequence[float], turn: Sequence[float], center: Sequence[float]
) -> Shape | None:
    """A box, cylinder or sphere as the shape of a body with that centre of mass; None where it has no size. `turn` is
    the quaternion of its axes against the body's."""
    if not all(size > 0 for size in sizes.values()):
        return None
    off = np.max(np.abs(np.asarray(at, float) - np.asarray(center, float)))
    place = tuple(float(x) for x in at) if off > ALIGNED * max(sizes.values()) else ()
    own = _along_axes(kind, sizes, turn)
    if own is not None:
        return replace(own, at=place)
    return Shape(kind, sizes, "z", (), place, tuple(float(x) for x in turn))


def _along_axes(kind: str, sizes: Mapping[str, float], turn: Sequence[float]) -> Shape | None:
    """The solid without a turn of its own, where its axes are those of the body."""
    if kind == "sphere":
        return Shape("sphere", sizes)
    turned = matrix(turn)
    if kind == "cylinder":
        k = int(np.argmax(np.abs(turned[:, 2])))
        return Shape("cylinder", sizes, "xyz"[k]) if abs(turned[k, 2]) > 1 - ALIGNED**2 else None
    quarter = np.round(np.abs(turned))
    if np.max(np.abs(np.abs(turned) - quarter)) > ALIGNED:
        return None
    sides = quarter @ np.array([sizes[side] for side in "abc"])
    return Shape("box", dict(zip("abc", map(float, sides), strict=True)))


def mesh_path(file: Path, name: str) -> Path | None:
    """The file of a mesh that a robot's file names: beside it, or in a package (package://, model://) around it."""
    scheme, found, rest = name.partition("://")
    if not found:
        path = file.parent / name.replace("\\", "/")
        return path if path.is_file() else None
    if scheme == "file":
        return Path(rest) if Path(rest).is_file() else None
    inside = rest.partition("/")[2]
    folders = (file.parent, *file.absolute().parents[:MOST_FOLDERS])
    places = (folder / part for folder in folders for part in (rest, inside))
    return next((place for place in places if place.is_file()), None)


def mesh_shape(
    file: Path, name: str, scale: tuple[float, ...], pose: Pose, link: RobotLink, notes: Notes
) -> Shape | None:
    """The box around a mesh as the shape of a link; None where its file is not there, or cannot be read."""
    path = mesh_path(file, name)
    if path is None or path.suffix.lower() not in ENDINGS:
        return None
    try:
        low, high = read_mesh(path).scaled(scale).box
    except ModelError as error:
        notes.left_out("mesh", link.name, str(error))
        return None
    sides = {side: float(size) for side, size in zip("abc", high - low, strict=True)}
    placed = pose @ Pose(place_of((low + high) / 2))
    return shape_of("box", sides, placed.at, placed.turn, link.center)
