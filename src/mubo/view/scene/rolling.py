"""Wheels, balls and ellipsoids that roll, what they roll on, and knife edges."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix, of_matrix
from mubo.mechanism import mechanism_of
from mubo.mechanism.contact_points import contact_arms
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.outlines import circle, thinned
from mubo.view.scene.sites import Site

TURN = np.linspace(0, 2 * np.pi, 73)
MOST_PLACES = 600  # of the path of a contact
RINGS = ((0, 1), (1, 2), (2, 0))  # pairs of semi-axes whose ellipses show an ellipsoid


def wheel(site: Site) -> list[SceneShape]:
    """A wheel, ball or ellipsoid with marks that show its rotation, and the track on which it rolls."""
    if site.plan.ambient.solid:
        return [*_rolling_body(site), *_ground(site)]
    own = _radius(site)
    center = np.array(site.second.at)
    disc = circle(center, own, 90)
    spokes = [center + own * np.outer([-1.0, 1.0], axis) for axis in np.eye(2)]
    return [
        site.put(Kind.DISC, site.second, site.paint(site.second), site.second.body, outline=disc),
        *(
            site.put(Kind.LINE, site.second, Paint.OWN, site.second.body, points=line, width=0.4 * site.plan.thick)
            for line in spokes
        ),
        _track(site),
    ]


def _track(site: Site) -> SceneShape:
    """The line or circle of the plane that a wheel rolls on."""
    thick, base = site.plan.thick, np.array(site.first.at)
    if "radii" in site.options:
        points = circle(base, float(site.options["radii"][0]), 180)
        points = np.vstack([points, points[:1]])
    else:
        low, high = site.travel
        reach = _radius(site)
        points = base + np.outer([low - reach, high + reach], site.axes[:, 0])
    return site.put(Kind.LINE, site.first, site.paint(site.first), "track", points=points, width=0.6 * thick)


def _radius(site: Site) -> float:
    """Radius of what rolls; one that can be seen where the element has none."""
    given = site.options.get("radius") or site.options.get("radii", (0.0, 0.0))[1]
    return float(given) or 4 * site.plan.thick


def semi_axes(site: Site) -> Array:
    """Semi-axes of what rolls, as rows in the axes of its body; the axle of a disc is the last and has no length."""
    options = site.options
    if options.get("semi_axes"):
        return np.diag(np.array(options["semi_axes"], float))
    radius, axle = _radius(site), options.get("axle")
    if axle is None:
        return radius * np.eye(3)
    z = np.array(axle, float) / np.linalg.norm(axle)
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    return radius * np.array([x, np.cross(z, x), 0 * z])


def _rolling_body(site: Site) -> list[SceneShape]:
    """A disc with spokes, a ball, or an ellipsoid by three of its ellipses."""
    thick, end, a = site.plan.thick, site.second, semi_axes(site)
    center, sizes = np.array(end.at), np.linalg.norm(a, axis=1)
    paint = site.paint(end)
    if sizes[2] == 0:
        tube = float(site.options.get("tube") or 0.0)
        radius = float(sizes[0])
        frame = np.column_stack([a[0] / radius, a[1] / radius, np.cross(a[0], a[1]) / radius**2])
        width = max(2 * tube, 0.06 * radius)
        numbers = {"length": width, "radius": radius + tube, "inner": 0.86 * radius, "turned": of_matrix(frame)}
        rim = site.put(Kind.CYLINDER, end, paint, end.body, at=center, **numbers)
        spokes = [center + np.outer([-0.95, 0.95], line) for line in a[:2]]
        return [rim, *(site.put(Kind.BAR, end, paint, end.body, points=line, radius=0.3 * thick) for line in spokes)]
    rings = [np.outer(np.cos(TURN), a[i]) + np.outer(np.sin(TURN), a[j]) for i, j in RINGS]
    if np.ptp(sizes) > 1e-9 * sizes[0]:  # between the three, ellipses over its long axis
        order = np.argsort(sizes)
        u, v, w = a[order[2]], a[order[0]], a[order[1]]
        rings += [
            np.outer(np.cos(TURN), u) + np.outer(np.sin(TURN), np.cos(k) * v + np.sin(k) * w)
            for k in np.pi * np.arange(1, 6) / 6
        ]
    out = [
        site.put(Kind.BAR, end, Paint.INK, end.body, points=center + 1.002 * ring, radius=0.15 * thick)
        for ring in rings
    ]
    if np.ptp(sizes) <= 1e-9 * sizes[0]:
        out.append(site.put(Kind.BALL, end, paint, end.body, at=center, radius=float(sizes[0])))
    return out


def _ground(site: Site) -> list[SceneShape]:
    """The path of the contact on a plane, or three circles of a sphere."""
    thick, base, paint = site.plan.thick, np.array(site.first.at), site.paint(site.first)
    if "radii" in site.options:
        radius = float(site.options["radii"][0])
        rings = [
            base + radius * (np.outer(np.cos(TURN), np.eye(3)[i]) + np.outer(np.sin(TURN), np.eye(3)[j]))
            for i, j in RINGS
        ]
        return [site.put(Kind.BAR, site.first, paint, "track", points=ring, radius=0.2 * thick) for ring in rings]
    joint = site.plan.model.joints.get(site.element)
    return [_contact_path(site)] if joint and site.plan.model.kinds[joint.kind].contact else []


def _contact_path(site: Site) -> SceneShape:
    """The path of the contact on the plane."""
    plan, joint = site.plan, site.plan.model.joints[site.element]
    sides = []
    for end in (site.first, site.second):
        axes = np.broadcast_to(matrix(plan.rows(end.body)[:, 3:]), (plan.count, 3, 3))
        sides.append((plan.places_of(end), axes))
    arm = contact_arms(joint, plan.model.kinds[joint.kind], mechanism_of(plan.model).values[site.element], *sides)
    return _path(site, sides[1][0] + arm)


def _path(site: Site, places: Array) -> SceneShape:
    """The path of places in ground axes on the first body, in its axes; a short dash where they do not move."""
    plan, first = site.plan, site.first.body
    corners = [plan.places_of(BodyPoint(first, tuple(axis))) for axis in np.eye(plan.dimension)]
    origin = plan.places_of(BodyPoint(first, (0.0,) * plan.dimension))
    path = np.stack([np.sum((corner - origin) * (places - origin), axis=1) for corner in corners], axis=1)
    path = path[np.isfinite(path).all(axis=1)]
    path = path[np.unique(np.linspace(0, len(path) - 1, MOST_PLACES).astype(int))]
    if float(np.max(np.ptp(path, axis=0))) < 1e-9 * plan.reach:
        path = path[0] + np.outer([-1.0, 1.0], plan.thick * site.axes[:, 0])
    path = thinned(path, 0.1 * plan.thick)
    numbers = {"radius": 0.2 * plan.thick} if plan.ambient.solid else {"width": 0.4 * plan.thick}
    kind = Kind.BAR if plan.ambient.solid else Kind.LINE
    return site.put(kind, site.first, site.paint(site.first), "track", points=path, **numbers)


def edge(site: Site) -> list[SceneShape]:
    """A blade along the edge, and the path of its point."""
    given = site.options.get("edge", site.options.get("axis"))
    along = site.on_second[:, 0] if given is None else np.array(given, float) / np.linalg.norm(given)
    ends = np.array(site.second.at) + 4 * site.plan.thick * np.outer([-1.0, 1.0], along)
    blade = site.put(Kind.BAR, site.second, Paint.STEEL, points=ends, radius=0.5 * site.plan.thick)
    return [blade, _path(site, site.plan.places_of(site.second))]


def bearing(site: Site) -> list[SceneShape]:
    """A bearing as a ring of its journal's radius, and the journal with a mark that shows its rotation."""
    radius, thick = float(site.options.get("radius") or 0.0) or 3 * site.plan.thick, site.plan.thick
    ring = circle(np.array(site.first.at), 1.12 * radius, 90)
    disc = circle(np.array(site.second.at), radius, 90)
    mark = np.array(site.second.at) + np.outer([0.0, 0.9], radius * np.eye(2)[0])
    return [
        site.put(Kind.LINE, site.first, site.paint(site.first), "bearing", points=ring, width=0.6 * thick),
        site.put(Kind.DISC, site.second, site.paint(site.second), "journal", outline=disc),
        site.put(Kind.LINE, site.second, Paint.OWN, "journal", points=mark, width=0.4 * thick),
    ]
