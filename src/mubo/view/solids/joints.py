"""Joints in space as small solids by their freedoms, each piece fixed in one of the two bodies.

A hinge is a cylinder about its axis, a ball a ball, a slider a block in a guide as long as its travel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.frames import Frame, frames_of
from mubo.model import GROUND, Joint, Model
from mubo.model.rotation import matrix
from mubo.view.solids.mesh import Mesh, ball, box, cylinder, joined, rod, tube
from mubo.view.solids.poses import Poses


@dataclass(frozen=True)
class Glyph:
    """A piece of a joint: the body it is fixed in, what it is called, its solid in body axes, and if it is a guide."""

    body: str
    name: str
    mesh: Mesh
    guide: bool = False


def joint_in_space(model: Model, joint: Joint, poses: Poses, thick: float) -> list[Glyph]:
    """The pieces of a joint; welds, free joints and massless rods (drawn as links) have none."""
    freedoms = model.kinds[joint.kind].freedoms
    if not freedoms or not model.kinds[joint.kind].hinge or model.kinds[joint.kind].glyph == "free":
        return []
    first, second = frames_of(model, joint)
    slides = [k for k, axis in enumerate("xyz") if f"slide {axis}" in freedoms]
    if joint.kind == "screw":
        slides = [2]
    if not slides:
        return [Glyph(*piece) for piece in _turning(joint, first, second, thick)]
    low, high = _travel(poses, first, second, thick)
    mover = f"joint {joint.name}"
    if len(slides) == 2:
        guide = box(high[0] - low[0], high[1] - low[1], 0.4 * thick).moved(
            [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, -0.8 * thick]
        )
        moving = cylinder(2.2 * thick, 1.2 * thick) if joint.kind == "planar" else ball(1.6 * thick)
    elif joint.kind == "prismatic":
        guide = box(1.5 * thick, 1.5 * thick, high[2] - low[2]).moved([0, 0, (low[2] + high[2]) / 2])
        moving = box(3.6 * thick, 3.6 * thick, 6 * thick)
    else:
        guide = cylinder(0.8 * thick, high[2] - low[2]).moved([0, 0, (low[2] + high[2]) / 2])
        moving = _on_a_rod(joint.kind, thick)
    return [
        Glyph(first.body, f"{mover} guide", guide.moved(first.at, first.axes), guide=True),
        Glyph(second.body, mover, moving.moved(second.at, second.axes)),
    ]


def _turning(joint: Joint, first: Frame, second: Frame, thick: float) -> list[tuple[str, str, Mesh]]:
    name = f"joint {joint.name}"
    on = first if second.body == GROUND else second
    if joint.kind == "universal":
        cross = [(first, first.axes[:, 0]), (second, second.axes[:, 1])]
        arms = [rod(f.at - 3.5 * thick * axis, f.at + 3.5 * thick * axis, 0.9 * thick) for f, axis in cross]
        hub = ball(1.4 * thick).moved(second.at)
        return [(first.body, f"{name} first axis", arms[0]), (second.body, name, joined([arms[1], hub]))]
    if joint.kind == "spherical":
        return [(on.body, name, ball(2.2 * thick).moved(on.at))]
    return [(on.body, name, cylinder(1.5 * thick, 5 * thick).moved(on.at, on.axes))]


def _on_a_rod(kind: str, thick: float) -> Mesh:
    """What runs on a rod: a sleeve, a nut (six corners) on a thread, a bead on a wire."""
    if kind == "point_on_line":
        return ball(1.6 * thick)
    return cylinder(2.2 * thick, 3 * thick, 6) if kind == "screw" else tube(1.9 * thick, 0.9 * thick, 5 * thick)


def _travel(poses: Poses, first: Frame, second: Frame, thick: float) -> tuple[Array, Array]:
    """Least and greatest place of the second point in the frame on the first body, with room at both ends."""
    gap = poses.point(second.body, second.at) - poses.point(first.body, first.at)
    seen = np.einsum("nji,nj->ni", matrix(poses.turn[first.body]), gap) @ first.axes
    return seen.min(axis=0) - 5 * thick, seen.max(axis=0) + 5 * thick
