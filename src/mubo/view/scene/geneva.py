"""A Geneva drive: the slotted wheel with its locking arcs, the pin of the crank and the disc that locks."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.motion import place
from mubo.view.scene.outlines import around, circle
from mubo.view.scene.sites import Site

PIN = 0.1  # radius of the pin, of the crank
DISC = 0.8  # radius of the locking disc, of the distance from the crank to the mouth of a slot at the pin's entry
CORNERS = 24


def geneva(site: Site) -> list[SceneShape]:
    """The outline of the wheel on the second body; pin and locking disc on the first."""
    slots = round(site.options.get("slots", 4))
    centres = [place(site.plan.first(end.body), end.at)[0] for end in (site.first, site.second)]
    apart = float(np.hypot(*(centres[1] - centres[0]))) or site.plan.size
    centre, reach = np.array(site.first.at, float), np.array([apart * np.sin(np.pi / slots), 0.0])
    at = np.array(site.options.get("pin", centre + reach), float)
    arm = at - centre
    crank = float(np.hypot(*arm))
    radius = PIN * crank
    rim, depth = apart * np.cos(np.pi / slots), apart - crank - 1.3 * radius
    disc = DISC * (crank - 2 * radius)
    turned = float(site.options.get("slot_angle", 0.0))
    line = np.array(site.second.at) + np.vstack(
        [_sector(turned + 2 * np.pi * k / slots, np.pi / slots, rim, depth, radius, apart, disc) for k in range(slots)]
    )
    width = 0.25 * site.plan.thick
    wheel = {"points": np.vstack([line, line[:1]]), "width": width}
    lock = {"points": _locking_disc(np.array(site.first.at), arm, disc, slots), "width": width}
    pin = circle(at, radius, CORNERS)
    return [
        site.put(Kind.LINE, site.second, site.paint(site.second), site.second.body, **wheel),
        site.put(Kind.LINE, site.first, site.paint(site.first), site.first.body, **lock),
        site.put(Kind.LINE, site.first, Paint.STEEL, "", points=np.vstack([pin, pin[:1]]), width=width),
    ]


def _sector(at: float, half: float, rim: float, depth: float, radius: float, apart: float, disc: float) -> Array:
    """One slot along the angle `at`, and the locking arc behind it."""
    u, n = around(np.array([at]))[0], around(np.array([at + np.pi / 2]))[0]
    bottom = depth * u + radius * around(np.linspace(at - np.pi / 2, at - 3 * np.pi / 2, 13))
    slot = np.vstack([rim * u - radius * n, bottom, rim * u + radius * n])
    centre = apart * around(np.array([at + half]))[0]
    spread = min(np.pi / 2 - half, np.arccos(min(1.0, (apart - rim) / disc)) if disc > apart - rim else 0.3)
    arc = centre + 1.02 * disc * around(at + half + np.pi + np.linspace(spread, -spread, 13))
    return np.vstack([slot, arc])


def _locking_disc(centre: Array, arm: Array, disc: float, slots: int) -> Array:
    """The disc with the part cut out through which the wheel turns."""
    toward, cut = float(np.arctan2(arm[1], arm[0])), np.pi / 2 - np.pi / slots
    line = centre + disc * around(toward + np.linspace(cut, 2 * np.pi - cut, 61))
    hollow = centre + 0.45 * disc * around(np.array([toward]))
    return np.vstack([line, hollow, line[:1]])
