"""Solids of a scene: meshes by frame, name and colour, in the plane and in space. All that is shown in 3D is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.geometry.rotation import frame_about, matrix
from mubo.view.scene import mesh
from mubo.view.scene.colours import GROUND_COLOUR, INK, LOAD_COLOUR, STEEL, shade, tint
from mubo.view.scene.data import Kind, Paint, Scene, SceneShape, Stretch
from mubo.view.scene.flat_solids import flat_solid
from mubo.view.scene.mesh import SolidMesh, join_meshes
from mubo.view.scene.outlines import plane_of, rounded

MOST_AROUND = 32  # corners of the largest circles
PALE, DEEP = 0.6, 0.3  # white in a reaction that is not determined, black in others


@dataclass(frozen=True)
class SolidPart:
    """A solid of one colour, fixed in a frame: a body or a reach."""

    frame: str
    name: str
    paint: Paint
    colour: str
    stretch: Stretch
    mesh: SolidMesh


def parts_of(scene: Scene) -> list[SolidPart]:
    """The solids of a scene; shapes of one frame, name and colour are one solid."""
    tones = {Paint.FRAME: GROUND_COLOUR, Paint.STEEL: STEEL, Paint.INK: INK, Paint.LOAD: LOAD_COLOUR}
    reaches = {reach.name for reach in scene.reaches}
    found: dict[tuple[str, str, Paint, Stretch], list[SolidMesh]] = {}
    made: dict[Any, SolidMesh] = {}  # in space: large mechanisms have many alike
    for shape in scene.shapes:
        key = (shape.frame, shape.name, shape.paint, shape.stretch)
        flat = scene.dimension == 2 and shape.frame not in reaches  # what reaches is round, in the plane too
        if not flat and (alike := _mesh_key(shape)) not in made:
            made[alike] = solid_shape(shape, scene.size)
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


def solid_shape(shape: SceneShape, size: float) -> SolidMesh:
    """The solid of a shape in space; large round things of a scene of this size get more corners."""
    return SOLIDS[shape.kind](shape, _around(shape, size))


def _around(shape: SceneShape, size: float) -> int:
    corners = 8 + 160 * float(shape.numbers.get("radius", 0.0)) / size
    return int(np.clip(4 * round(corners / 4), 12, MOST_AROUND))


def _bar(shape: SceneShape, around: int) -> SolidMesh:
    return join_meshes([mesh.rod(a, b, shape.numbers["radius"], around) for a, b in pairwise(shape.numbers["points"])])


def _plate(shape: SceneShape, around: int) -> SolidMesh:
    """A sheet with round corners around points that lie in a plane."""
    n = shape.numbers
    middle, axes = n["points"].mean(axis=0), plane_of(n["points"])
    assert axes is not None
    axes = np.array([axes[0], axes[1], np.cross(axes[0], axes[1])])
    outline = rounded((n["points"] - middle) @ axes[:2].T, n["radius"])
    return mesh.prism(outline, -n["deep"] / 2, n["deep"] / 2).transformed(middle, axes.T)


def _box(shape: SceneShape, around: int) -> SolidMesh:
    n = shape.numbers
    return mesh.box(*n["size"]).transformed(n["at"], matrix(n["turned"]))


def _cylinder(shape: SceneShape, around: int) -> SolidMesh:
    n = shape.numbers
    corners = n.get("around", around)
    hollow = n["inner"] > 0
    solid = mesh.tube(n["radius"], n["inner"], n["length"], corners) if hollow else None
    return (solid or mesh.cylinder(n["radius"], n["length"], corners)).transformed(n["at"], matrix(n["turned"]))


def _ball(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.ball(shape.numbers["radius"], around).transformed(shape.numbers["at"])


def _pin(shape: SceneShape, around: int) -> SolidMesh:
    n = shape.numbers
    return mesh.cylinder(n["radius"], n["length"], around).transformed(n["at"], frame_about(n["axis"]))


def _wire(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.rod(shape.numbers["start"], shape.numbers["end"], 0.6 * shape.numbers["radius"], around)


def _rail(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.rod(shape.numbers["start"], shape.numbers["end"], shape.numbers["radius"], around)


def _stand(shape: SceneShape, around: int) -> SolidMesh:
    """A post from the point, on a square plate."""
    n, high = shape.numbers, shape.numbers["high"]
    plate = mesh.box(1.4 * high, 1.4 * high, 0.16 * high).transformed(
        high * n["direction"], frame_about(n["direction"])
    )
    return join_meshes([mesh.rod(np.zeros(3), 0.95 * high * n["direction"], 0.17 * high, around), plate]).transformed(
        n["at"]
    )


def _rod(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.cylinder(shape.numbers["radius"], 1.0, around).transformed((0, 0, 0.5))


def _spring(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.helix(shape.numbers["radius"], 0.2 * shape.numbers["radius"], 1.0)


def _ram(shape: SceneShape, around: int) -> SolidMesh:
    length = shape.numbers["length"]
    return mesh.cylinder(shape.numbers["radius"], length, around).transformed((0, 0, length / 2))


def _arrow(shape: SceneShape, around: int) -> SolidMesh:
    return mesh.arrow(shape.numbers["length"], shape.numbers["radius"], 12)


def _turn(shape: SceneShape, around: int) -> SolidMesh:
    """An arc around the axis with a cone at its end, or at both. The z of a reach of the plane is along it, and −x out
    of the plane."""
    n, r = shape.numbers, shape.numbers["radius"]
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


def _coil(shape: SceneShape, around: int) -> SolidMesh:
    n = shape.numbers
    coil = mesh.helix(n["radius"], 0.15 * n["radius"], 1.6 * n["radius"], 4).transformed((0, 0, -0.8 * n["radius"]))
    return coil.transformed(n["at"], frame_about(n["axis"]))


SOLIDS: dict[Kind, Callable[[SceneShape, int], SolidMesh]] = {
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
