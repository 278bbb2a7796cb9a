"""A body as a solid in its own axes: its shape if it has one, else rods through its points, in the plane flat links."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model import Body, Model
from mubo.model.rotation import axis_of, frame_about
from mubo.model.shapes import Shape
from mubo.view.edges import Edge
from mubo.view.solids.mesh import Mesh, ball, band, box, cylinder, joined, prism, rod, tube
from mubo.view.solids.sizes import centre_of, points_of

STRAIGHT = 0.02  # a body narrower than this part of its length is a bar


def body_in_space(model: Model, body: Body, thick: float) -> Mesh:
    """Shape or rods, with a ball at the centre of mass of a body that has mass."""
    centre, points = centre_of(body), points_of(model, body)
    if body.shape is not None:
        solid = [shape_mesh(body.shape, thick).moved(centre)]
        outside = [p for p in points if not _inside(body.shape, p - centre, thick)]
        return joined([*solid, *(rod(centre, p, 0.6 * thick) for p in outside)])
    if len(points) == 0:
        return _marker(thick)
    hub = centre if body.mass is not None or len(points) == 1 else points.mean(axis=0)
    pieces = _rods(points, hub, thick)
    if body.mass is not None or not pieces:
        pieces.append(ball(1.8 * thick).moved(hub))
    return joined(pieces)


def _rods(points: Array, hub: Array, thick: float) -> list[Mesh]:
    """One rod if all points lie on a line with the hub, else a star from the hub."""
    along = bar_axis(np.vstack([points, hub]))
    if along is not None:
        reach = np.vstack([points, hub]) @ along
        low, high = (np.vstack([points, hub])[k] for k in (np.argmin(reach), np.argmax(reach)))
        return [rod(low, high, thick)] if np.linalg.norm(high - low) > 0 else []
    return [rod(hub, p, thick) for p in points if np.linalg.norm(p - hub) > 1e-9 * np.max(np.abs(points))]


def bar_axis(points: Array) -> Array | None:
    """The direction of points that lie on a line; None if they do not."""
    offset = points - points.mean(axis=0)
    _, size, axes = np.linalg.svd(offset, full_matrices=False)
    return np.asarray(axes[0]) if len(size) < 2 or size[1] <= STRAIGHT * size[0] else None


def shape_mesh(shape: Shape, thick: float) -> Mesh:
    """The solid of a shape about its centre; rods and plates, which have no thickness, get a thin one."""
    s = shape.sizes
    if shape.kind == "sphere":
        return ball(s["radius"])
    if shape.kind == "box":
        return box(s["a"], s["b"], s["c"])
    if shape.kind == "plate":
        # axes follow in turn, as for the inertia: along x the sides a, b lie along y, z
        turned = np.roll(np.eye(3), {"x": 1, "y": 2, "z": 0}[shape.along], axis=0)
        return box(s["a"], s["b"], 0.5 * thick).moved((0.0, 0.0, 0.0), turned)
    radius = s.get("radius", thick)
    plain = tube(radius, s["inner"], s["length"]) if shape.kind == "tube" else cylinder(radius, s["length"], 32)
    return plain.moved((0.0, 0.0, 0.0), frame_about(axis_of(shape.along)))


def _inside(shape: Shape, at: Array, thick: float) -> bool:
    """Whether a point lies in the shape or nearly so: then nothing need lead to it."""
    reach = np.abs(at)
    s = shape.sizes
    if shape.kind == "sphere":
        return float(np.linalg.norm(at)) <= s["radius"] + thick
    if shape.kind == "box":
        return bool(np.all(reach <= np.array([s["a"], s["b"], s["c"]]) / 2 + thick))
    k = "xyz".index(shape.along)
    along, across = reach[k], float(np.linalg.norm(np.delete(at, k)))
    if shape.kind == "plate":
        return bool(along <= thick and across <= min(s["a"], s["b"]) / 2 + thick)
    return bool(along <= s["length"] / 2 + thick and across <= s.get("radius", 0.0) + thick)


def _marker(thick: float) -> Mesh:
    """A body without points or shape: a ball at its origin, and its axes x and, shorter, y and z."""
    arms = [rod(np.zeros(3), tip, 0.5 * thick) for tip in np.diag([8.0, 5.0, 5.0]) * thick]
    return joined([ball(1.8 * thick), *arms])


def body_in_plane(model: Model, body: Body, edges: list[Edge], thick: float, low: float, high: float) -> Mesh:
    """A flat link between two heights: a bar with round ends, a plate, and the wheels or cams that it carries."""
    points = points_of(model, body)[:, :2]
    pieces = [piece for edge in edges for piece in edge_meshes(edge, thick, low, high)]
    if len(points) == 0 and not pieces:
        return _marker(thick)
    pieces += [cylinder(thick, high - low).moved((*p, (low + high) / 2)) for p in points]
    if len(points) > 1:
        along = bar_axis(points)
        if along is None:
            pieces.append(prism(_hull(points), low + 0.2 * (high - low), high - 0.2 * (high - low)))
        else:
            reach = points @ along
            pieces.append(_bar(points[np.argmin(reach)], points[np.argmax(reach)], thick, low, high))
    return joined(pieces)


def _bar(start: Array, end: Array, thick: float, low: float, high: float) -> Mesh:
    along = (end - start) / np.hypot(*(end - start))
    side = thick * np.array([-along[1], along[0]])
    inset = 0.02 * (high - low)  # off the faces of the round ends, which would flicker against it
    return prism(np.array([start - side, end - side, end + side, start + side]), low + inset, high - inset)


def edge_meshes(edge: Edge, thick: float, low: float, high: float) -> list[Mesh]:
    """A wheel as a rim, with a spoke where it turns; a cam as a disc. What follows a closed ring is the spoke."""
    ring = edge.points
    back = np.flatnonzero(np.hypot(*(ring[1:] - ring[0]).T) < 1e-9 * (1 + np.max(np.abs(ring))))
    hub = ring[back[0] + 2 :] if len(back) else ring[:0]
    disc = ring[: back[0] + 1] if len(back) else ring
    inset = 0.3 * (high - low)
    if edge.filled and not len(hub):
        return [prism(disc, low + inset, high - inset)]
    reach = np.hypot(*(disc - disc.mean(axis=0)).T)
    width = min(thick, 0.4 * float(reach.max()))
    out = [band(disc, width, low + inset, high - inset)]
    out += [_bar(at, disc[0] + width / reach.max() * (at - disc[0]), 0.35 * thick, low, high) for at in hub]
    return out


def _hull(points: Array) -> Array:
    """The convex outline of points of the plane, counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = sorted(map(tuple, points))

    def chain(run: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        out: list[tuple[float, ...]] = []
        for p in run:
            while len(out) > 1 and _turns(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turns(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
