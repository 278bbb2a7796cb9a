"""Lengths that can be computed with: their squares and fourth powers must be numbers too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.geometry import LARGEST
from mubo.model.parts import Parts


def too_far(model: Parts) -> Iterator[tuple[tuple[str, ...], str]]:
    """Positions, points, shapes of bodies and lengths of joints that are too large: where, and in words."""
    for body in model.bodies.values():
        places = {f"point {name}": ("points", place) for name, place in body.points.items()}
        places["its position"] = ("position", body.position)
        for name, (key, place) in places.items():
            yield from _beyond(("body", body.name, key), name, max(map(abs, place), default=0.0), " away")
        for name, size in body.shape.sizes.items() if body.shape else ():
            yield from _beyond(("body", body.name, "shape"), name, size)
    for joint, name, size in written_lengths(model):
        yield from _beyond(("joint", joint, name), name, size)


def written_lengths(model: Parts) -> Iterator[tuple[str, str, float]]:
    """Joint, option and largest length of the options of joints that hold lengths: of a rod, radii, a cam's edge."""
    for joint in model.joints.values():
        for option in model.kinds[joint.kind].options if joint.kind in model.kinds else ():
            if (
                option.holds in ("length", "lengths", "interval", "contour")
                and joint.options.get(option.name) is not None
            ):
                yield joint.name, option.name, float(np.max(np.abs(joint.options[option.name]), initial=0.0))


def _beyond(where: tuple[str, ...], name: str, size: float, away: str = "") -> Iterator[tuple[tuple[str, ...], str]]:
    if size > LARGEST:
        yield where, f"{name} is {size:g}{away}; lengths above {LARGEST:g} cannot be computed with: check its unit"
