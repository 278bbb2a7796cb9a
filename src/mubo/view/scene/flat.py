"""Shapes of planar bodies: bars and plates through their points, wheels, cams, belts, axes of bodies without points."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Model
from mubo.view.edges import edges_of, shaft
from mubo.view.scene.data import Shape

BAR = 0.02  # a body narrower than this part of its length is a bar
AXES = 0.1  # length of the axes of a body without points, of the size of the scene


def flat_shapes(model: Model, teeth: dict[str, list[Array]], size: float) -> dict[str, tuple[Shape, ...]]:
    """Shapes by body, in body axes."""
    shapes: dict[str, list[Shape]] = {name: [] for name in model.bodies}
    for name, body in model.bodies.items():
        inner = dict.fromkeys([*body.points.values(), *(p.at for p in model.points.values() if p.body == name)])
        if len(inner) > 1 and name != GROUND:
            ordered, bar = outline(np.array(list(inner)))
            shapes[name].append(Shape("bar" if bar else "plate", {"points": ordered}))
    for edge in edges_of(model):
        shapes[edge.body].append(Shape("curve", {"points": edge.points, "filled": edge.filled}))
    for body_name, curves in teeth.items():
        shapes[body_name] += [Shape("curve", {"points": points, "filled": False}) for points in curves]
    for body_name, line in _belts(model):
        shapes[body_name].append(Shape("curve", {"points": line, "filled": False}))
    joined = {end.partition(".")[0] for joint in model.joints.values() for end in joint.between if "." in end}
    for name, held in shapes.items():
        if not held and name not in joined and name != GROUND:
            held.append(_axes(AXES * size))
    return {name: tuple(held) for name, held in shapes.items()}


def outline(corners: Array) -> tuple[Array, bool]:
    """Corners along a bar, or by angle around their middle; and whether it is a bar."""
    offset = corners - corners.mean(axis=0)
    _, size, axes = np.linalg.svd(offset, full_matrices=False)
    if len(corners) == 2 or size[1] < BAR * size[0]:
        return corners[np.argsort(offset @ axes[0])], True
    return corners[np.argsort(np.arctan2(*offset.T[::-1]))], False


def _axes(length: float) -> Shape:
    """The origin with the x axis, an arrow, and half as long the y axis."""
    tip = 0.14 * length
    line = [(0, 0.5 * length), (0, 0), (length, 0), (length - tip, 0.5 * tip), (length, 0), (length - tip, -0.5 * tip)]
    return Shape("curve", {"points": np.array(line, float), "filled": False})


def _belts(model: Model) -> list[tuple[str, Array]]:
    """The straight runs of belts, fixed in the body that carries both wheels (common tangents of two circles)."""
    out = []
    for joint in model.joints.values():
        if joint.kind != "belt":
            continue
        carrier = joint.options.get("carrier", GROUND)
        centres = [_on_carrier(model, body, carrier) for body in joint.between]
        first, second = joint.options["radii"]
        crossed = joint.options.get("run", "open") == "crossed"
        along = centres[1] - centres[0]
        distance = float(np.hypot(*along))
        gap = first + second if crossed else first - second
        if distance <= abs(gap):
            continue  # wheels that overlap have no such tangent
        tilt = np.arccos(gap / distance)
        heading = np.arctan2(along[1], along[0])
        for side in (-1, 1):
            normal = np.array([np.cos(heading + side * tilt), np.sin(heading + side * tilt)])
            out.append(
                (
                    carrier,
                    np.array([centres[0] + first * normal, centres[1] + (-1 if crossed else 1) * second * normal]),
                )
            )
    return out


def _on_carrier(model: Model, body: str, carrier: str) -> Array:
    """Where a wheel's pin sits on its carrier, in the carrier's axes."""
    for joint in model.joints.values():
        ends = {end.partition(".")[0]: end for end in joint.between}
        if joint.kind == "revolute" and {body, carrier} <= set(ends):
            return np.array(model.place(ends[carrier])[1])
    return np.array(shaft(model, body, carrier))
