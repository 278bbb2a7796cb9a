"""The solid that a body is drawn as: a primitive of its geometry that sits at the centre of mass along its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mubo.geometry.rotation import matrix
from mubo.geometry.shapes import Shape

ALIGNED = 1e-6  # how far a solid's axes and place may be from the body's, in radians and of its size


def shape_of(
    kind: str, sizes: Mapping[str, float], at: Sequence[float], turn: Sequence[float], center: Sequence[float]
) -> Shape | None:
    """A box, cylinder or sphere as the shape of a body with that centre of mass; None where it stands elsewhere, askew,
    or has no size. `turn` is the quaternion of its axes against the body's."""
    if not all(size > 0 for size in sizes.values()):
        return None
    off = np.max(np.abs(np.asarray(at, float) - np.asarray(center, float)))
    if off > ALIGNED * max(sizes.values()):
        return None
    if kind == "sphere":
        return Shape("sphere", sizes)
    turned = matrix(turn)
    if kind == "cylinder":
        k = int(np.argmax(np.abs(turned[:, 2])))
        return Shape("cylinder", sizes, "xyz"[k]) if abs(turned[k, 2]) > 1 - ALIGNED**2 else None
    quarter = np.round(np.abs(turned))
    if np.max(np.abs(np.abs(turned) - quarter)) > ALIGNED:
        return None
    sides = quarter @ np.array([sizes[side] for side in "abc"])
    return Shape("box", dict(zip("abc", map(float, sides), strict=True)))
