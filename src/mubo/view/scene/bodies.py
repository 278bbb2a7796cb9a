"""Bodies as shapes in their own axes: the solid that the model gives, else bars and plates through their points."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import hull
from mubo.geometry.rotation import axis_of, frame_about, matrix, of_matrix, product
from mubo.geometry.shapes import Shape as Solid
from mubo.model import GROUND
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.outlines import STRAIGHT, circle, corners_of_plate, left_of
from mubo.view.scene.plan import Plan

FORK = 5.0  # how far a fork holds its shaft from a cross, of the half width of a link
AXES = 0.1  # length of the axes of a body without points in space, of the size of the scene
SEGMENT = 0.25  # length of a body without points in the plane, of the size of the scene
ADDED = 3.0  # radius of a point mass, of the half width of a link
SHEET = 0.3  # thickness of a plate, of the half width of a link: it has none of its own


def body_shapes(plan: Plan, name: str) -> list[SceneShape]:
    """The shapes of a body; none where joints show all there is of it."""
    if name == GROUND:
        return []
    return _in_plane(plan, name) if plan.dimension == 2 else [*_in_space(plan, name), *_point_masses(plan, name)]


def bare_shapes(plan: Plan, name: str) -> list[SceneShape]:
    """A body without points and joints: in the plane a segment along its x axis, in space its axes."""
    if plan.dimension == 2:
        return _segment(plan, name)
    length = AXES * plan.size
    tips = length * (0.5 + 0.5 * np.eye(plan.dimension)[0])[:, None] * np.eye(plan.dimension)
    radius = 0.3 * min(plan.thick, 0.05 * length / 0.3)
    return [_shape(plan, name, Kind.BAR, points=np.array([0 * tip, tip]), radius=radius) for tip in tips]


def _segment(plan: Plan, name: str) -> list[SceneShape]:
    """A limb: thicker at the end of the positive x axis, with a pin at both ends; its length is that of the drawing."""
    length = SEGMENT * plan.size
    ends = [(np.array([0.5 * length, 0.0]), 0.13 * length), (np.array([-0.5 * length, 0.0]), 0.09 * length)]
    outline = hull(np.concatenate([circle(at, radius, 40) for at, radius in ends]))
    pins = [_shape(plan, name, Kind.PIN, at=at, radius=0.3 * radius) for at, radius in ends]
    return [_shape(plan, name, Kind.DISC, outline=outline), *pins]


def line_through(points: Array) -> Array | None:
    """The points in their order along a line; None if they do not lie on one."""
    offset = points - points.mean(axis=0)
    _, size, axes = np.linalg.svd(offset, full_matrices=False)
    if len(points) > 2 and len(size) > 1 and size[1] > STRAIGHT * size[0]:
        return None
    return np.asarray(points[np.argsort(offset @ axes[0])])


def _shape(plan: Plan, name: str, kind: Kind, **numbers: object) -> SceneShape:
    return SceneShape(kind, name, name, numbers, heights=plan.heights[name])


def _in_plane(plan: Plan, name: str) -> list[SceneShape]:
    """A disc as the model says; other shapes of the plane go along the points, as bars and plates do without them."""
    solid = plan.model.bodies[name].shape
    if solid is None or "radius" not in solid.sizes or name in plan.standing:
        return _along_points(plan, name)
    disc = circle(plan.centre(name), solid.sizes["radius"], 90)
    return [_shape(plan, name, Kind.DISC, outline=disc), *_along_points(plan, name)]


def _along_points(plan: Plan, name: str) -> list[SceneShape]:
    points = plan.points(name)
    if len(points) < 2:
        return []
    if name in plan.features.faces and name not in plan.standing:
        return _follower(plan, name, points)
    line = line_through(points)
    if name in plan.standing:
        ring = np.vstack([points, points[:1]]) if line is None else line
        return [SceneShape(Kind.LINE, name, name, {"points": ring, "width": 0.3 * plan.thick}, Paint.FRAME)]
    if line is not None:
        bar = _shape(plan, name, Kind.BAR, points=line, radius=_half_width(plan, name))
        return [] if name in plan.features.toothed else [bar]
    return [_shape(plan, name, Kind.PLATE, points=points, radius=_half_width(plan, name))]


def _half_width(plan: Plan, name: str) -> float:
    """Half the width of a link: that of its shape, where it has one."""
    shape = plan.model.bodies[name].shape
    return shape.sizes["width"] / 2 if shape is not None and shape.kind == "link" else plan.thick


def _follower(plan: Plan, name: str, points: Array) -> list[SceneShape]:
    """The body of a flat face that lies on a cam: a foot along the face, and a stem from it to every other point."""
    at, normal, reach = plan.features.faces[name]
    across = left_of(normal)
    high, along = (points - at) @ normal, (points - at) @ across
    on_face = np.abs(high) < STRAIGHT * np.max(np.abs(points - at))
    side = 1.0 if high.sum() >= 0 else -1.0
    low, far = min(-reach, *along[on_face], 0.0), max(reach, *along[on_face], 0.0)
    foot = at + side * plan.thick * normal + np.outer([low, far], across)
    stems = [np.array([at + side * plan.thick * normal, point]) for point in points[~on_face]]
    return [_shape(plan, name, Kind.BAR, points=line, radius=plan.thick) for line in (*stems, foot)]


def _in_space(plan: Plan, name: str) -> list[SceneShape]:
    body, points, centre = plan.model.bodies[name], plan.points(name), plan.centre(name)
    thick = plan.thick
    if body.shape is not None:
        middle = np.array(body.shape.at) if body.shape.at else centre
        local = (points - middle) @ matrix(body.shape.turn)
        arms = [p for p, own in zip(points, local, strict=True) if not _inside(body.shape, own, thick)]
        return [_solid(plan, name, body.shape), *(_bar(plan, name, middle, p, 0.6) for p in arms)]
    if len(points) == 0:
        return [_shape(plan, name, Kind.BALL, at=centre, radius=2.0 * thick), *bare_shapes(plan, name)]
    if len(sheet := corners_of_plate(points)):
        return [_shape(plan, name, Kind.PLATE, points=sheet, radius=thick, deep=1.2 * thick)]
    hub = hub_of(plan, name)
    rods = _star(plan, name, points, hub)
    if body.own.mass is not None or not rods:
        rods.append(_shape(plan, name, Kind.BALL, at=hub, radius=1.9 * thick))
    return rods


def _point_masses(plan: Plan, name: str) -> list[SceneShape]:
    """Point masses at points of a body in space, as balls."""
    body = plan.model.bodies[name]
    at = [np.asarray(body.points[point], float) for point in body.added]
    return [_shape(plan, name, Kind.BALL, at=place, radius=ADDED * plan.thick) for place in at]


def hub_of(plan: Plan, name: str) -> Array:
    """Where the bars of a body in space meet: its centre of mass, else the middle of its points."""
    points, body = plan.points(name), plan.model.bodies[name]
    return plan.centre(name) if body.own.mass is not None or len(points) < 2 else np.asarray(points.mean(axis=0))


def _star(plan: Plan, name: str, points: Array, hub: Array) -> list[SceneShape]:
    """One rod if all points lie on a line with the hub, else a star from the hub."""
    everything = np.vstack([points, hub])
    line = line_through(everything)
    if line is not None:
        return [_bar(plan, name, line[0], line[-1])] if np.any(line[0] != line[-1]) else []
    far = 1e-9 * np.max(np.abs(everything))
    return [_bar(plan, name, hub, p) for p in points if np.linalg.norm(p - hub) > far]


def _bar(plan: Plan, name: str, start: Array, end: Array, part: float = 1.0) -> SceneShape:
    """A bar; one that ends in a cross ends at the fork that holds it."""
    ends, length = np.array([start, end], float), float(np.linalg.norm(end - start))
    back = min(FORK * plan.thick, 0.4 * length) / length * (ends[1] - ends[0])
    for k, shift in ((0, back), (1, -back)):
        if tuple(np.round(ends[k], 12)) in plan.features.crosses.get(name, ()):
            ends[k] += shift
    return _shape(plan, name, Kind.BAR, points=ends, radius=part * plan.thick)


def _solid(plan: Plan, name: str, solid: Solid) -> SceneShape:
    """The solid of a model's shape; rods and plates have no thickness there and get a thin one."""
    at, s = np.array(solid.at) if solid.at else plan.centre(name), solid.sizes
    axes = np.array(solid.turn)
    if solid.kind == "sphere":
        return _shape(plan, name, Kind.BALL, at=at, radius=s["radius"])
    if solid.kind == "box":
        return _shape(plan, name, Kind.BOX, size=(s["a"], s["b"], s["c"]), at=at, turned=axes)
    if solid.kind == "plate":
        # the axes follow in turn, as for the inertia: along x the sides a, b lie along y, z
        turned = product(axes, of_matrix(np.roll(np.eye(3), {"x": 1, "y": 2, "z": 0}[solid.along], axis=0)))
        return _shape(plan, name, Kind.BOX, size=(s["a"], s["b"], SHEET * plan.thick), at=at, turned=turned)
    turned = product(axes, of_matrix(frame_about(axis_of(solid.along))))
    radius, inner = s.get("radius", plan.thick), s.get("inner", 0.0)
    return _shape(plan, name, Kind.CYLINDER, length=s["length"], radius=radius, inner=inner, at=at, turned=turned)


def _inside(solid: Solid, at: Array, thick: float) -> bool:
    """Whether a point lies in the shape or nearly so: then nothing need lead to it."""
    reach, s = np.abs(at), solid.sizes
    if solid.kind == "sphere":
        return float(np.linalg.norm(at)) <= s["radius"] + thick
    if solid.kind == "box":
        return bool(np.all(reach <= np.array([s["a"], s["b"], s["c"]]) / 2 + thick))
    k = "xyz".index(solid.along)
    along, across = reach[k], float(np.linalg.norm(np.delete(at, k)))
    if solid.kind == "plate":
        return bool(along <= thick and across <= min(s["a"], s["b"]) / 2 + thick)
    return bool(along <= s["length"] / 2 + thick and across <= s.get("radius", 0.0) + thick)
