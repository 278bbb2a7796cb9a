"""Solids of a scene for 3D: meshes by frame, name and colour; planar shapes are outlines made thick between heights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import frame_about, matrix
from mubo.lazy_dataclass import dataclass
from mubo.view.scene import mesh
from mubo.view.scene.colours import GROUND_COLOUR, INK, LOAD_COLOUR, STEEL, shade, tint
from mubo.view.scene.data import Kind, Paint, Scene, SceneShape, Stretch
from mubo.view.scene.mesh import SolidMesh, join_meshes
from mubo.view.scene.outlines import circle, left_of, plane_of, rounded, smooth_runs, spiral, turn_arcs

MOST_STRAIGHT = 12  # places of a bar with rods between them; more are a curve, and a wire along it
LEAST_AROUND, MOST_AROUND = 24, 72  # corners of the smallest and of the largest circles
PALE, DEEP = 0.6, 0.3  # white in a reaction that is not determined, black in others
INSET = {Kind.BAR: 0.02, Kind.PLATE: 0.2, Kind.DISC: 0.3, Kind.GEAR: 0.25, Kind.RACK: -0.06}  # of a layer's height
Numbers = Mapping[str, Any]  # of a shape


@dataclass(frozen=True)
class SolidPart:
    """A solid of one colour, fixed in a frame: a body or a reach."""

    frame: str
    name: str
    paint: Paint
    colour: str
    stretch: Stretch
    mesh: SolidMesh


def parts_of(scene: Scene, fine: float = 1.0) -> list[SolidPart]:
    """The solids of a scene, round shapes in space with `fine` times the usual corners.

    Shapes of one frame, name and colour are one solid.
    """
    tones = {Paint.FRAME: GROUND_COLOUR, Paint.STEEL: STEEL, Paint.INK: INK, Paint.LOAD: LOAD_COLOUR}
    reaches = {reach.name for reach in scene.reaches}
    found: dict[tuple[str, str, Paint, Stretch], list[SolidMesh]] = {}
    made: dict[Any, SolidMesh] = {}  # in space: large mechanisms have many alike
    for shape in scene.shapes:
        key = (shape.frame, shape.name, shape.paint, shape.stretch)
        flat = not scene.ambient.solid and shape.frame not in reaches  # what reaches is round, in the plane too
        if not flat and (alike := _mesh_key(shape)) not in made:
            made[alike] = solid_shape(shape, scene.size, fine)
        found.setdefault(key, []).append(flat_solid(shape) if flat else made[alike])
    return [
        SolidPart(frame, name, paint, tones.get(paint) or _own(scene, frame, paint), stretch, join_meshes(meshes))
        for (frame, name, paint, stretch), meshes in found.items()
    ]


def _own(scene: Scene, frame: str, paint: Paint) -> str:
    """The colour of a body, deeper of a reaction on it, so that they can be distinguished; pale of one that is not
    determined, as there is no outline to leave empty."""
    colour = scene.frame_colour(frame)
    return {Paint.OPEN: tint(colour, PALE), Paint.FORCE: shade(colour, DEEP)}.get(paint, colour)


def _mesh_key(shape: SceneShape) -> Any:
    """A key that shapes of one kind with the same numbers share."""
    return shape.kind, tuple((name, np.asarray(value, float).tobytes()) for name, value in shape.numbers.items())


def solid_shape(shape: SceneShape, size: float, fine: float = 1.0) -> SolidMesh:
    """The solid of a shape in space; round shapes that are large against the scene get more corners."""
    corners = np.clip(16 + 240 * float(shape.numbers.get("radius", 0.0)) / size, LEAST_AROUND, MOST_AROUND)
    return SOLIDS[shape.kind](shape.numbers, 4 * round(fine * float(corners) / 4))


def _bar(n: Numbers, around: int) -> SolidMesh:
    if len(n["points"]) > MOST_STRAIGHT:
        return join_meshes([mesh.sweep_circle(run, n["radius"]) for run in smooth_runs(n["points"])])
    return join_meshes([mesh.rod(a, b, n["radius"], around) for a, b in pairwise(n["points"])])


def _plate(n: Numbers, around: int) -> SolidMesh:
    """A sheet with round corners around points that lie in a plane."""
    middle, axes = n["points"].mean(axis=0), plane_of(n["points"])
    assert axes is not None
    axes = np.array([axes[0], axes[1], np.cross(axes[0], axes[1])])
    outline = rounded((n["points"] - middle) @ axes[:2].T, n["radius"])
    return mesh.prism(outline, -n["deep"] / 2, n["deep"] / 2).transformed(middle, axes.T)


def _box(n: Numbers, around: int) -> SolidMesh:
    return mesh.box(*n["size"]).transformed(n["at"], matrix(n["turned"]))


def _cylinder(n: Numbers, around: int) -> SolidMesh:
    corners = n.get("around", around)
    hollow = n["inner"] > 0
    solid = mesh.tube(n["radius"], n["inner"], n["length"], corners) if hollow else None
    return (solid or mesh.cylinder(n["radius"], n["length"], corners)).transformed(n["at"], matrix(n["turned"]))


def _ball(n: Numbers, around: int) -> SolidMesh:
    return mesh.ball(n["radius"], around).transformed(n["at"])


def _pin(n: Numbers, around: int) -> SolidMesh:
    return mesh.cylinder(n["radius"], n["length"], around).transformed(n["at"], frame_about(n["axis"]))


def _wire(n: Numbers, around: int) -> SolidMesh:
    return mesh.rod(n["start"], n["end"], 0.6 * n["radius"], around)


def _rail(n: Numbers, around: int) -> SolidMesh:
    return mesh.rod(n["start"], n["end"], n["radius"], around)


def _stand(n: Numbers, around: int) -> SolidMesh:
    """A post from the point, on a square plate."""
    high = n["high"]
    plate = mesh.box(1.4 * high, 1.4 * high, 0.16 * high).transformed(
        high * n["direction"], frame_about(n["direction"])
    )
    return join_meshes([mesh.rod(np.zeros(3), 0.95 * high * n["direction"], 0.17 * high, around), plate]).transformed(
        n["at"]
    )


def _rod(n: Numbers, around: int) -> SolidMesh:
    return mesh.cylinder(n["radius"], 1.0, around).transformed((0, 0, 0.5))


def _spring(n: Numbers, around: int) -> SolidMesh:
    return mesh.helix(n["radius"], 0.2 * n["radius"], 1.0)


def _ram(n: Numbers, around: int) -> SolidMesh:
    length = n["length"]
    return mesh.cylinder(n["radius"], length, around).transformed((0, 0, length / 2))


def _arrow(n: Numbers, around: int) -> SolidMesh:
    return mesh.arrow(n["length"], n["radius"], 12)


def _turn(n: Numbers, around: int) -> SolidMesh:
    """An arc around the axis with a cone at its end, or at both. The z of a reach of the plane is along it, and −x out
    of the plane."""
    r = n["radius"]
    angle = np.radians(np.linspace(140, 400, 31))
    arc = r * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    pieces = [mesh.sweep_circle(arc, 0.07 * r)]
    for tip, sense in ((-1, 1.0), (0, -1.0)):
        if sense in n["senses"]:
            tangent = sense * np.cross([0.0, 0.0, 1.0], arc[tip] / r)
            head = mesh.arrow(0.6 * r, 0.07 * r, 12)
            pieces.append(head.transformed(arc[tip] - 0.1 * r * tangent, frame_about(tangent)))
    at = n["at"] if len(n["at"]) == 3 else np.zeros(3)
    return join_meshes(pieces).transformed(at, frame_about(n.get("axis", np.array([-1.0, 0.0, 0.0]))))


def _coil(n: Numbers, around: int) -> SolidMesh:
    coil = mesh.helix(n["radius"], 0.15 * n["radius"], 1.6 * n["radius"], 4).transformed((0, 0, -0.8 * n["radius"]))
    return coil.transformed(n["at"], frame_about(n["axis"]))


SOLIDS: dict[Kind, Callable[[Numbers, int], SolidMesh]] = {
    Kind.BAR: _bar,
    Kind.PLATE: _plate,
    Kind.BOX: _box,
    Kind.CYLINDER: _cylinder,
    Kind.BALL: _ball,
    Kind.PIN: _pin,
    Kind.SLOT: _wire,
    Kind.RAIL: _rail,
    Kind.STAND: _stand,
    Kind.ROD: _rod,
    Kind.SPRING: _spring,
    Kind.RAM: _ram,
    Kind.ARROW: _arrow,
    Kind.TURN: _turn,
    Kind.COIL: _coil,
}


def flat_solid(shape: SceneShape) -> SolidMesh:
    """The solid of a planar shape that is fixed in a body."""
    low, high = shape.heights
    inset = INSET.get(shape.kind, 0.0) * (high - low)
    return FLAT[shape.kind](shape.numbers, low + inset, high - inset)


def _prism_of_link(n: Numbers, low: float, high: float) -> SolidMesh:
    return mesh.prism(rounded(n["points"], n["radius"]), low, high)


def _prism_of_outline(n: Numbers, low: float, high: float) -> SolidMesh:
    return mesh.ring(n["rim"], n["outline"], low, high) if "rim" in n else mesh.prism(n["outline"], low, high)


def _comb(n: Numbers, low: float, high: float) -> SolidMesh:
    return mesh.strip(n["outline"], n["back"], low, high)


def _ribbon(n: Numbers, low: float, high: float) -> SolidMesh:
    return _along(n["points"], n["width"], low + 0.2 * (high - low), high - 0.2 * (high - low))


def _along(points: Array, width: float, low: float, high: float) -> SolidMesh:
    """A line of a width, made thick."""
    closed = bool(np.allclose(points[0], points[-1]))
    step = np.gradient(points, axis=0)
    if closed:
        step[[0, -1]] = points[1] - points[-2]
    side = width / 2 * np.column_stack([-step[:, 1], step[:, 0]]) / np.linalg.norm(step, axis=1, keepdims=True)
    outer, inner = points - side, points + side
    return mesh.ring(outer, inner, low, high) if closed else mesh.strip(outer, inner, low, high)


def _flat_box(n: Numbers, low: float, high: float) -> SolidMesh:
    room = 0.12 * (high - low)
    c, s = np.cos(n["turned"]), np.sin(n["turned"])
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    wide, deep = n["size"][:2]
    return mesh.box(wide, deep, high - low + 2 * room).transformed((*n["at"], (low + high) / 2), turned)


def _flat_cylinder(n: Numbers, low: float, high: float) -> SolidMesh:
    return _flat_box({**n, "size": (n["length"], 2 * n["radius"])}, low, high)


def _flat_pin(n: Numbers, low: float, high: float) -> SolidMesh:
    room = 0.6 * n["radius"]
    return mesh.prism(circle(np.array(n["at"]), n["radius"]), low - room, high + room)


def _flat_slot(n: Numbers, low: float, high: float) -> SolidMesh:
    ends = np.array([n["start"], n["end"]])
    outer, inner = (rounded(ends, part * n["radius"]) for part in (1.4, 0.7))
    return mesh.ring(outer, inner, low + 0.2 * (high - low), high - 0.2 * (high - low))


def _flat_rail(n: Numbers, low: float, high: float) -> SolidMesh:
    ends = np.array([n["start"], n["end"]])
    return _along(ends, 1.8 * n["radius"], low + 0.25 * (high - low), high - 0.25 * (high - low))


def _flat_stand(n: Numbers, low: float, high: float) -> SolidMesh:
    """A foot behind the links: a triangle with a round head on a bar, as it is drawn on paper."""
    tall = n["high"]
    down, side, deep = np.array(n["direction"]), left_of(n["direction"]), high - low
    leg = rounded(tall * np.array([0 * down, 0.9 * down - 0.55 * side, 0.9 * down + 0.55 * side]), 0.28 * tall)
    foot = tall * (np.array([1.1 * down - 1.2 * side, 1.1 * down + 1.2 * side]))
    plate = _along(foot, 0.3 * tall, low - 0.5 * deep, high)
    return join_meshes([mesh.prism(leg, low + 0.2 * deep, high - 0.2 * deep), plate]).transformed((*n["at"], 0.0))


def _flat_turn(n: Numbers, low: float, high: float) -> SolidMesh:
    arc, heads = turn_arcs(np.array(n["at"]), n["radius"], n["senses"])
    top = high + 0.4 * (high - low)
    pieces = [_along(arc, 0.16 * n["radius"], high, top), *(mesh.prism(head, high, top) for head in heads)]
    return join_meshes(pieces)


def _flat_coil(n: Numbers, low: float, high: float) -> SolidMesh:
    line = spiral(np.array(n["at"]), n["radius"])
    return _along(line, 0.15 * n["radius"], high, high + 0.4 * (high - low))


FLAT: dict[Kind, Callable[[Numbers, float, float], SolidMesh]] = {
    Kind.BAR: _prism_of_link,
    Kind.PLATE: _prism_of_link,
    Kind.DISC: _prism_of_outline,
    Kind.GEAR: _prism_of_outline,
    Kind.RACK: _comb,
    Kind.LINE: _ribbon,
    Kind.BOX: _flat_box,
    Kind.CYLINDER: _flat_cylinder,
    Kind.BALL: _flat_pin,
    Kind.PIN: _flat_pin,
    Kind.SLOT: _flat_slot,
    Kind.RAIL: _flat_rail,
    Kind.STAND: _flat_stand,
    Kind.TURN: _flat_turn,
    Kind.COIL: _flat_coil,
}
