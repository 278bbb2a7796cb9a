"""What loads look like: springs between points and around joints, arrows of forces, arrows around axes of torques."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.view.scene.data import Kind, Paint, Reach, Shape, Stretch
from mubo.view.scene.motion import place
from mubo.view.scene.sites import Site
from mubo.view.scene.supports import stand

Drawn = list[Shape | Reach]
LONGEST = 0.16  # the arrow of the largest force, of the whole motion
TURNED = 1e-6  # of the largest step: what counts as turning back


def spring(site: Site) -> Drawn:
    """A coil spring between the points, on a stand where it is in the frame."""
    wire = Shape(Kind.SPRING, site.label, site.label, {"radius": 1.8 * site.plan.thick}, Paint.INK, Stretch.ALONG)
    return [*stand(site), *between(site, wire)]


def coil(site: Site) -> Drawn:
    """A spring wound around a joint."""
    numbers = {"at": site.first.at, "radius": 2.8 * site.plan.thick, **site.plan.room.about(_freedom_axis(site))}
    return [site.put(Kind.COIL, site.first, Paint.LOAD, **numbers)]


def arrow(site: Site) -> Drawn:
    """A force along its direction, as long as its part of the largest."""
    return _arrow(site, _direction(site))


def torque(site: Site) -> Drawn:
    """An arrow around the axis of a torque, in the senses that it takes."""
    return [*_turning(site, _direction(site))]


def effort(site: Site) -> Drawn:
    """A force along the coordinate of a joint, or an arrow around it."""
    rows = _in_ground(site, _freedom_axis(site))
    return _arrow(site, rows) if site.freedom.startswith("slide") else _turning(site, rows)


def senses_of(steps: Array) -> tuple[float, ...]:
    """1 where steps are positive, −1 where they are negative; both where they are both."""
    known = steps[np.isfinite(steps)]
    far = float(np.max(np.abs(known), initial=0.0))
    return tuple(s for s in (1.0, -1.0) if np.any(s * known > TURNED * far)) or (1.0,)


def between(site: Site, *shapes: Shape) -> Drawn:
    """Shapes that hang on the reach from the first end to the second."""
    over = site.plan.layer(*site.bodies)
    return [Reach(site.label, site.first, site.second), *(replace(s, heights=over) for s in shapes)]


def _freedom_axis(site: Site) -> Array:
    """The axis of the coordinate that a load acts on; of a ball, whose axes are its own, the main one."""
    number = "xyz".find(site.freedom.partition(" ")[2] or "?")
    return np.asarray(site.axes[:, number]) if 0 <= number < len(site.axes) else site.axis


def _direction(site: Site) -> Array:
    """The direction of a load in ground axes, one row per time; of a torque in the plane any."""
    way = np.array(site.options.get("direction", np.eye(site.plan.dimension)[0]), float)
    way /= np.linalg.norm(way)
    return _in_ground(site, way) if site.options.get("axes") == "body" else np.tile(way, (site.plan.count, 1))


def _in_ground(site: Site, way: Array) -> Array:
    """A direction of the first body in ground axes, one row per time."""
    rows = site.plan.rows(site.first.body)
    turned = place(rows, tuple(way))[:, 0] - rows[:, : site.plan.dimension]
    return np.asarray(np.broadcast_to(turned, (site.plan.count, site.plan.dimension)))


def _hung(site: Site, along: Array, shape: Shape) -> Drawn:
    """A shape on a reach from the first end along an arrow."""
    return [Reach(site.label, site.first, along=along), replace(shape, heights=site.plan.layer(*site.bodies))]


def _arrow(site: Site, way: Array) -> Drawn:
    values = np.ones(len(way)) if site.values is None or not np.any(site.values) else site.values
    along = LONGEST * site.plan.reach / float(np.nanmax(np.abs(values))) * values[:, None] * way
    shape = Shape(Kind.ARROW, site.label, site.label, {"length": 1.0, "radius": 0.03}, Paint.LOAD, Stretch.ALL)
    return _hung(site, along, shape)


def _turning(site: Site, way: Array) -> Drawn:
    values = np.ones(1) if site.values is None or not np.any(site.values) else site.values
    numbers = {"radius": max(3.6 * site.plan.thick, 0.03 * site.plan.reach), "senses": senses_of(values)}
    if not site.plan.room.solid:
        return [site.put(Kind.TURN, site.first, Paint.LOAD, at=site.first.at, **numbers)]
    numbers |= {"at": np.zeros(3), "axis": np.eye(3)[2]}
    return _hung(site, site.plan.thick * way, Shape(Kind.TURN, site.label, site.label, numbers, Paint.LOAD))
