"""What joints look like in space: facets fixed in a body, by name of the body and colour."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import frame_about, matrix
from mubo.view.facets import Facets, ball, block, cylinder, rod
from mubo.view.scene import Scene, SceneJoint
from mubo.view.scene.motion import STANDING

Part = tuple[str, str, Facets]  # body, colour, facets
STEEL, STAND = "#b9bec4", "#9aa0a6"


def joint_parts(scene: Scene, joint: SceneJoint, thick: float) -> list[Part]:
    """The glyph of a joint; joints that nothing shows (free, weld) have none."""
    first, second = joint.first, joint.second
    along = frame_about(joint.axis)
    at, on = np.array(first.at), np.array(second.at)
    parts: list[Part] = []
    if joint.grounded:
        parts += _stand(scene, joint, thick)
    if joint.kind == "distance":  # a rod, or a leg of driven length: a ball at either end
        for end, place in ((first, at), (second, on)):
            parts.append((end.body, STEEL, ball(1.7 * thick).moved(place)))
    elif joint.glyph in ("hinge", "cross"):
        parts.append((first.body, STEEL, cylinder(1.7 * thick, 6 * thick).moved(at, along)))
    elif joint.glyph == "ball":
        parts.append((second.body, STEEL, ball(2.0 * thick).moved(on)))
    elif joint.glyph in ("slider", "cylinder", "screw", "slot", "ram"):
        low, high = joint.travel or (0.0, 0.0)
        u = np.array(joint.axis)
        ends = at + (low - 5 * thick) * u, at + (high + 5 * thick) * u
        if joint.glyph == "ram":
            ends = at, at + max(0.72 * low, 4 * thick) * u
        parts.append((first.body, STEEL, rod(*ends, (1.7 if joint.glyph == "ram" else 0.6) * thick)))
        parts.append((second.body, scene.body(second.body).colour, _block(scene, joint, thick).moved(on)))
    elif joint.glyph == "plane":
        sheet = block(24 * thick, 24 * thick, 0.3 * thick, 5)
        parts.append((first.body, STEEL, sheet.moved(at, along)))
        parts.append((second.body, scene.body(second.body).colour, ball(2.0 * thick).moved(on)))
    return parts


def _block(scene: Scene, joint: SceneJoint, thick: float) -> Facets:
    """What slides: a box, round where it may turn too; its axis as seen from the second body at the first row."""
    turn = [matrix(scene.poses.get(end.body, STANDING[3][None])[0, 3:]) for end in (joint.first, joint.second)]
    axes = frame_about(tuple(turn[1].T @ turn[0] @ np.array(joint.axis)))
    if joint.glyph in ("slider", "ram"):
        return block(4 * thick, 4 * thick, 7 * thick).moved(np.zeros(3), axes)
    if joint.glyph == "slot":
        return ball(2.2 * thick)
    return cylinder(2.2 * thick, 7 * thick).moved(np.zeros(3), axes)


def _stand(scene: Scene, joint: SceneJoint, thick: float) -> list[Part]:
    """A plate that holds a joint of the frame, on the side away from the mechanism."""
    end = joint.first if scene.body(joint.first.body).fixed else joint.second
    if joint.glyph in ("free", "plane", "weld"):
        return []
    up = np.array(scene.up)
    middle = (np.array(scene.box[0]) + np.array(scene.box[1])) / 2
    side = 1.0 if (np.array(end.at) - middle) @ up > 0 else -1.0
    plate = block(9 * thick, 9 * thick, 1.2 * thick).moved(np.zeros(3), frame_about(tuple(up)))
    return [(end.body, STAND, plate.moved(np.array(end.at) + side * 2.4 * thick * up))]


def coil(start: Array, end: Array, radius: float, turns: int = 9) -> Array:
    """A helix from start to end with straight ends."""
    along = end - start
    length = float(np.linalg.norm(along))
    axes = frame_about(tuple(along)) if length > 0 else np.eye(3)
    part = np.linspace(0, 1, 12 * turns + 1)
    wide = radius * np.clip(np.minimum(part, 1 - part) / 0.06 - 1.2, 0, 1)
    angle = 2 * np.pi * turns * part
    local = np.column_stack([wide * np.cos(angle), wide * np.sin(angle), length * part])
    return np.asarray(start + local @ axes.T)
