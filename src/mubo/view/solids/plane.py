"""A planar mechanism as solids: flat links in layers, so that they pass each other, pins through them, guides.

Heights are drawn only: every body keeps z = 0, as in the table.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.elements import JOINTS
from mubo.model import GROUND, Joint, Model
from mubo.view.solids.joints import Glyph
from mubo.view.solids.mesh import box, cylinder
from mubo.view.solids.poses import Poses

Layers = dict[str, tuple[float, float]]
GAP = 0.15  # between layers, of their height
APART = 0.01  # between bodies of one layer, of its height: faces in one plane would flicker


def layers_of(model: Model, standing: set[str], height: float) -> Layers:
    """Lowest and highest z of every body: standing ones at the back, bodies that share a joint in different layers."""
    near: dict[str, set[str]] = {name: set() for name in model.bodies}
    for joint in model.joints.values():
        ends = {reference.partition(".")[0] for reference in joint.between}
        for name in ends:
            near[name] |= ends - {name}
    level: dict[str, int] = {}
    for name in model.bodies:
        taken = {level[other] for other in near[name] if other in level and other not in standing}
        level[name] = -1 if name in standing else next(k for k in range(len(near) + 1) if k not in taken)
    middle = max(level.values()) / 2
    out = {}
    for number, (name, k) in enumerate(level.items()):
        low = (k - middle - 0.5) * height * (1 + GAP) + number * APART * height
        out[name] = (low, low + height)
    return out


def joint_in_plane(model: Model, joint: Joint, poses: Poses, layers: Layers, thick: float) -> list[Glyph]:
    """The pieces of a joint; couplings have none, their wheels and cams belong to the bodies."""
    element = JOINTS[joint.kind]
    if element.key != "between" or element.couples or not element.freedoms or joint.kind in ("distance", "circle"):
        return []
    ends = [model.place(reference) for reference in joint.between]
    low, high = min(layers[b][0] for b, _ in ends), max(layers[b][1] for b, _ in ends)
    room = 0.25 * (layers[ends[0][0]][1] - layers[ends[0][0]][0])
    body, at = next(((b, p) for b, p in ends[::-1] if b != GROUND), ends[-1])
    pin = cylinder(0.55 * thick, high - low + 2 * room).moved((*at, (low + high) / 2))
    if joint.kind == "revolute":
        return [Glyph(body, f"joint {joint.name}", pin)]
    (first, from_point), (second, to_point) = ends[0], ends[1]
    axis = np.array(joint.options.get("axis", (1.0, 0.0)), float)
    axis /= np.hypot(*axis)
    turned = np.array([[axis[0], -axis[1], 0], [axis[1], axis[0], 0], [0, 0, 1.0]])
    start, end = _travel(poses, ends, axis, thick)
    under, over = layers[first]
    place = np.array(from_point) + (start + end) / 2 * axis
    guide = box(end - start, 1.1 * thick, 0.5 * (over - under)).moved((*place, (under + over) / 2), turned)
    out = [Glyph(first, f"joint {joint.name} guide", guide, guide=True)]
    if joint.kind == "slot":
        return [*out, Glyph(second, f"joint {joint.name}", pin)]
    block = box(5 * thick, 2.8 * thick, high - low + room).moved((0.0, 0.0, 0.0), _seen(poses, first, second) @ turned)
    return [*out, Glyph(second, f"joint {joint.name}", block.moved((*to_point, (low + high) / 2)))]


def _seen(poses: Poses, first: str, second: str) -> Array:
    """The first body's axes in the second's, at the first row: a slider keeps their angle."""
    angle = [2 * np.arctan2(poses.turn[name][0, 3], poses.turn[name][0, 0]) for name in (first, second)]
    c, s = np.cos(angle[0] - angle[1]), np.sin(angle[0] - angle[1])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _travel(poses: Poses, ends: list[tuple[str, tuple[float, ...]]], axis: Array, thick: float) -> tuple[float, float]:
    """Where the guide starts and ends, along the axis from the first point."""
    (first, at), (second, on) = ends[0], ends[1]
    tip = poses.point(first, np.array([*(np.array(at) + axis), 0.0]))
    start = poses.point(first, np.array([*at, 0.0]))
    gap = np.sum((poses.point(second, np.array([*on, 0.0])) - start) * (tip - start), axis=1)
    return float(gap.min()) - 4 * thick, float(gap.max()) + 4 * thick
