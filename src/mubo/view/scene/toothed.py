"""Toothed wheels in space: bevel wheels as crowns of their cones, a worm as threads around a core, its wheel.

A crown is one line from tooth to tooth, there at the large and back at the small end of each.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import of_matrix
from mubo.mechanism.toothed_wheels import Shaft, ToothContact, tooth_contact
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, SceneShape
from mubo.view.scene.sites import Site

FACE = 0.3  # width of a bevel wheel along its cone, of the length of the pitch line
CORE = 0.75  # radius of the core of a worm, of its pitch radius
THREADED = 1.6  # half the length of a worm, in its pitch radii
MOST_TEETH = 200  # more than a picture can resolve
HEIGHT = 0.9  # of a tooth above the pitch cone and below, in modules
TEETH = np.array([[-0.5, -1.0], [-0.32, -1.0], [-0.14, 1.0], [0.14, 1.0], [0.32, -1.0]])  # in pitches, in heights


def bevel(site: Site) -> list[SceneShape]:
    """Two bevel wheels."""
    contact, out = _contact(site), []
    for k, shaft in enumerate(contact.shafts):
        offset = contact.point - shaft.center
        axial = float(offset @ shaft.axis)
        radial = offset - axial * shaft.axis
        radius = float(np.linalg.norm(radial))
        line = np.cross(contact.part, contact.push)  # along the pitch line
        slope = line - (line @ shaft.axis) * shaft.axis
        line = line * np.sign(slope @ radial)
        face = FACE * radius / max(float(abs(line @ radial)) / radius, 0.2)
        ends = [(radius + s * face * float(line @ radial) / radius, axial + s * face * float(line @ shaft.axis))
                for s in (-0.5, 0.5)]  # fmt: skip
        out += _wheel(site, contact, k, ends)
    return out


def worm(site: Site) -> list[SceneShape]:
    """A worm and its wheel."""
    contact = _contact(site)
    one, two = contact.shafts
    radius, threads = float(site.options["radius"]), int(site.options["teeth"][0])
    offset = contact.point - one.center
    axial, hand = float(offset @ one.axis), -1.0 if site.options.get("hand") == "left" else 1.0
    reach, advance = THREADED * radius, hand * radius * np.tan(contact.lead_angle)
    turn = np.linspace(-reach / abs(advance), reach / abs(advance), 40 * max(1, round(reach / abs(advance) / np.pi)))
    start = _angle(one, offset)
    end = BodyPoint(one.body, tuple(float(x) for x in one.own_center))
    out = []
    for k in range(threads):
        angle = start + 2 * np.pi * k / threads + turn
        line = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), axial + advance * turn])
        thick = 0.35 * np.pi * abs(advance) / threads
        out.append(site.put(Kind.BAR, end, site.paint(end), one.body, points=_own(one, line), radius=thick))
    middle = _own(one, np.array([[0.0, 0.0, axial]]))[0]
    numbers = {"length": 2.1 * reach, "radius": CORE * radius, "inner": 0.0, "at": middle}
    core = site.put(Kind.CYLINDER, end, site.paint(end), one.body, **numbers, turned=of_matrix(one.own_axes))
    offset = contact.point - two.center
    own, place = float(np.linalg.norm(offset - (offset @ two.axis) * two.axis)), float(offset @ two.axis)
    return [core, *out, *_wheel(site, contact, 1, [(own, place - 0.6 * radius), (own, place + 0.6 * radius)])]


def _contact(site: Site) -> ToothContact:
    return tooth_contact(site.plan.model, site.plan.model.joints[site.element])


def _angle(shaft: Shaft, offset: Array) -> float:
    """The angle of a place about a shaft, from x of its bearing."""
    return float(np.arctan2(offset @ shaft.axes[:, 1], offset @ shaft.axes[:, 0]))


def _own(shaft: Shaft, points: Array) -> Array:
    """Places in the bearing's frame as places of the wheel."""
    return np.asarray(shaft.own_center + points @ shaft.own_axes.T)


def _wheel(site: Site, contact: ToothContact, k: int, ends: list[tuple[float, float]]) -> list[SceneShape]:
    """The crown of a wheel between two circles of a radius and a height each, and its spokes."""
    shaft = contact.shafts[k]
    count = min(int(site.options["teeth"][k]), MOST_TEETH)
    pitch, phase = 2 * np.pi / count, _angle(shaft, contact.point - shaft.center) + (np.pi / count if k else 0.0)
    if k and not shaft.is_second:
        phase -= float(site.options.get("phase", 0.0))
    elif k:
        phase += float(site.options.get("phase", 0.0))
    angle = (phase + pitch * (np.arange(count)[:, None] + TEETH[:, 0])).ravel()
    tall = np.tile(TEETH[:, 1], count)
    rims = []
    for radius, height in ends:
        reach = radius * (1 + HEIGHT * tall * 2 / count)
        rim = np.column_stack([reach * np.cos(angle), reach * np.sin(angle), np.full(len(angle), height)])
        rims.append(_own(shaft, np.vstack([rim, rim[:1]])))
    end = BodyPoint(shaft.body, tuple(float(x) for x in shaft.own_center))
    width = min(0.25 * site.plan.thick, 0.06 * ends[1][0])
    paint = site.paint(end)
    out = [site.put(Kind.BAR, end, paint, shaft.body, points=rim, radius=width) for rim in rims]
    zigzag = np.empty((2 * count, 3))
    tops = np.arange(count) * len(TEETH) + 2
    zigzag[0::2], zigzag[1::2] = rims[0][tops], rims[1][tops]
    zigzag[2::4], zigzag[3::4] = rims[1][tops[1::2]], rims[0][tops[1::2]]
    out.append(site.put(Kind.BAR, end, paint, shaft.body, points=zigzag, radius=width))
    middle = np.mean([height for _, height in ends])
    for turn in (0.0, np.pi / 2):
        arm = 0.95 * ends[0][0] * np.array([np.cos(phase + turn), np.sin(phase + turn)])
        spoke = _own(shaft, np.array([[*-arm, middle], [*arm, middle]]))
        out.append(site.put(Kind.BAR, end, paint, shaft.body, points=spoke, radius=1.5 * width))
    return out
