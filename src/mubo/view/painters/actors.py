"""A scene as a film of solids: what moves as one, with its parts, its place and turn at every row that is whole."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.geometry.rotation import about, axis_of
from mubo.lazy_dataclass import dataclass
from mubo.quantities.unit_algebra import FACTORS
from mubo.view.scene import Scene, Stretch
from mubo.view.scene.ambient import SPACE
from mubo.view.scene.motion import lift_to_space, poses_of_rows
from mubo.view.scene.solids import SolidPart, parts_of

UNIT_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Actor:
    """A rigid part of a film: its place, quaternion (scalar first, without change of sign) and scale at each time."""

    name: str
    parts: tuple[SolidPart, ...]
    place: Array
    turn: Array
    scale: Array | None = None

    @property
    def stands(self) -> bool:
        """Whether the part never moves."""
        tracks = [self.place, self.turn, *([] if self.scale is None else [self.scale])]
        return all(bool(np.all(track == track[0])) for track in tracks)


@dataclass(frozen=True)
class SolidFilm:
    """Actors and the times of their rows (seconds from the start); lengths are in the model's unit, of `metre` metres.

    `up` is the axis of the model that points upwards, such as "z" or "-y".
    """

    name: str
    start: float
    seconds: Array
    actors: tuple[Actor, ...]
    up: str
    flat: bool
    metre: float
    notes: tuple[str, ...]


def solid_film(scene: Scene, speed: float = 1.0) -> SolidFilm:
    """The film of a scene, `speed` times as fast as the mechanism."""
    if not (np.isfinite(speed) and speed > 0):
        raise ResultError(f"the speed must be positive; found {speed:g}")
    times, poses, notes = whole_rows(scene)
    parts: dict[tuple[str, Stretch], list[SolidPart]] = {(body.name, Stretch.NONE): [] for body in scene.bodies}
    for part in parts_of(scene):
        parts.setdefault((part.frame, part.stretch), []).append(part)
    lift = {shape.frame: sum(shape.heights) / 2 for shape in scene.shapes}
    reaches = {reach.name for reach in scene.reaches}
    actors = []
    for (frame, stretch), pieces in parts.items():
        pose = poses.get(frame, np.tile(SPACE.standing, (len(times), 1)))
        name = frame if frame not in reaches or stretch != Stretch.NONE else pieces[0].name
        place = pose[:, :3] + [0.0, 0.0, lift[frame] if frame in reaches else 0.0]  # into its layer
        actors.append(Actor(name, tuple(pieces), place, pose[:, 3:7], _scale(pose, stretch)))
    seconds = (times - times[0]) * FACTORS["time"][scene.units["time"] or "s"] / speed
    if np.any(np.diff(seconds) <= 0):
        raise ResultError("the times of the result do not grow from row to row: there is no film to make of it")
    metre = FACTORS["length"][scene.units["length"] or "m"]
    flat = not scene.ambient.solid
    return SolidFilm(scene.name, float(times[0]), seconds, tuple(actors), axis_name(scene.up), flat, metre, notes)


def whole_rows(scene: Scene) -> tuple[Array, dict[str, Array], tuple[str, ...]]:
    """Times and poses in space at the rows in which every body has a place; others are left out and counted."""
    times = scene.times
    poses = poses_of_rows(scene)
    whole = np.isfinite(times)
    for name in scene.poses:
        whole &= np.isfinite(poses[name]).all(axis=1)
    if not whole.any():
        raise ResultError("the result has no row in which every body has a place: there is nothing to show")
    notes = () if whole.all() else (_gap_note(times, whole, scene.units["time"]),)
    out = {}
    for name, rows in poses.items():
        if name not in scene.poses:  # a force that is not known has no length
            known = np.isfinite(rows).all(axis=1, keepdims=True)
            rows = np.where(known, rows, [*scene.ambient.standing, 0.0])
        lifted = rows[whole] if scene.ambient.solid else lift_to_space(rows[whole])
        out[name] = np.column_stack(
            [lifted[:, :3], _continuous_quaternions(name, lifted[:, 3:7], times[whole]), lifted[:, 7:]]
        )
    return times[whole], out, notes


def axis_name(up: tuple[float, ...]) -> str:
    """(0, −1, 0) as "-y"."""
    k = int(np.argmax(np.abs(up)))
    return ("-" if up[k] < 0 else "") + "xyz"[k]


def upright(up: str) -> Array:
    """The turn, as a quaternion, that brings `up` to +y, which is upwards in glTF."""
    axis, degrees = {
        "y": ("x", 0),
        "-y": ("x", 180),
        "z": ("x", -90),
        "-z": ("x", 90),
        "x": ("z", 90),
        "-x": ("z", -90),
    }[up]
    return about(axis_of(axis), np.radians(degrees))


def _scale(pose: Array, stretch: Stretch) -> Array | None:
    if stretch == Stretch.NONE:
        return None
    factor = pose[:, 7:8]
    across = factor if stretch == Stretch.ALL else np.ones_like(factor)
    return np.hstack([across, across, factor])


def _gap_note(times: Array, whole: Any, unit: str) -> str:
    missing = int(np.sum(~whole))
    first = f"{times[int(np.argmin(whole))]:g} {unit}".rstrip()
    return f"{missing} of {len(times)} rows have no numbers (the first at t = {first}) and are left out"


def _continuous_quaternions(body: str, turn: Array, times: Array) -> Array:
    """Unit quaternions; p and −p are the same turn, and the one nearer to the row before is taken."""
    length = np.linalg.norm(turn, axis=1)
    if np.max(np.abs(length - 1)) > UNIT_TOLERANCE:
        worst = int(np.argmax(np.abs(length - 1)))
        raise ResultError(f"body {body}: the quaternion at t = {times[worst]:g} has length {length[worst]:.6g}, not 1")
    flips = np.sum(turn[1:] * turn[:-1], axis=1) < 0
    sign = (-1.0) ** np.concatenate([[0], np.cumsum(flips)])
    return np.asarray(turn / length[:, None] * sign[:, None])
