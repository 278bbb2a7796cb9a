"""Outlines of gear teeth and racks in body axes, meshing at the first position.

The number of teeth is a drawing's choice: all wheels share one module, so that teeth fit each other. Straight flanks.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Joint, Model
from mubo.view.edges import shaft
from mubo.view.scene.motion import place

Places = dict[str, Array]
FEWEST, MOST = 14, 30  # teeth of the smallest wheel
# a tooth over its pitch: part of the pitch from its centre, height in modules
PROFILE = ((-0.5, -1.15), (-0.33, -1.15), (-0.14, 1.0), (0.14, 1.0), (0.33, -1.15))


def tooth_outlines(model: Model, first: Places, travel: dict[str, tuple[float, float]]) -> dict[str, list[Array]]:
    """Toothed outlines by body; `first` are the poses of the bodies at the first row."""
    gears = [j for j in model.joints.values() if j.kind == "gears"]
    racks = [j for j in model.joints.values() if j.kind == "rack"]
    radii = [r for j in gears for r in j.options["radii"]] + [j.options["radius"] for j in racks]
    if not radii:
        return {}
    module = _module(radii)
    out: dict[str, list[Array]] = {}
    phases: dict[tuple[str, float], float] = {}
    for joint in gears:
        for body, points in _pair(model, joint, first, module, phases):
            out.setdefault(body, []).append(points)
    for joint in racks:
        for body, points in _rack(model, joint, first, module, travel[joint.name]):
            out.setdefault(body, []).append(points)
    return out


def _module(radii: list[float]) -> float:
    """The module for which the numbers of teeth come nearest to whole numbers."""
    modules = [2 * min(radii) / count for count in range(FEWEST, MOST + 1)]
    misfit = [sum(abs(2 * r / m - round(2 * r / m)) for r in radii) for m in modules]
    return float(modules[int(np.argmin(np.round(misfit, 6)))])


def _pair(
    model: Model, joint: Joint, first: Places, module: float, phases: dict[tuple[str, float], float]
) -> list[tuple[str, Array]]:
    (one, two), (r, s) = joint.between, joint.options["radii"]
    carrier = joint.options.get("carrier", GROUND)
    centres = [np.array(shaft(model, body, carrier)) for body in (one, two)]
    c, d = (place(first[body], centre)[0] for body, centre in zip((one, two), centres, strict=True))
    internal = joint.options.get("mesh", "external") == "internal"
    along = d - c if not internal or s < r else c - d
    towards = float(np.arctan2(along[1], along[0]))
    known = (one, r) in phases
    if not known:
        phases[one, r] = towards - first[one][2]
    # how far the nearest tooth of the first wheel is past the line of centres, as an angle of it
    pitch = 2 * np.pi / round(2 * r / module)
    ahead = (phases[one, r] + first[one][2] - towards + pitch / 2) % pitch - pitch / 2
    meets = towards if internal else towards + np.pi
    gap = meets + (ahead * r / s if internal else -ahead * r / s)
    new = (two, s) not in phases
    phases.setdefault((two, s), gap + np.pi / round(2 * s / module) - first[two][2])
    out = []
    for body, radius, centre, fresh in ((one, r, centres[0], not known), (two, s, centres[1], new)):
        if fresh:
            ring = internal and radius == max(r, s)
            out.append((body, centre + _wheel(radius, module, phases[body, radius], ring)))
    return out


def _wheel(radius: float, module: float, phase: float, ring: bool) -> Array:
    """The outline of a wheel whose first tooth points to the angle `phase`; a ring's teeth point inwards."""
    count = round(2 * radius / module)
    at = np.array([x for x, _ in PROFILE])
    height = np.array([h for _, h in PROFILE]) * (-1 if ring else 1)
    angle = phase + 2 * np.pi / count * (np.arange(count)[:, None] + at).ravel()
    reach = radius + module * np.tile(height, count)
    points = np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])
    return np.vstack([points, points[:1]])


def _rack(
    model: Model, joint: Joint, first: Places, module: float, travel: tuple[float, float]
) -> list[tuple[str, Array]]:
    (rack, base), (wheel, centre) = (model.place(reference) for reference in joint.between)
    radius = joint.options["radius"]
    u = np.array(joint.options["axis"]) / np.hypot(*joint.options["axis"])
    n = np.array([-u[1], u[0]]) * (1 if joint.options.get("side", "left") == "left" else -1)
    c, s = np.cos(first[rack][2]), np.sin(first[rack][2])
    turn = np.array([[c, -s], [s, c]])
    arm = turn.T @ (place(first[wheel], centre)[0] - first[rack][:2]) - np.array(base)
    contact, height = float(u @ arm), float(n @ arm) - radius
    down = turn @ -n
    phase = float(np.arctan2(down[1], down[0]) - first[wheel][2])
    pitch = np.pi * module
    low, high = (int(np.ceil(abs(x - contact) / pitch)) + 3 for x in travel)
    at = np.array([x for x, _ in PROFILE])
    tall = np.tile([h for _, h in PROFILE], low + high)
    run = contact + pitch * (np.arange(-low, high)[:, None] + 0.5 + at).ravel()
    line = np.array(base) + np.outer(run, u) + np.outer(height + module * tall, n)
    return [(wheel, np.array(centre) + _wheel(radius, module, phase, False)), (rack, line)]
