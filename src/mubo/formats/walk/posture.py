"""Markers of a leg that no person has: upside down, mirrored, heel and toe exchanged.

The hip of a person who walks is above the ankle; the toe points forwards from the heel; the knee flexes backwards, so
that θ_thigh − θ_shank is positive on the mean. Each is tested by its mean over the whole record. Axes that are reversed
change the sense of the foot and of the knee together, exchanged markers that of the foot alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.walk.axes import Axes
from mubo.formats.walk.places import Place


def require_posture(path: object, axes: Axes, side: str, leg: Sequence[Place]) -> None:
    """Refuses a leg, by its hip, knee, ankle, heel and toe, that stands on its head or bends to the wrong side."""
    hip, knee, ankle, heel, toe = (np.array([part.value for part in place]) for place in leg)
    height = float(np.nanmean(hip[1] - ankle[1]))
    if height < 0:
        raise ModelError(
            f"{path}: the {side} hip is below the ankle, by {-height:.4g} on the mean: up points down",
            suggestion=f'Write up = "{_reversed(axes.up)}" in [markers].',
        )
    forwards = float(np.nanmean(toe[0] - heel[0]))
    if forwards >= 0:
        return
    flexion = float(np.nanmean(_sine(hip, knee, ankle)))
    behind = f"{path}: the {side} toe is behind the heel, by {-forwards:.4g} on the mean"
    if flexion < 0:
        raise ModelError(
            f"{behind}, and the knee bends forwards: the markers are mirrored",
            suggestion=f'Write forward = "{_reversed(axes.forward)}" in [markers]; plates with other axes give theirs.',
        )
    raise ModelError(
        f"{behind}, while the knee bends backwards as it should: heel and toe are exchanged",
        suggestion=f"Exchange the markers of heel and toe of {side} in [markers].",
    )


def _reversed(axis: str) -> str:
    return axis[1:] if axis.startswith("-") else f"-{axis}"


def _sine(first: Array, middle: Array, last: Array) -> Array:
    """Sine of the flexion at the middle one of three places, (QR × PQ)/(|PQ| |QR|): positive where R is bent back."""
    a, b = middle - first, last - middle
    return np.asarray((b[0] * a[1] - b[1] * a[0]) / (np.hypot(*a) * np.hypot(*b)))
