"""Planar shapes as solids: outlines made thick between two heights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array
from mubo.view.scene import mesh
from mubo.view.scene.data import Kind, SceneShape
from mubo.view.scene.mesh import SolidMesh, join_meshes
from mubo.view.scene.outlines import circle, left_of, rounded, spiral, turn_arcs

INSET = {Kind.BAR: 0.02, Kind.PLATE: 0.2, Kind.DISC: 0.3, Kind.GEAR: 0.25, Kind.RACK: -0.06}  # of a layer's height


def flat_solid(shape: SceneShape) -> SolidMesh:
    """The solid of a planar shape that is fixed in a body."""
    low, high = shape.heights
    inset = INSET.get(shape.kind, 0.0) * (high - low)
    return FLAT[shape.kind](shape, low + inset, high - inset)


def _prism_of_link(shape: SceneShape, low: float, high: float) -> SolidMesh:
    return mesh.prism(rounded(shape.numbers["points"], shape.numbers["radius"]), low, high)


def _prism_of_outline(shape: SceneShape, low: float, high: float) -> SolidMesh:
    n = shape.numbers
    return mesh.ring(n["rim"], n["outline"], low, high) if "rim" in n else mesh.prism(n["outline"], low, high)


def _comb(shape: SceneShape, low: float, high: float) -> SolidMesh:
    return mesh.strip(shape.numbers["outline"], shape.numbers["back"], low, high)


def _ribbon(shape: SceneShape, low: float, high: float) -> SolidMesh:
    return _along(shape.numbers["points"], shape.numbers["width"], low + 0.2 * (high - low), high - 0.2 * (high - low))


def _along(points: Array, width: float, low: float, high: float) -> SolidMesh:
    """A line of a width, made thick."""
    closed = bool(np.allclose(points[0], points[-1]))
    step = np.gradient(points, axis=0)
    if closed:
        step[[0, -1]] = points[1] - points[-2]
    side = width / 2 * np.column_stack([-step[:, 1], step[:, 0]]) / np.linalg.norm(step, axis=1, keepdims=True)
    outer, inner = points - side, points + side
    return mesh.ring(outer, inner, low, high) if closed else mesh.strip(outer, inner, low, high)


def _flat_box(shape: SceneShape, low: float, high: float) -> SolidMesh:
    n, room = shape.numbers, 0.12 * (high - low)
    c, s = np.cos(n["turned"]), np.sin(n["turned"])
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    wide, deep = n["size"][:2]
    return mesh.box(wide, deep, high - low + 2 * room).transformed((*n["at"], (low + high) / 2), turned)


def _flat_cylinder(shape: SceneShape, low: float, high: float) -> SolidMesh:
    n = shape.numbers
    flat = SceneShape(Kind.BOX, "", "", {"size": (n["length"], 2 * n["radius"]), "at": n["at"], "turned": n["turned"]})
    return _flat_box(flat, low, high)


def _flat_pin(shape: SceneShape, low: float, high: float) -> SolidMesh:
    room = 0.6 * shape.numbers["radius"]
    return mesh.prism(circle(np.array(shape.numbers["at"]), shape.numbers["radius"]), low - room, high + room)


def _flat_slot(shape: SceneShape, low: float, high: float) -> SolidMesh:
    ends = np.array([shape.numbers["start"], shape.numbers["end"]])
    outer, inner = (rounded(ends, part * shape.numbers["radius"]) for part in (1.4, 0.7))
    return mesh.ring(outer, inner, low + 0.2 * (high - low), high - 0.2 * (high - low))


def _flat_rail(shape: SceneShape, low: float, high: float) -> SolidMesh:
    ends = np.array([shape.numbers["start"], shape.numbers["end"]])
    return _along(ends, 1.8 * shape.numbers["radius"], low + 0.25 * (high - low), high - 0.25 * (high - low))


def _flat_stand(shape: SceneShape, low: float, high: float) -> SolidMesh:
    """A foot behind the links: a triangle with a round head on a bar, as it is drawn on paper."""
    n, tall = shape.numbers, shape.numbers["high"]
    down, side, deep = np.array(n["direction"]), left_of(n["direction"]), high - low
    leg = rounded(tall * np.array([0 * down, 0.9 * down - 0.55 * side, 0.9 * down + 0.55 * side]), 0.28 * tall)
    foot = tall * (np.array([1.1 * down - 1.2 * side, 1.1 * down + 1.2 * side]))
    plate = _along(foot, 0.3 * tall, low - 0.5 * deep, high)
    return join_meshes([mesh.prism(leg, low + 0.2 * deep, high - 0.2 * deep), plate]).transformed((*n["at"], 0.0))


def _flat_turn(shape: SceneShape, low: float, high: float) -> SolidMesh:
    n = shape.numbers
    arc, heads = turn_arcs(np.array(n["at"]), n["radius"], n["senses"])
    top = high + 0.4 * (high - low)
    pieces = [_along(arc, 0.16 * n["radius"], high, top), *(mesh.prism(head, high, top) for head in heads)]
    return join_meshes(pieces)


def _flat_coil(shape: SceneShape, low: float, high: float) -> SolidMesh:
    line = spiral(np.array(shape.numbers["at"]), shape.numbers["radius"])
    return _along(line, 0.15 * shape.numbers["radius"], high, high + 0.4 * (high - low))


FLAT: dict[Kind, Callable[[SceneShape, float, float], SolidMesh]] = {
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
