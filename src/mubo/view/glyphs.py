"""What joints and springs look like in the plane.

Sizes are in points of the paper; `unit` is the length of one point in the mechanism's own length.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.view.scene import End, Scene, SceneJoint
from mubo.view.strokes import CIRCLE, GLYPHS, GUIDES, LINKS, PINS, Drawn, Stretch, Stroke
from mubo.view.style import GROUND_COLOUR, INK, QUIET, tint


def joint_strokes(joint: SceneJoint, scene: Scene, width: float, unit: float) -> list[Drawn]:
    """The glyph of a joint."""
    if joint.glyph == "ram":
        return _ram(joint, width * unit)
    if joint.glyph in ("slider", "slot"):
        return _guide(joint, scene, width * unit)
    out: list[Drawn] = []
    if joint.glyph == "rod":
        out.append(Stretch(joint.first, joint.second, _line, LINKS, None, QUIET, max(0.4 * width, 1.6)))
        out.append(_pin(joint.first, width * unit))
    if joint.glyph in ("pin", "rod", "ring"):
        if joint.grounded and joint.glyph == "pin":
            out += _support(joint, scene, max(1.5 * width, 9.0) * unit)
        out.append(_pin(joint.second, width * unit))
        if joint.driven:
            out += _turning(joint, scene, max(1.1 * width, 7.0) * unit)
    if joint.glyph == "weld":
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * 0.42 * width * unit
        out.append(Stroke(joint.second.body, joint.second.at + square, PINS, INK, INK, 0.8))
    return out


def spring_strokes(first: End, second: End, size: float) -> list[Drawn]:
    """A coil between two places."""
    return [Stretch(first, second, lambda a, b: _coil(a, b, size), GLYPHS, None, INK, 1.3)]


def _line(start: Array, end: Array) -> Array:
    return np.array([start, end])


def _pin(end: End, width: float) -> Stroke:
    return Stroke(end.body, end.at + 0.36 * max(width, 0) * CIRCLE, PINS, "#ffffff", INK, 1.1)


def _fixed_end(joint: SceneJoint, scene: Scene) -> End:
    return joint.first if scene.body(joint.first.body).fixed else joint.second


def _support(joint: SceneJoint, scene: Scene, high: float) -> list[Drawn]:
    """A pedestal with hatching under a pin in the frame."""
    end = _fixed_end(joint, scene)
    at, half = np.array(end.at), 0.75 * high
    foot = np.array([[0, 0], [-half, -high], [half, -high], [0, 0]])
    base = np.array([[-1.5 * half, -high], [1.5 * half, -high]])
    out: list[Drawn] = [Stroke(end.body, at + foot, GUIDES, "#ffffff", GROUND_COLOUR, 1.2)]
    return [*out, *_hatched(end.body, at + base, 0.3 * high)]


def _hatched(body: str, line: Array, deep: float) -> list[Drawn]:
    """The ground: a line, with short strokes on its right-hand side when walked from end to start."""
    along = line[1] - line[0]
    length = float(np.hypot(*along))
    u = along / length
    down = np.array([u[1], -u[0]])
    count = int(np.clip(round(length / (0.9 * deep)), 3, 200))
    starts = line[0] + np.outer((np.arange(count) + 0.75) / count, along)
    comb = np.full((3 * count, 2), np.nan)
    comb[0::3], comb[1::3] = starts, starts + deep * (down - 0.7 * u)
    return [
        Stroke(body, line, GUIDES, None, GROUND_COLOUR, 1.2),
        Stroke(body, comb, GUIDES, None, GROUND_COLOUR, 0.8),
    ]


def _turning(joint: SceneJoint, scene: Scene, radius: float) -> list[Drawn]:
    """An arrow around a driven pin in the sense in which it turns, with two heads if it swings; fixed in the frame."""
    end = _fixed_end(joint, scene) if joint.grounded else joint.second
    angle = np.radians(np.linspace(140, 400, 31))
    out: list[Drawn] = [Stroke(end.body, end.at + radius * _around(angle), PINS, None, INK, 1.3)]
    for last, sense in zip((angle[-1], angle[0]), (1.0, -1.0), strict=True):
        if sense in _senses(joint, scene):
            u, n = sense * _around(np.array([last + np.pi / 2]))[0], _around(np.array([last]))[0]
            head = np.array([0.5 * u, -0.2 * u + 0.33 * n, -0.2 * u - 0.33 * n, 0.5 * u])
            out.append(Stroke(end.body, end.at + radius * (n + head), PINS, INK, INK, 0.6))
    return out


def _around(angle: Array) -> Array:
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _senses(joint: SceneJoint, scene: Scene) -> tuple[float, ...]:
    """1 for counter-clockwise, −1 for clockwise: those in which the second body turns against the first."""
    angles = [scene.poses[end.body][:, 2] if end.body in scene.poses else 0.0 for end in (joint.first, joint.second)]
    steps = np.diff(np.atleast_1d(angles[1] - angles[0]))
    sense = -1.0 if scene.body(joint.second.body).fixed else 1.0
    steps = sense * steps[np.isfinite(steps)]
    far = np.max(np.abs(steps), initial=0.0)
    return tuple(s for s in (1.0, -1.0) if np.any(s * steps > 1e-6 * far)) or (1.0,)


def _ram(joint: SceneJoint, width: float) -> list[Drawn]:
    """A hydraulic cylinder: a barrel that keeps its length and a rod that comes out of it."""
    low = joint.travel[0] if joint.travel else 1.0
    barrel = 0.72 * low

    def rod(start: Array, end: Array) -> Array:
        length = max(float(np.hypot(*(end - start))), 1e-300)
        return np.array([start + (end - start) * 0.9 * barrel / length, end])

    def tube(start: Array, end: Array) -> Array:
        u = (end - start) / max(float(np.hypot(*(end - start))), 1e-300)
        n = 0.62 * width * np.array([-u[1], u[0]])
        head = start + barrel * u
        return np.array([start + n, head + n, head - n, start - n, start + n])

    style = (joint.first, joint.second)
    return [
        Stretch(*style, rod, LINKS, None, QUIET, 3.0),
        Stretch(*style, tube, GLYPHS, "#dcdcdc", INK, 1.1),
        _pin(joint.first, width),
        _pin(joint.second, width),
    ]


def _guide(joint: SceneJoint, scene: Scene, width: float) -> list[Drawn]:
    """A block between rails, or a pin in a slot; rails in the first body, as long as the motion needs them."""
    u = np.array(joint.axis)
    n = np.array([-u[1], u[0]])
    body = scene.body(joint.first.body)
    colour = GROUND_COLOUR if body.fixed else body.colour
    half, high = (1.5 * width, 0.8 * width) if joint.glyph == "slider" else (0.75 * width, 0.6 * width)
    low, far = joint.travel or (0.0, 0.0)
    start, end = joint.first.at + (low - 1.5 * half) * u, joint.first.at + (far + 1.5 * half) * u
    out: list[Drawn] = []
    if joint.glyph == "slot":
        arc = np.linspace(np.pi / 2, 3 * np.pi / 2, 13)
        cap = np.outer(np.cos(arc), u) + np.outer(np.sin(arc), n)
        ring = np.vstack([start + high * cap, end - high * cap])
        ring = np.vstack([ring, ring[:1]])
        return [Stroke(body.name, ring, GLYPHS, "#ffffff", colour, 1.4), _pin(joint.second, width)]
    for side in (-1, 1):
        rail = np.array([start, end]) + side * (high + 0.12 * width) * n
        if body.fixed:
            out += _hatched(body.name, rail if side < 0 else rail[::-1], 0.55 * width)
        else:
            out.append(Stroke(body.name, rail, GUIDES, None, colour, 1.4))
    return [*out, _block(joint, scene, half, high)]


def _block(joint: SceneJoint, scene: Scene, half: float, high: float) -> Stroke:
    """The sliding block. A slider does not turn in its guide, so the block is fixed in the second body."""
    colour = scene.body(joint.second.body).colour
    turn = _angle(scene, joint.first.body) - _angle(scene, joint.second.body)
    c, s = np.cos(turn), np.sin(turn)
    u = np.array([[c, -s], [s, c]]) @ joint.axis
    n = np.array([-u[1], u[0]])
    corners = [sx * half * u + sy * high * n for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
    box = np.array(joint.second.at) + np.array(corners)
    return Stroke(joint.second.body, box, GLYPHS, tint(colour, 0.72), colour, 1.3)


def _angle(scene: Scene, body: str) -> float:
    """The first angle of a body that is known."""
    angles = scene.poses[body][:, 2] if body in scene.poses else np.zeros(1)
    known = angles[np.isfinite(angles)]
    return float(known[0]) if len(known) else 0.0


def _coil(start: Array, end: Array, size: float, turns: int = 8) -> Array:
    """A zigzag with straight ends."""
    along = end - start
    length = max(float(np.hypot(*along)), 1e-300)
    n = np.array([-along[1], along[0]]) / length
    part = np.array([0.0, 0.18, *(0.18 + 0.64 * (np.arange(2 * turns) + 0.5) / (2 * turns)), 0.82, 1.0])
    out = np.array([0.0, 0.0, *(size * (-1.0) ** np.arange(2 * turns)), 0.0, 0.0])
    return np.asarray(start + np.outer(part, along) + np.outer(out, n))
