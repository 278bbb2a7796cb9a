"""Shapes of bodies in space: the solid that the model gives, else rods through points and centre of mass."""

from __future__ import annotations

from itertools import product as pairs

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Body, Model
from mubo.model.rotation import axis_of, frame_about, matrix, of_matrix
from mubo.view.scene.data import Shape

THICK = 0.014  # radius of a rod, of the size of the mechanism
STRAIGHT = 0.02


def solid_shapes(model: Model, size: float) -> dict[str, tuple[Shape, ...]]:
    """Shapes by body, in body axes."""
    return {name: _shapes(model, body, THICK * size) for name, body in model.bodies.items()}


def _shapes(model: Model, body: Body, thick: float) -> tuple[Shape, ...]:
    if body.name == GROUND:
        return ()
    inner = dict.fromkeys([*body.points.values(), *(p.at for p in model.points.values() if p.body == body.name)])
    points = np.array(list(inner)).reshape(-1, 3)
    centre = np.array(body.center) if body.center else np.zeros(3)
    if body.shape is not None:
        solid = _solid(body, centre, thick)
        inside = corners_of(solid) if solid.kind != "sphere" else centre + solid.numbers["radius"] * np.eye(3)
        reach = float(np.max(np.linalg.norm(inside - centre, axis=1)))
        arms = [p for p in points if np.linalg.norm(p - centre) > reach + thick]
        return (solid, *(_rod(centre, p, 0.6 * thick) for p in arms))
    if len(points) == 0:
        return (_ball(centre, 2.2 * thick),)
    hub = centre if body.mass is not None or len(points) == 1 else points.mean(axis=0)
    rods = _star(points, hub, thick)
    weight = (_ball(hub, 2.0 * thick),) if body.mass is not None or not rods else ()
    return (*rods, *weight)


def _star(points: Array, hub: Array, thick: float) -> tuple[Shape, ...]:
    """One rod if all points lie on a line with the hub, else a star from the hub."""
    everything = np.vstack([points, hub])
    _, sizes, axes = np.linalg.svd(everything - everything.mean(axis=0), full_matrices=False)
    if len(everything) == 2 or sizes[1] <= STRAIGHT * sizes[0]:
        reach = everything @ axes[0]
        if np.ptp(reach) == 0:
            return ()
        return (_rod(everything[np.argmin(reach)], everything[np.argmax(reach)], thick),)
    far = 1e-9 * np.max(np.abs(everything))
    return tuple(_rod(hub, p, thick) for p in points if np.linalg.norm(p - hub) > far)


def _solid(body: Body, centre: Array, thick: float) -> Shape:
    """The solid of a model's shape; rods have no thickness there and get a thin one."""
    shape = body.shape
    assert shape is not None
    s = shape.sizes
    if shape.kind == "sphere":
        return _ball(centre, s["radius"])
    if shape.kind == "rod":
        half = s["length"] / 2 * axis_of(shape.along)
        return _rod(centre - half, centre + half, thick)
    if shape.kind == "box":
        return Shape("box", {"size": (s["a"], s["b"], s["c"]), "at": centre, "turned": (1.0, 0.0, 0.0, 0.0)})
    if shape.kind == "plate":
        # the axes follow in turn, as for the inertia: along x the sides a, b lie along y, z
        axes = np.roll(np.eye(3), {"x": 1, "y": 2, "z": 0}[shape.along], axis=0)
        return Shape("plate", {"size": (s["a"], s["b"]), "at": centre, "turned": of_matrix(axes)})
    inner = {"inner": s["inner"]} if shape.kind == "tube" else {}
    turned = of_matrix(frame_about(tuple(axis_of(shape.along))))
    numbers = {"length": s["length"], "radius": s["radius"], **inner, "at": centre, "turned": turned}
    return Shape(shape.kind, numbers)


def _rod(start: Array, end: Array, radius: float) -> Shape:
    return Shape("rod", {"from": start, "to": end, "radius": radius})


def _ball(centre: Array, radius: float) -> Shape:
    return Shape("sphere", {"radius": radius, "at": centre})


def corners_of(shape: Shape) -> Array:
    """Points, in body axes, whose box contains the shape's box in any pose (for a sphere: nearly)."""
    n = shape.numbers
    if "points" in n:
        return np.asarray(n["points"])
    signs = np.array(list(pairs((-1, 1), repeat=3)), float)
    if shape.kind == "rod":
        return np.array([n["from"], n["to"]])
    if shape.kind == "sphere":
        return np.asarray(n["at"] + n["radius"] * np.vstack([np.eye(3), -np.eye(3)]))
    if shape.kind in ("box", "plate"):
        half = np.array((*n["size"], 0.0)[:3]) / 2
    else:
        half = np.array([n["radius"], n["radius"], n["length"] / 2])
    return np.asarray(n["at"] + (signs * half) @ matrix(n["turned"]).T)
