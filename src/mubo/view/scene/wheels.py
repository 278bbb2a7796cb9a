"""Gears, racks, belts, cams and circular slots: shapes fixed in the bodies that they couple.

Where gears give no teeth, their number is a drawing's choice: all wheels share one module, so that teeth fit each other
at the first position. Straight flanks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.elements.plane.couplings.belt import wheel_radii
from mubo.elements.plane.couplings.gears import pitch_radii
from mubo.mechanism.cams import cam_edge
from mubo.mechanism.curves import curve_of
from mubo.model import GROUND, ModelDefinition
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.motion import place
from mubo.view.scene.outlines import around, circle
from mubo.view.scene.sites import Site, Teeth, joint_site, pins, shaft

FEWEST, MOST = 14, 30  # teeth of the smallest wheel
# a tooth over its pitch: part of the pitch from its centre, height in modules
MOST_TEETH = 2000  # of a wheel: more than a picture can resolve
PROFILE = ((-0.5, -1.15), (-0.33, -1.15), (-0.14, 1.0), (0.14, 1.0), (0.33, -1.15))
RIM, BACK = 2.6, 2.8  # of a ring gear and a rack, outside their pitch line, in modules
ANGLES = np.linspace(0, 2 * np.pi, 181)
PLACES = 241  # of a curve


def teeth_of(model: ModelDefinition) -> Teeth:
    """The module that all gears give; else that for which the numbers of teeth come nearest to whole numbers."""
    toothed = [j for j in model.joints.values() if model.kinds[j.kind].glyph in (gears.__name__, rack.__name__)]
    given = [j.options["module"] for j in toothed if "module" in j.options]
    if given and len(set(given)) == 1:
        return Teeth(float(given[0]))
    radii = [r for j in toothed if "radius" not in j.options for r in pitch_radii(j.options)]
    radii += [j.options["radius"] for j in toothed if "radius" in j.options]
    if not radii:
        return Teeth(1.0)
    modules = [2 * min(radii) / count for count in range(FEWEST, MOST + 1)]
    misfit = [sum(abs(2 * r / m - round(2 * r / m)) for r in radii) for m in modules]
    return Teeth(float(modules[int(np.argmin(np.round(misfit, 6)))]))


def gears(site: Site) -> list[SceneShape]:
    """Two toothed wheels that mesh at the first position; of an internal pair the larger is a ring."""
    assert site.teeth is not None
    (r, s), module, phases = pitch_radii(site.options), site.teeth.module, site.teeth.phases
    first, second = ((end.body, radius) for end, radius in ((site.first, r), (site.second, s)))
    angle = [float(np.arctan2(*site.plan.axes(end.body)[::-1, 0])) for end in (site.first, site.second)]
    c, d = (place(site.plan.first(end.body), end.at)[0] for end in (site.first, site.second))
    internal = site.options.get("mesh") == "internal"
    along = d - c if not internal or s < r else c - d
    towards = float(np.arctan2(along[1], along[0]))
    fresh = [end for end, key in ((site.first, first), (site.second, second)) if key not in phases]
    phases.setdefault(first, towards - angle[0])
    # how far the nearest tooth of the first wheel is past the line of centres, as an angle of it
    pitch = 2 * np.pi / round(2 * r / module)
    ahead = (phases[first] + angle[0] - towards + pitch / 2) % pitch - pitch / 2
    gap = towards + ahead * r / s if internal else towards + np.pi - ahead * r / s
    phases.setdefault(second, gap + np.pi / round(2 * s / module) - angle[1])
    out = []
    for end, key in ((site.first, first), (site.second, second)):
        if end in fresh:
            ring_gear = internal and key[1] == max(r, s)
            out += _gear(site, end, key[1], phases[key], ring_gear)
    return out


def rack(site: Site) -> list[SceneShape]:
    """A wheel, and a toothed bar as long as its travel."""
    assert site.teeth is not None
    radius, module, plan = site.options["radius"], site.teeth.module, site.plan
    u, n = site.axes.T
    base, (contact, height, side) = site.first, _contact(site)
    down = plan.axes(site.second.body).T @ plan.axes(base.body) @ (-side * n)
    pitch = np.pi * module
    ends = (plan.points(base.body) - base.at) @ u
    reach = [(min(site.travel[0], *ends), -1.0), (max(site.travel[1], *ends), 1.0)]
    low, high = (max(int(np.ceil(sense * (x - contact) / pitch)), 0) + 1 for x, sense in reach)
    at, tall = (np.array(column) for column in zip(*PROFILE, strict=True))
    run = contact + pitch * (np.arange(-low, high)[:, None] + 0.5 + at).ravel()
    line, foot = (
        np.array(base.at) + np.outer(run, u) + np.outer(side * (height + module * tooth), n)
        for tooth in (np.tile(tall, low + high), np.full(len(run), -BACK))
    )
    bar = site.put(Kind.RACK, base, site.paint(base), base.body, outline=line, back=foot)
    phase = float(np.arctan2(down[1], down[0]))
    site.teeth.phases[site.second.body, radius] = phase
    return [*_gear(site, site.second, radius, phase, False), bar]


def _contact(site: Site) -> tuple[float, float, float]:
    """The contact of a rack at the first position: its place, the height of the pitch line, the side of the wheel."""
    plan, base = site.plan, site.first
    side = -1.0 if site.options.get("side") == "right" else 1.0
    gap = place(plan.first(site.second.body), site.second.at)[0] - place(plan.first(base.body), base.at)[0]
    along, across = site.axes.T @ plan.axes(base.body).T @ gap
    return float(along), side * float(across) - float(site.options["radius"]), side


def belt(site: Site) -> list[SceneShape]:
    """Two wheels and the belt, which lies in the body that carries both: tangents, and arcs around the wheels."""
    carrier, (first, second) = site.options.get("carrier", GROUND), wheel_radii(site.options)
    out = [s for end, r in ((site.first, first), (site.second, second)) for s in _wheel(site, end, r)]
    centres = [_on_carrier(site, body, carrier) for body in site.bodies]
    crossed = -1.0 if site.options.get("run") == "crossed" else 1.0
    along = centres[1] - centres[0]
    distance, gap = float(np.hypot(*along)), first - crossed * second
    if distance <= abs(gap):
        return out  # wheels that overlap have no such tangent
    tilt, heading = np.arccos(gap / distance), np.arctan2(along[1], along[0])
    runs = []
    for side in (-1, 1):
        normal = around(np.array([heading + side * tilt]))[0]
        runs.append(np.array([centres[0] + first * normal, centres[1] + crossed * second * normal]))
    half = np.linspace(-1, 1, 61)
    runs.append(centres[0] + first * around(heading + np.pi + (np.pi - tilt) * half))
    runs.append(centres[1] + second * around(heading + (tilt if crossed > 0 else np.pi - tilt) * half))
    for run in runs:
        paint, width = Paint.INK, 0.5 * site.plan.thick
        line = site.put(Kind.LINE, BodyPoint(carrier, (0.0, 0.0)), paint, points=run, width=width)
        out.append(replace(line, heights=site.plan.layer(*site.bodies)))
    return out


def cam(site: Site) -> list[SceneShape]:
    """The cam's edge, and the roller of the follower."""
    out = []
    if site.options.get("roller"):
        disc = circle(np.array(site.second.at), site.options["roller"])
        out.append(site.put(Kind.DISC, site.second, site.paint(site.second), "roller", outline=disc))
    edge = cam_edge(site.plan.model, site.plan.model.joints[site.element], ANGLES)
    return [site.put(Kind.DISC, site.first, site.paint(site.first), outline=edge), *out]


def clear_of_cam(site: Site) -> Site:
    """The site of a slider; where it guides the follower of a cam, at half the height of the follower.

    A slide holds anywhere along its axis: only the drawing moves.
    """
    plan, body = site.plan, site.second.body
    if not any(plan.model.kinds[joint.kind].glyph == cam.__name__ for joint in plan.features.joints[body]):
        return site
    axis = site.on_second[:, 0]
    along = (plan.points(body) - site.second.at) @ axis
    shift = 0.55 * float(along[np.argmax(np.abs(along))])
    moved = BodyPoint(body, tuple(float(x) for x in np.array(site.second.at) + shift * axis))
    by = shift * np.eye(2)[0]
    return replace(site, second=moved, low=site.low + by, high=site.high + by)


def under_rack(site: Site) -> dict[str, object]:
    """The guide of a slider on a toothed bar: it lies along the back, away from the wheel. Other sliders have none."""
    plan, model = site.plan, site.plan.model
    for joint in plan.features.joints[site.second.body]:
        if model.kinds[joint.kind].glyph == rack.__name__ and joint.between[0].partition(".")[0] == site.second.body:
            teeth = joint_site(plan, joint, model.kinds[joint.kind], "", teeth=site.teeth)
            _, height, side = _contact(teeth)
            away = -side * teeth.axes[:, 1]
            middle = float(away @ (np.array(teeth.first.at) - site.second.at))
            assert site.teeth is not None
            gap = middle - height + BACK * site.teeth.module
            return {"gap": gap, "sides": (float(np.sign(away @ site.on_second[:, 1])),)}
    return {}


def ring(site: Site) -> list[SceneShape]:
    """A circular slot in the first body, and the pin in it."""
    return _slot_along(site, circle(np.array(site.first.at), site.options["radius"], 120))


def curve(site: Site) -> list[SceneShape]:
    """A slot along a curve of the first body, and the pin in it; a straight piece where the curve is not known."""
    joint = site.plan.model.joints[site.element]
    known = site.plan.model.kinds[joint.kind].curved
    line = curve_of(joint).places(PLACES) if known else np.array([[-1.0, 0.0], [1.0, 0.0]]) * 4 * site.plan.thick
    return _slot_along(site, np.array(site.first.at) + line)


def _slot_along(site: Site, line: Array) -> list[SceneShape]:
    """A slot along a line of the first body, hatched where it is in the frame, and the pin in it."""
    standing, thick = site.first.body in site.plan.standing, site.plan.thick
    guide = {"points": line, "width": (0.8 if standing else 2) * thick} | ({"hatch": 1.5 * thick} if standing else {})
    pin = site.put(Kind.PIN, site.second, Paint.STEEL, at=site.second.at, radius=0.72 * site.plan.thick)
    return [site.put(Kind.LINE, site.first, site.paint(site.first), "guide", **guide), pin]


def _gear(site: Site, end: BodyPoint, radius: float, phase: float, ring_gear: bool) -> list[SceneShape]:
    """A wheel whose first tooth points to the angle `phase`; a ring's teeth point inwards."""
    assert site.teeth is not None
    module = site.teeth.module
    count = min(round(2 * radius / module), MOST_TEETH)
    at, tall = (np.array(column) for column in zip(*PROFILE, strict=True))
    angle = phase + 2 * np.pi / count * (np.arange(count)[:, None] + at).ravel()
    reach = radius + (-1 if ring_gear else 1) * module * np.tile(tall, count)
    edge = _polar(end, reach, angle)
    rim = {"rim": _polar(end, np.full(len(angle), radius + RIM * module), angle)} if ring_gear else {}
    numbers = {"outline": edge, "at": end.at, "pitch": radius, **rim}
    gear = site.put(Kind.GEAR, end, site.paint(end), end.body, **numbers)
    return [gear] if ring_gear else [gear, *_spoke(site, end, 0.8 * radius, phase)]


def _polar(end: BodyPoint, reach: Array, angle: Array) -> Array:
    points = np.array(end.at) + reach[:, None] * around(angle)
    return np.vstack([points, points[:1]])


def _wheel(site: Site, end: BodyPoint, radius: float) -> list[SceneShape]:
    """A disc, with a spoke where it turns."""
    disc = site.put(Kind.DISC, end, site.paint(end), end.body, outline=circle(np.array(end.at), radius, 90))
    return [disc, *_spoke(site, end, radius, 0.0)]


def _spoke(site: Site, end: BodyPoint, radius: float, angle: float) -> list[SceneShape]:
    """A mark that shows how a wheel turns."""
    if end.body in site.plan.standing:
        return []
    line = np.array(end.at) + np.outer([0.0, radius], around(np.array([angle]))[0])
    return [site.put(Kind.LINE, end, Paint.OWN, end.body, points=line, width=0.4 * site.plan.thick)]


def _on_carrier(site: Site, body: str, carrier: str) -> Array:
    """Where a wheel's pin sits on its carrier, in the carrier's axes."""
    plan = site.plan
    ends = next((ends for ends in pins(plan, body, carrier) if carrier in ends), None)
    return np.array(shaft(plan, body, carrier) if ends is None else plan.model.place(ends[carrier])[1])
