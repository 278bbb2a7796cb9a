"""Glyphs of joints and loads by the name in their declaration: primitive shapes, in plane and space.

A glyph is a function of a site; it answers shapes and the reaches they hang on. Sizes are multiples of `thick`, half
the width of a link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.geometry.rotation import conjugate, of_matrix, product
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.bodies import FORK, hub_of
from mubo.view.scene.data import Kind, Paint, SceneShape, Stretch
from mubo.view.scene.geneva import geneva
from mubo.view.scene.loads import Drawn, arrow, coil, connect_ends, effort, senses_of, spring, torque
from mubo.view.scene.motion import lift_to_space, place
from mubo.view.scene.rolling import bearing, edge, wheel
from mubo.view.scene.sites import Site
from mubo.view.scene.supports import stand, stand_at
from mubo.view.scene.toothed import bevel, worm
from mubo.view.scene.wheels import belt, cam, clear_of_cam, curve, gears, rack, ring, under_rack

STEEP = 0.7  # a rail that rises more, of its length, stands on its lower end


def glyph_shapes(site: Site) -> Drawn:
    """The shapes of a joint or load; an unknown glyph is refused, never left out."""
    if site.glyph not in GLYPHS:
        known = ", ".join(sorted(GLYPHS))
        raise ResultError(
            f'{site.label} cannot be drawn: there is no glyph "{site.glyph}"',
            suggestion=f"Its declaration names one of {known}; a new one is a function in view/scene/glyphs.py.",
        )
    if site.plan.ambient.solid and GLYPHS[site.glyph] in OF_THE_PLANE:
        raise ResultError(f'{site.label} cannot be drawn: the glyph "{site.glyph}" is of the plane')
    if GLYPHS[site.glyph] in ON_SHAFTS and "of" not in site.options:
        raise ResultError(f'{site.label} cannot be drawn: the glyph "{site.glyph}" is of wheels with bearings')
    return list(GLYPHS[site.glyph](site))


def pin(site: Site) -> Drawn:
    """A pin; on a stand where it is in the frame, with an arrow around it where it is driven."""
    arrows = [turn_arrow(site, senses_of(_relative_turn(site)))] if site.driven else []
    return [*stand(site), _bolt(site, site.moving), *arrows]


def ball(site: Site) -> Drawn:
    return [*stand(site), _bead(site, site.moving, 2.0)]


def cross(site: Site) -> Drawn:
    """A cross of two pins square to each other, each in the fork of one body."""
    out: Drawn = []
    for end, axis, of in ((site.first, site.axes[:, 0], "first axis"), (site.second, site.on_second[:, 1], "")):
        tips = np.array(end.at) + 3.2 * site.plan.thick * np.outer([-1, 1], axis)
        out.append(site.put(Kind.BAR, end, Paint.STEEL, of, points=tips, radius=0.8 * site.plan.thick))
        out += _fork(site, end, axis, tips)
    return [*stand(site), *out, _bead(site, site.second, 1.3)]


def _fork(site: Site, end: BodyPoint, axis: Array, tips: Array) -> list[SceneShape]:
    """Two arms from the ends of a pin back to the shaft; of a body that has no shaft there is none."""
    toward = hub_of(site.plan, end.body) - end.at
    length = float(np.linalg.norm(toward))
    across = toward - (toward @ axis) * axis
    if length < 1e-9 * site.plan.reach or np.linalg.norm(across) < 0.1 * length or end.body in site.plan.standing:
        return []
    back = 0.6 * FORK * site.plan.thick * across / np.linalg.norm(across)
    root = np.array(end.at) + min(FORK * site.plan.thick, 0.4 * length) / length * toward
    arms = np.array([tips[0], tips[0] + back, root, tips[1] + back, tips[1]])
    return [site.put(Kind.BAR, end, Paint.OWN, "fork", points=arms, radius=0.75 * site.plan.thick)]


def slider(site: Site) -> Drawn:
    """A block on a rail; one that is driven is a ram, where it keeps away from its first point."""
    thick = site.plan.thick
    if site.driven and site.travel[0] > 4 * thick:
        return ram(site)
    site = clear_of_cam(site)
    if site.second.body in site.plan.features.toothed:
        return _rail(site)  # the toothed bar slides itself
    return [*_rail(site), _block(site, tuple(thick * side for side in site.plan.ambient.block))]


def slot(site: Site) -> Drawn:
    """A pin in a slot; in space a bead on a wire."""
    ends = _ends(site, 2.25)
    guide = site.put(Kind.SLOT, site.first, site.paint(site.first), "guide", **ends, radius=1.2 * site.plan.thick)
    return [guide, *_carriers(site, ends), _bead(site, site.second, 1.8)]


def cylinder(site: Site) -> Drawn:
    """A sleeve on a round rail."""
    return [*_rail(site), _sleeve(site, inner=0.9 * site.plan.thick)]


def screw(site: Site) -> Drawn:
    """A nut on a round rail."""
    return [*_rail(site), _sleeve(site, around=6)]


def plane(site: Site) -> Drawn:
    """A bead on a sheet as large as its travel; in space a round one where it may turn."""
    thick, bead = site.plan.thick, _bead(site, site.second, 1.8)
    paint = site.paint(site.first)
    if site.plan.ambient.solid and paint == Paint.OWN:
        far = float(np.max(np.abs([site.low[:2], site.high[:2]]))) + 6 * thick
        at = np.array(site.first.at) - 0.4 * thick * site.axis
        numbers = {"length": 0.4 * thick, "radius": far, "inner": 0.0, "at": at, "turned": _orientation_of(site.axes)}
        return [site.put(Kind.CYLINDER, site.first, paint, "guide", **numbers), bead]
    size, middle = site.high - site.low + 12 * thick, (site.low + site.high) / 2
    if len(size) == 3:
        size[2], middle[2] = 0.4 * thick, -0.4 * thick
    at = np.array(site.first.at) + site.axes @ middle
    sheet = site.put(Kind.BOX, site.first, paint, "guide", size=tuple(size), at=at, turned=_orientation_of(site.axes))
    return [sheet, bead]


def weld(site: Site) -> Drawn:
    side = 1.7 * site.plan.thick
    size = (side,) * site.plan.dimension
    return [
        site.put(Kind.BOX, site.second, Paint.INK, size=size, at=site.second.at, turned=_orientation_of(site.on_second))
    ]


def free(site: Site) -> Drawn:
    """A free body: small axes at its point."""
    tips = np.array(site.second.at) + 5 * site.plan.thick * site.on_second.T
    ends = [np.array([site.second.at, tip]) for tip in tips]
    return [site.put(Kind.BAR, site.second, points=points, radius=0.3 * site.plan.thick) for points in ends]


def rod(site: Site) -> Drawn:
    """A massless link between the points."""
    link = SceneShape(Kind.ROD, site.label, site.label, {"radius": 0.8 * site.plan.thick}, Paint.STEEL, Stretch.ALONG)
    return [*stand(site), *connect_ends(site, link), _bead(site, site.first), _bead(site, site.second)]


def ram(site: Site) -> Drawn:
    """A cylinder: a barrel that keeps its length and a rod that comes out of it."""
    thick = site.plan.thick
    least = max(float(_distance(site).min(initial=np.inf)), 0.0)
    barrel = 0.72 * least if np.isfinite(least) else 6 * thick
    stem = SceneShape(Kind.ROD, site.label, site.label, {"radius": 0.75 * thick}, Paint.STEEL, Stretch.ALONG)
    tube = {"length": max(barrel, 1e-3 * thick), "radius": 1.5 * thick}
    out = [*connect_ends(site, stem, SceneShape(Kind.RAM, f"{site.label} barrel", site.label, tube, Paint.STEEL))]
    return [*stand(site), *out, _bead(site, site.first), _bead(site, site.second)]


OF_THE_PLANE = (ring, curve, gears, belt, rack, cam, geneva, bearing)
ON_SHAFTS = (bevel, worm)
KNOWN: tuple[Callable[[Site], Any], ...] = (
    *(pin, ball, cross, slider, slot, cylinder, screw, plane, weld, free, rod, ram),
    *OF_THE_PLANE,
    *ON_SHAFTS,
    *(wheel, edge, spring, coil, arrow, torque, effort),
)
GLYPHS = {glyph.__name__: glyph for glyph in KNOWN} | {"hinge": pin}


def _bolt(site: Site, end: BodyPoint) -> SceneShape:
    axes = site.axes if end is site.first else site.on_second
    thick, room = site.plan.thick, site.plan.ambient
    numbers = {"radius": room.pin * thick, "length": 5 * thick, **room.about(axes[:, room.main])}
    return site.put(Kind.PIN, end, at=end.at, **numbers)


def _bead(site: Site, end: BodyPoint, part: float = 1.6) -> SceneShape:
    """A joint that turns in all directions: a pin in the plane, a ball in space."""
    return site.put(Kind.BALL, end, at=end.at, radius=min(part, site.plan.ambient.bead) * site.plan.thick)


def _block(site: Site, size: tuple[float, ...]) -> SceneShape:
    """The block of a slider; it does not turn in its guide, so it is fixed in the second body."""
    numbers = {"size": size, "at": site.second.at, "turned": _orientation_of(site.on_second)}
    return site.put(Kind.BOX, site.second, site.paint(site.second), **numbers)


def _sleeve(site: Site, **more: Any) -> SceneShape:
    size = {"length": 6 * site.plan.thick, "radius": 2.0 * site.plan.thick, "inner": 0.0, **more}
    numbers = {**size, "at": site.second.at, "turned": _orientation_of(site.on_second)}
    return site.put(Kind.CYLINDER, site.second, site.paint(site.second), **numbers)


def _rail(site: Site) -> Drawn:
    """The guide in the first body, as long as the motion needs it."""
    ends = _ends(site, 4.5)
    thick = site.plan.thick
    numbers = {**ends, "radius": 0.6 * thick, "gap": 1.85 * thick, **under_rack(site)}
    guide = site.put(Kind.RAIL, site.first, site.paint(site.first), "guide", **numbers)
    return [guide, *_carriers(site, ends)]


def _carriers(site: Site, ends: dict[str, Array]) -> list[SceneShape]:
    """Stands under a guide in space that is in the frame."""
    if site.first.body not in site.plan.standing or not site.plan.ambient.solid:
        return []
    rise = float((site.plan.axes(site.first.body) @ site.axis) @ site.plan.up)
    upright = abs(rise) > STEEP
    carried = [of for of in ends if not upright or of == ("start" if rise > 0 else "end")]
    return [stand_at(site, BodyPoint(site.first.body, tuple(ends[of])), of, not upright) for of in carried]


def _ends(site: Site, room: float) -> dict[str, Array]:
    """Start and end of a guide in the first body, with room at both."""
    low, high = site.travel
    more = room * site.plan.thick
    at = np.array(site.first.at)
    return {"start": at + (low - more) * site.axis, "end": at + (high + more) * site.axis}


def _orientation_of(axes: Array) -> Array | float:
    """Axes as a quaternion, in the plane as an angle."""
    return of_matrix(axes) if len(axes) == 3 else float(np.arctan2(axes[1, 0], axes[0, 0]))


def _distance(site: Site) -> Array:
    ends = [place(site.plan.rows(end.body), end.at)[:, 0] for end in (site.first, site.second)]
    length = np.linalg.norm(ends[1] - ends[0], axis=1)
    return np.asarray(length[np.isfinite(length)])


def turn_arrow(site: Site, senses: tuple[float, ...], paint: Paint = Paint.INK, of: str = "drive") -> SceneShape:
    """An arrow around a joint, in the frame where the joint is in it."""
    end = site.first if site.first.body in site.plan.standing else site.second
    axis = site.axis if end is site.first else site.on_second[:, -1]
    radius = max(site.plan.ambient.turn * site.plan.thick, 0.016 * site.plan.reach)
    return site.put(Kind.TURN, end, paint, of, at=end.at, radius=radius, senses=senses, **site.plan.ambient.about(axis))


def _relative_turn(site: Site) -> Array:
    """Steps in which the second body turns about the axis against the first, or the moving one against the frame."""
    plan = site.plan
    sense = -1.0 if site.second.body in plan.standing else 1.0
    turns = [plan.rows(end.body) for end in (site.first, site.second)]
    first, second = (turn[:, 3:] if plan.ambient.solid else lift_to_space(turn)[:, 3:] for turn in turns)
    relative = product(conjugate(first), second)
    steps = product(relative[1:], conjugate(relative[:-1]))
    axis = site.axis if plan.ambient.solid else np.array([0.0, 0.0, 1.0])
    return np.asarray(sense * np.sign(steps[:, 0]) * (steps[:, 1:] @ axis))
