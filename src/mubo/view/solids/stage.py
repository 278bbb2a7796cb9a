"""Everything that stands and moves in a film of a mechanism: solids by name and colour, their motion, up, and units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.model import GROUND, Model
from mubo.model.rotation import about, axis_of
from mubo.model.units import FACTORS
from mubo.results import Trajectory
from mubo.view.edges import edges_of
from mubo.view.solids.bodies import body_in_plane, body_in_space, edge_meshes
from mubo.view.solids.joints import Glyph, joint_in_space
from mubo.view.solids.links import links_of
from mubo.view.solids.mesh import Mesh, joined
from mubo.view.solids.plane import Layers, joint_in_plane, layers_of
from mubo.view.solids.poses import Poses, poses_of
from mubo.view.solids.sizes import Sizes, sizes_of
from mubo.view.solids.supports import supports_of
from mubo.view.style import INK, QUIET, colour_of

FLAT = 0.9  # height of a planar link, of its half width


@dataclass(frozen=True)
class Part:
    """A solid of one colour, fixed in its actor's axes."""

    name: str
    colour: str
    mesh: Mesh


Parts = dict[str, list[Part]]


@dataclass(frozen=True)
class Actor:
    """Something that moves as one: a body, or a link between two points whose z axis is as long as `length`."""

    name: str
    parts: tuple[Part, ...]
    place: Array
    turn: Array
    length: Array | None = None

    @property
    def stands(self) -> bool:
        """Whether it keeps its place throughout."""
        tracks = [self.place, self.turn, *([] if self.length is None else [self.length])]
        return all(bool(np.all(track == track[0])) for track in tracks)


@dataclass(frozen=True)
class Stage:
    """Actors and the times of their rows (seconds from the start); lengths are in the model's unit, of `metre` metres.

    `up` is the axis of the model that points upwards: "y" in the plane, in space against gravity, else "z".
    """

    name: str
    start: float
    seconds: Array
    actors: tuple[Actor, ...]
    up: str
    metre: float
    sizes: Sizes
    notes: tuple[str, ...]


def stage_of(run: Trajectory, speed: float = 1.0) -> Stage:
    """The film of a result, `speed` times as fast as the mechanism."""
    if not (np.isfinite(speed) and speed > 0):
        raise ResultError(f"the speed must be positive; found {speed:g}")
    model, poses = run.model, poses_of(run)
    sizes, up = sizes_of(model, poses), up_of(model)
    standing = {j.between[0] for j in model.joints.values() if model.kinds[j.kind].anchors} | {GROUND}
    layers = layers_of(model, standing, FLAT * sizes.rod)
    if model.dimension == 2:
        parts = _flat_parts(model, poses, sizes.rod, standing, layers)
    else:
        parts = _solid_parts(model, poses, sizes.rod)
    for glyph in supports_of(model, poses, standing, up_vector(up), sizes.rod, -sum(layers[GROUND]) / 2):
        parts[glyph.body].append(Part(glyph.name, QUIET, glyph.mesh))
    actors = [Actor(name, tuple(parts[name]), poses.place[name], poses.turn[name]) for name in poses.names]
    for name, mesh, place, turn, length in links_of(model, poses, sizes.rod):
        actors.append(Actor(name, (Part(name, QUIET, mesh),), place, turn, length))
    seconds = (poses.times - poses.times[0]) * FACTORS["time"][model.units.time or "s"] / speed
    if np.any(np.diff(seconds) <= 0):
        raise ResultError("the times of the result do not grow from row to row: there is no film to make of it")
    metre = FACTORS["length"][model.units.length or "m"]
    return Stage(model.name, float(poses.times[0]), seconds, tuple(actors), up, metre, sizes, poses.notes)


def up_of(model: Model) -> str:
    """The axis that points upwards: "y" of the plane; in space against gravity where that lies along an axis."""
    if model.dimension == 2:
        return "y"
    gravity = model.gravity or (0.0, 0.0, 0.0)
    along = [k for k in range(3) if gravity[k] != 0]
    if len(along) != 1:
        return "z"
    return ("-" if gravity[along[0]] > 0 else "") + "xyz"[along[0]]


def up_vector(up: str) -> Array:
    """ "-y" as a vector."""
    return np.asarray((-1.0 if up.startswith("-") else 1.0) * axis_of(up[-1]))


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


def _solid_parts(model: Model, poses: Poses, thick: float) -> Parts:
    names = [name for name in model.bodies if name != GROUND]
    parts: Parts = {GROUND: []}
    for name in names:
        parts[name] = [Part(name, colour_of(name, names), body_in_space(model, model.bodies[name], thick))]
    glyphs = [glyph for joint in model.joints.values() for glyph in joint_in_space(model, joint, poses, thick)]
    return _with(parts, glyphs)


def _flat_parts(model: Model, poses: Poses, thick: float, standing: set[str], layers: Layers) -> Parts:
    """Standing bodies have no link of their own: supports and edges show where they are."""
    names = [name for name in model.bodies if name != GROUND]
    edges = edges_of(model)
    parts: Parts = {}
    for name, body in model.bodies.items():
        own = [edge for edge in edges if edge.body == name]
        if name in standing:
            pieces = [mesh for edge in own for mesh in edge_meshes(edge, thick, *layers[name])]
            parts[name] = [Part(name, QUIET, joined(pieces))] if pieces else []
        else:
            mesh = body_in_plane(model, body, own, thick, *layers[name])
            parts[name] = [Part(name, colour_of(name, names), mesh)]
    glyphs = [g for joint in model.joints.values() for g in joint_in_plane(model, joint, poses, layers, thick)]
    return _with(parts, glyphs)


def _with(parts: Parts, glyphs: list[Glyph]) -> Parts:
    for glyph in glyphs:
        parts[glyph.body].append(Part(glyph.name, QUIET if glyph.guide else INK, glyph.mesh))
    return parts
