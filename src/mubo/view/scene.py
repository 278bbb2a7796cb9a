"""What to draw, as plain data: outlines of bodies through their points, pins and sliders, at one time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.elements import JOINTS
from mubo.model import GROUND
from mubo.motion.law import Array
from mubo.results import Trajectory
from mubo.view.edges import edges_of


@dataclass(frozen=True)
class Outline:
    """A body: the positions of its points, in order around their middle, or along it if it is a bar."""

    name: str
    corners: Array
    pose: tuple[float, float, float]
    grounded: bool
    bar: bool


@dataclass(frozen=True)
class Glyph:
    """A joint: its kind, from the first point to the second, and the angle of its axis.

    `driven` is a slider that a driver moves, a ram; `grounded` a joint with the ground.
    """

    name: str
    kind: str
    start: tuple[float, ...]
    at: tuple[float, ...]
    angle: float
    grounded: bool
    driven: bool


@dataclass(frozen=True)
class Curve:
    """A curved edge of a body: a wheel, a cam."""

    body: str
    points: Array
    filled: bool


@dataclass(frozen=True)
class Scene:
    """Everything to draw at one time."""

    outlines: list[Outline]
    curves: list[Curve]
    glyphs: list[Glyph]
    points: dict[str, tuple[float, ...]]


def scene_at(run: Trajectory, row: int) -> Scene:
    """The mechanism at one row of a trajectory."""
    model = run.model
    held = {j.between[0] for j in model.joints.values() if JOINTS[j.kind].anchors} | {GROUND}
    poses = {name: _pose(run, name, row) for name in model.bodies}
    outlines = []
    for name, body in model.bodies.items():
        inner = dict.fromkeys([*body.points.values(), *(p.at for p in model.points.values() if p.body == name)])
        corners = np.array([_place(poses[name], at) for at in inner]).reshape(-1, 2)
        ordered, bar = _ordered(corners)
        outlines.append(Outline(name, ordered, poses[name], name in held, bar))
    glyphs = []
    driven = {driver.of for driver in model.drivers.values()}
    for joint in model.joints.values():
        element = JOINTS[joint.kind]
        if element.key != "between" or element.couples or not element.freedoms:
            continue
        ends = [model.place(reference) for reference in joint.between]
        (first, from_point), (second, at) = ends[0], ends[1]
        axis = joint.options.get("axis", (1.0, 0.0))
        angle = float(np.arctan2(axis[1], axis[0]) + poses[first][2])
        grounded = any(end[0] in held for end in ends)
        start, end = _place(poses[first], from_point), _place(poses[second], at)
        glyphs.append(Glyph(joint.name, joint.kind, start, end, angle, grounded, joint.name in driven))
    points = {p.name: _place(poses[p.body], p.at) for p in model.points.values()}
    curves = [Curve(e.body, _placed(poses[e.body], e.points), e.filled) for e in edges_of(model)]
    return Scene(outlines, curves, glyphs, points)


def _pose(run: Trajectory, body: str, row: int) -> tuple[float, float, float]:
    if body == GROUND:
        return 0.0, 0.0, 0.0
    factor = run.units.angle_factor()
    x, y, phi = (float(run[f"{body}.{c}"][row]) for c in ("x", "y", "phi"))
    return x, y, phi * factor


def _place(pose: tuple[float, float, float], at: tuple[float, ...]) -> tuple[float, ...]:
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return float(pose[0] + c * at[0] - s * at[1]), float(pose[1] + s * at[0] + c * at[1])


def _placed(pose: tuple[float, float, float], points: Array) -> Array:
    """Points of a body in ground axes."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + pose[:2])


def _ordered(corners: Array) -> tuple[Array, bool]:
    """Corners along a bar (narrower than a fiftieth of its length), or by angle around their middle; and which."""
    if len(corners) < 2:
        return corners, False
    offset = corners - corners.mean(axis=0)
    _, size, axes = np.linalg.svd(offset, full_matrices=False)
    if len(corners) == 2 or size[1] < 0.02 * size[0]:
        return corners[np.argsort(offset @ axes[0])], True
    return corners[np.argsort(np.arctan2(*offset.T[::-1]))], False
