"""From a run to its scene."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.model import GROUND, Model
from mubo.results import Trajectory
from mubo.view.scene.data import Scene, SceneBody
from mubo.view.scene.flat import flat_shapes
from mubo.view.scene.links import scene_forces, scene_joints, scene_points, scene_springs
from mubo.view.scene.motion import STANDING, place, quaternion_rates
from mubo.view.scene.solid import corners_of, solid_shapes
from mubo.view.scene.teeth import tooth_outlines
from mubo.view.style import GROUND_COLOUR, colour_of

CHUNK = 4096  # rows that are placed at once


def scene_of(run: Trajectory) -> Scene:
    """Model and motion of a run, planar or spatial, as plain data."""
    if len(run) == 0:
        raise ResultError("there is nothing to draw: the result has no rows")
    if run.model.linkage is not None:
        return _bare(run)
    model = run.model
    poses, rates = _poses(run), _rates(run)
    held = {j.between[0] for j in model.joints.values() if model.kinds[j.kind].anchors} | {GROUND}
    size = _size(model, poses)
    joints = scene_joints(model, poses, held)
    points = scene_points(model)
    if model.dimension == 2:
        first = {name: _first(poses.get(name), 2) for name in model.bodies}
        travel = {joint.name: joint.travel for joint in joints if joint.travel is not None}
        shapes = flat_shapes(model, tooth_outlines(model, first, travel), size)
    else:
        shapes = solid_shapes(model, size)
    names = [name for name in model.bodies if name not in held]
    bodies = tuple(
        SceneBody(name, GROUND_COLOUR if name in held else colour_of(name, names), name in held, shapes[name])
        for name in model.bodies
    )
    places = {name: [corners_of(shape) for shape in shapes[name]] for name in model.bodies}
    for end in (e for joint in joints for e in (joint.first, joint.second)):
        places[end.body].append(np.array([end.at]))
    for dot in points:
        places[dot.body].append(np.array([dot.at]))
    box = _box({name: np.concatenate(held) for name, held in places.items() if held}, poses, model.dimension)
    return Scene(
        name=model.name,
        dimension=model.dimension,
        units=_units(run),
        size=size,
        up=_up(model),
        box=box,
        times=run["t"],
        bodies=bodies,
        poses=poses,
        joints=joints,
        springs=scene_springs(model),
        points=points,
        events=tuple({"t": e.t, "kind": e.kind, "message": e.message} for e in run.events),
        forces=scene_forces(run),
        rates=rates,
    )


def _bare(run: Trajectory) -> Scene:
    """A deck has vectors and no bodies: its charts need its times and events only."""
    events = tuple({"t": e.t, "kind": e.kind, "message": e.message} for e in run.events)
    units = {"length": "", "time": "s", "angle": "deg"}
    return Scene(
        run.model.name, 2, units, 1.0, (0.0, 1.0), ((0.0, 0.0), (1.0, 1.0)), run["t"], (), {}, (), events=events
    )


def _units(run: Trajectory) -> dict[str, str]:
    if not run.units.declared:
        return {"length": "", "time": "", "angle": ""}
    return {"length": run.units.length or "m", "time": run.units.time or "s", "angle": run.units.angle or "rad"}


def _up(model: Model) -> tuple[float, ...]:
    """Against gravity, along the nearest axis; y in the plane and z in space where none is stated."""
    up = np.eye(model.dimension)[-1]
    if model.gravity is not None and any(model.gravity):
        against = -np.array(model.gravity)
        k = int(np.argmax(np.abs(against)))
        up = np.sign(against[k]) * np.eye(model.dimension)[k]
    return tuple(float(x) for x in up)


def _columns(run: Trajectory, body: str, words: tuple[str, ...]) -> Array | None:
    names = [f"{body}.{word}" for word in words]
    return np.column_stack([run[name] for name in names]) if all(name in run.columns for name in names) else None


def _poses(run: Trajectory) -> dict[str, Array]:
    words = ("x", "y", "phi") if run.model.dimension == 2 else ("x", "y", "z", "qw", "qx", "qy", "qz")
    out = {}
    for name in run.model.bodies:
        pose = _columns(run, name, words) if name != GROUND else None
        if pose is not None:
            out[name] = pose
            if len(words) == 3:
                pose[:, 2] *= run.units.angle_factor()
    return out


def _rates(run: Trajectory) -> dict[str, Array]:
    """Derivatives of the poses, where the run has the velocities."""
    factor, out = run.units.angle_factor(), {}
    for name in run.model.bodies:
        if run.model.dimension == 2:
            rate = _columns(run, name, ("vx", "vy", "omega"))
            if rate is not None:
                rate[:, 2] *= factor
                out[name] = rate
        else:
            speed = _columns(run, name, ("vx", "vy", "vz", "wx", "wy", "wz"))
            turned = _columns(run, name, ("qw", "qx", "qy", "qz"))
            if speed is not None and turned is not None:
                out[name] = np.concatenate([speed[:, :3], quaternion_rates(turned, factor * speed[:, 3:])], axis=1)
    return out


def _first(pose: Array | None, dimension: int) -> Array:
    """The first pose that is known; the origin where there is none."""
    known = None if pose is None else pose[~np.isnan(pose).any(axis=1)]
    return STANDING[dimension] if known is None or not len(known) else known[0]


def _size(model: Model, poses: dict[str, Array]) -> float:
    """The longest side of the box of all points at the first time, else of the paths of the bodies, else one."""
    places = []
    for name, body in model.bodies.items():
        points = [*body.points.values(), *(p.at for p in model.points.values() if p.body == name)]
        if body.shape is not None:
            reach = max(body.shape.sizes.values()) / (1 if body.shape.kind == "sphere" else 2)
            points += [tuple(reach * row) for row in np.vstack([np.eye(3), -np.eye(3)])]
        pose = _first(poses.get(name), model.dimension)
        points += [(0.0,) * model.dimension] if name in poses else []
        if points:
            places.append(place(pose, np.array(points)))
    lengths = [float(np.max(np.ptp(np.concatenate(places), axis=0)))] if places else []
    paths = [pose[:, : model.dimension] for pose in poses.values()]
    if paths:
        lengths.append(float(np.nanmax(np.ptp(_known(np.concatenate(paths)), axis=0), initial=0.0)))
    for joint in model.joints.values():
        lengths += [2 * float(r) for r in (*joint.options.get("radii", ()), *_number(joint.options.get("radius")))]
    return next((length for length in lengths if length > 0), 1.0)


def _known(rows: Array) -> Array:
    known = rows[np.isfinite(rows).all(axis=1)]
    return known if len(known) else np.zeros((1, rows.shape[1]))


def _number(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)


def _box(
    points: dict[str, Array], poses: dict[str, Array], dimension: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The least and greatest coordinates of body-fixed points over all rows; rows with gaps are left out."""
    low, high = np.full(dimension, np.inf), np.full(dimension, -np.inf)
    for name, inner in points.items():
        rows = _known(poses[name]) if name in poses else STANDING[dimension][None]
        for start in range(0, len(rows), CHUNK):
            placed = place(rows[start : start + CHUNK], inner).reshape(-1, dimension)
            low, high = np.minimum(low, placed.min(axis=0)), np.maximum(high, placed.max(axis=0))
    if not np.isfinite(low).all():
        low, high = np.zeros(dimension), np.zeros(dimension)
    return tuple(map(float, low)), tuple(map(float, high))
