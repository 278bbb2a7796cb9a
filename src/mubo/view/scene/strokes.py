"""Strokes, of which a planar picture and the page's drawing consist: lines and areas fixed in a body or on a reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.view.scene.data import Kind, Paint, Scene, SceneShape, Stretch
from mubo.view.scene.outlines import (
    around,
    arrow,
    circle,
    dashed_circle,
    hatching,
    left_of,
    rectangle,
    rounded,
    spiral,
    turn_arcs,
    zigzag,
)

BACK, GUIDES, WHEELS, LINKS, GLYPHS, PINS = range(6)  # what is drawn over what; paths lie between links and glyphs
FINE, THIN, FIRM = 0.8, 1.2, 1.5  # widths of lines, in points of the paper


@dataclass(frozen=True)
class Stroke:
    """A line or an area in the axes of its frame. NaN parts a line; an area is closed by its first corner at its end.

    `face` and `edge` are tones, None for none: "own" (the body's colour), "pale" (with white), "faint" (which lets
    through what is behind it), "frame", "steel", "load", "ink", "paper". `line` is the width of the edge in points of
    the paper.
    """

    points: Array
    layer: int
    face: str | None
    edge: str | None
    line: float = THIN
    name: str = ""
    frame: str = ""
    stretch: Stretch = Stretch.NONE


def strokes_of(scene: Scene) -> list[Stroke]:
    """All strokes of a planar scene, those drawn first before the others."""
    out = [
        replace(stroke, name=shape.name, frame=shape.frame, stretch=shape.stretch)
        for shape in scene.shapes
        for stroke in STROKES[shape.kind](shape)
    ]
    return sorted(out, key=lambda stroke: stroke.layer)


Strokes = Iterator[Stroke]
EDGE = {Paint.OWN: "own", Paint.FRAME: "frame", Paint.STEEL: "ink", Paint.INK: "ink", Paint.LOAD: "load"}
EDGE |= {Paint.FORCE: "own", Paint.OPEN: "own"}
FACE = {Paint.OWN: "pale", Paint.FRAME: "paper", Paint.STEEL: "steel", Paint.INK: "ink", Paint.LOAD: "load"}
FACE |= {Paint.FORCE: "own", Paint.OPEN: "paper"}
ACTING = (Paint.LOAD, Paint.FORCE, Paint.OPEN)


def _edge(shape: SceneShape) -> str:
    return EDGE[shape.paint]


def _arrow_edge(shape: SceneShape) -> str | None:
    """Shaft and head of an arrow meet without a seam, and a shaft of no length is nothing: only outlines have edges."""
    return None if shape.paint in (Paint.LOAD, Paint.FORCE) else _edge(shape)


def _face(shape: SceneShape) -> str:
    return FACE[shape.paint]


def _bar(shape: SceneShape) -> Strokes:
    yield Stroke(rounded(shape.numbers["points"], shape.numbers["radius"]), LINKS, _face(shape), _edge(shape))


def _plate(shape: SceneShape) -> Strokes:
    """Its points, and what is within its radius of them: behind bars, so that none vanishes under it."""
    yield Stroke(rounded(shape.numbers["points"], shape.numbers["radius"]), WHEELS, _pale(shape), _edge(shape))


def _disc(shape: SceneShape) -> Strokes:
    yield Stroke(_closed(shape.numbers["outline"]), WHEELS, _pale(shape), _edge(shape))


def _gear(shape: SceneShape) -> Strokes:
    """Teeth, filled, with the pitch circle in dashes; a ring gear is what lies between its teeth and its rim."""
    outline = shape.numbers["outline"]
    pitch = Stroke(
        dashed_circle(np.array(shape.numbers["at"]), shape.numbers["pitch"]), WHEELS, None, _edge(shape), FINE
    )
    if "rim" not in shape.numbers:
        yield Stroke(outline, WHEELS, _pale(shape), _edge(shape))
        yield pitch
        return
    rim = shape.numbers["rim"]  # what lies between it and the teeth, by a path to it and back; then both edges
    yield Stroke(np.vstack([rim, outline[::-1], rim[:1]]), BACK, _pale(shape), None)
    yield Stroke(rim, BACK, None, _edge(shape))
    yield Stroke(outline, BACK, None, _edge(shape))
    yield replace(pitch, layer=BACK)


def _pale(shape: SceneShape) -> str:
    return "shade" if shape.paint == Paint.FRAME else "faint"


def _rack(shape: SceneShape) -> Strokes:
    line, foot = shape.numbers["outline"], shape.numbers["back"]
    yield Stroke(np.vstack([line, foot[::-1], line[:1]]), LINKS, _face(shape), _edge(shape))


def _line(shape: SceneShape) -> Strokes:
    layer = GUIDES if shape.paint == Paint.FRAME else LINKS
    yield Stroke(shape.numbers["points"], layer, None, _edge(shape), THIN)
    if "hatch" in shape.numbers:
        yield Stroke(hatching(shape.numbers["points"], shape.numbers["hatch"]), layer, None, _edge(shape), FINE)


def _box(shape: SceneShape) -> Strokes:
    a, b = shape.numbers["size"][:2]
    along = around(np.array([shape.numbers["turned"]]))[0]
    layer = PINS if shape.paint == Paint.INK else GLYPHS
    yield Stroke(rectangle(shape.numbers["at"], along, a / 2, b / 2), layer, _face(shape), _edge(shape))


def _cylinder(shape: SceneShape) -> Strokes:
    n = shape.numbers
    along = around(np.array([n["turned"]]))[0]
    yield Stroke(rectangle(n["at"], along, n["length"] / 2, n["radius"]), GLYPHS, _face(shape), _edge(shape))


def _pin(shape: SceneShape) -> Strokes:
    yield Stroke(circle(np.array(shape.numbers["at"]), shape.numbers["radius"]), PINS, "paper", "ink")


def _slot(shape: SceneShape) -> Strokes:
    """A slot, with hatching around it where it is in the frame."""
    ends, radius = np.array([shape.numbers["start"], shape.numbers["end"]]), shape.numbers["radius"]
    ring = rounded(ends, radius)
    if shape.paint == Paint.FRAME:
        yield Stroke(hatching(ring, 0.7 * radius), GUIDES, None, _edge(shape), FINE)
    yield Stroke(ring, GUIDES if shape.paint == Paint.FRAME else GLYPHS, "paper", _edge(shape), FIRM)


def _rail(shape: SceneShape) -> Strokes:
    """The sides of a guide, with hatching away from it where it is in the frame."""
    n = shape.numbers
    along = n["end"] - n["start"]
    across = n["gap"] * left_of(along / np.hypot(*along))
    for side in n.get("sides", (-1, 1)):
        line = np.array([n["start"], n["end"]])[:: -int(side)] + side * across
        yield Stroke(line, GUIDES, None, _edge(shape), FIRM if shape.paint == Paint.OWN else THIN)
        if shape.paint == Paint.FRAME:
            yield Stroke(hatching(line, 1.8 * n["radius"]), GUIDES, None, _edge(shape), FINE)


def _stand(shape: SceneShape) -> Strokes:
    """A pedestal on hatched ground."""
    n = shape.numbers
    at, down, side = np.array(n["at"]), n["high"] * n["direction"], 0.75 * n["high"] * left_of(n["direction"])
    yield Stroke(at + np.array([0 * down, down + side, down - side, 0 * down]), GUIDES, "paper", _edge(shape))
    base = at + down + 1.5 * np.outer([-1, 1], side)
    yield Stroke(base, GUIDES, None, _edge(shape))
    yield Stroke(hatching(base, 0.3 * n["high"]), GUIDES, None, _edge(shape), FINE)


def _rod(shape: SceneShape) -> Strokes:
    """A bar between the ends; the shaft of an arrow lies over pins, and is open where its head follows."""
    r = shape.numbers["radius"]
    ring = np.array([[1, -r], [0, -r], [0, r], [1, r]])
    if shape.paint in ACTING:
        yield Stroke(ring, PINS, _face(shape), _arrow_edge(shape), FINE)
    else:
        yield Stroke(_closed(ring), LINKS, _face(shape), _edge(shape), FINE)


def _spring(shape: SceneShape) -> Strokes:
    yield Stroke(zigzag(shape.numbers["radius"]), GLYPHS, None, _edge(shape), FIRM)


def _ram(shape: SceneShape) -> Strokes:
    length, r = shape.numbers["length"], shape.numbers["radius"]
    barrel = np.array([[0, -r], [length, -r], [length, r], [0, r], [0, -r]])
    yield Stroke(barrel, GLYPHS, _face(shape), _edge(shape))


def _arrow(shape: SceneShape) -> Strokes:
    line = arrow(shape.numbers["length"], shape.numbers["radius"])
    yield Stroke(line, PINS, _face(shape), _arrow_edge(shape), FINE)


def _turn(shape: SceneShape) -> Strokes:
    n = shape.numbers
    arc, heads = turn_arcs(np.array(n["at"]), n["radius"], n["senses"])
    yield Stroke(arc, PINS, None, _edge(shape), FIRM)
    for head in heads:
        yield Stroke(head, PINS, _face(shape), _edge(shape), FINE)


def _coil(shape: SceneShape) -> Strokes:
    yield Stroke(spiral(np.array(shape.numbers["at"]), shape.numbers["radius"]), PINS, None, _edge(shape), THIN)


def _closed(points: Array) -> Array:
    return points if np.allclose(points[0], points[-1]) else np.vstack([points, points[:1]])


STROKES: dict[Kind, Callable[[SceneShape], Strokes]] = {
    Kind.BAR: _bar,
    Kind.PLATE: _plate,
    Kind.DISC: _disc,
    Kind.GEAR: _gear,
    Kind.RACK: _rack,
    Kind.LINE: _line,
    Kind.BOX: _box,
    Kind.CYLINDER: _cylinder,
    Kind.BALL: _pin,
    Kind.PIN: _pin,
    Kind.SLOT: _slot,
    Kind.RAIL: _rail,
    Kind.STAND: _stand,
    Kind.ROD: _rod,
    Kind.SPRING: _spring,
    Kind.RAM: _ram,
    Kind.ARROW: _arrow,
    Kind.TURN: _turn,
    Kind.COIL: _coil,
}
