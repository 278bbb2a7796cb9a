"""Lengths that can be computed with: their squares and fourth powers must be numbers too."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.model.model import Parts
from mubo.model.shapes import LARGEST  # points of interest, which nothing is computed from, may be farther


def too_far(model: Parts) -> Iterator[tuple[tuple[str, ...], str]]:
    """Positions and points of bodies that lie too far away, and shapes that are too large: where, and in words."""
    for body in model.bodies.values():
        places = {f"point {name}": ("points", place) for name, place in body.points.items()}
        places["its position"] = ("position", body.position)
        for name, (key, place) in places.items():
            far = max(map(abs, place), default=0.0)
            if far > LARGEST:
                text = f"{name} is {far:g} away; lengths above {LARGEST:g} cannot be computed with: check its unit"
                yield ("body", body.name, key), text
        for name, size in body.shape.sizes.items() if body.shape else ():
            if size > LARGEST:
                text = f"{name} is {size:g}; lengths above {LARGEST:g} cannot be computed with: check its unit"
                yield ("body", body.name, "shape"), text
