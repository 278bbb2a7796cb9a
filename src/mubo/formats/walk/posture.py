"""Markers of a leg that no person has: upside down, mirrored, markers of another joint, heel and toe exchanged.

The hip of a person who walks is above the knee and this above the ankle; thigh and shank keep their length; the toe
points forwards from the heel; the knee flexes backwards, so that θ_thigh − θ_shank is
positive on the mean. Each is tested by its mean over the whole record. Axes that are reversed change
the sense of the foot and of the knee together, exchanged markers that of the foot alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.walk.axes import LOWER, UPPER, Axes, Named, mean_place
from mubo.formats.walk.places import Place
from mubo.quantities.unit_algebra import FACTORS

LEG, USUAL = (0.25, 1.4), (0.5, 1.1)  # m from hip to ankle: of children and giants, and usually
TALL = (0.15, 2.2)  # m from the feet to the mean of hips, pelvis and shoulders
SPREAD = 0.1  # standard deviation of the length of a segment over its mean: skin moves by a few hundredths
TILTED = math.radians(25.0)  # of the line from heel to toe: a foot that is steeper does not stand
UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1e3, "inch": 0.0254}


def foot_slope(data: MotionData, leg: Mapping[str, tuple[str, ...]], axes: Axes) -> float | None:
    """The angle of the line from heel to toe from the floor in radians, the median; None where markers are missing."""
    ends = []
    for end in ("heel", "toe"):
        if not all(f"{name}.{axis}" in data.columns for name in leg[end] for axis in "xyz"):
            return None
        ends.append(np.mean([[data.columns[f"{name}.{axis}"] for axis in "xyz"] for name in leg[end]], axis=0))
    line = ends[1] - ends[0]
    up = axes.signs[1] * line["xyz".index(axes.letters[1])]
    return float(np.nanmedian(np.arcsin(up / np.linalg.norm(line, axis=0))))


def require_posture(path: object, axes: Axes, side: str, leg: Sequence[Place]) -> None:
    """Refuses a leg, by its hip, knee, ankle, heel and toe, that stands on its head or bends to the wrong side."""
    hip, knee, ankle, heel, toe = (np.array([part.value for part in place]) for place in leg)
    height = float(np.nanmean(hip[1] - ankle[1]))
    if height < 0:
        raise ModelError(
            f"{path}: the {side} hip is below the ankle, by {-height:.4g} on the mean: up points down",
            suggestion=f'Write up = "{_reversed(axes.up)}" in [markers].',
        )
    _require_knee(path, side, hip, knee, ankle)
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


def _require_knee(path: object, side: str, hip: Array, knee: Array, ankle: Array) -> None:
    """Refuses a knee that is not between hip and ankle, or at no fixed distance from them."""
    for above, upper, below, lower in (("hip", hip, "knee", knee), ("knee", knee, "ankle", ankle)):
        apart = float(np.nanmean(lower[1] - upper[1]))
        if apart > 0:
            raise ModelError(
                f"{path}: the {side} {below} is above the {above}, by {apart:.4g} on the mean: their markers are "
                "exchanged",
                suggestion=f"Look at the markers of {above} and {below} of {side} in [markers].",
            )
        length = np.hypot(*(lower - upper))
        part = float(np.nanstd(length) / np.nanmean(length))
        if part > SPREAD:
            raise ModelError(
                f"{path}: the distance of the {side} {above} and {below} varies by {100 * part:.0f} % (standard "
                "deviation): their markers are not on one segment",
                suggestion=f"Look at the markers of {above} and {below} of {side} in [markers]: one is elsewhere.",
            )


def require_size(path: object, side: str, leg: Sequence[Place], metre: float) -> None:
    """Refuses a leg that no person has; `metre` is one metre in the unit of the places."""
    hip, _, ankle, _, _ = (np.array([part.value for part in place]) for place in leg)
    length = float(np.nanmedian(np.linalg.norm(hip - ankle, axis=0))) / metre
    if not LEG[0] < length < LEG[1]:
        likely = [unit for unit, size in UNITS.items() if USUAL[0] < length * size < USUAL[1]]
        looks = f": the unit of the file looks wrong by {UNITS[likely[0]]:g}" if likely else ""
        raise ModelError(
            f"{path}: the {side} leg is {length:.3g} m long from hip to ankle{looks}",
            suggestion="Look at the unit of the markers (Units of .trc, POINT:UNITS of .c3d) and at their names.",
        )


def require_sides(apart: Mapping[str, Array], across: Array) -> None:
    """Refuses legs that are on each other's side, by the lines from left to right joints and that of the pelvis."""
    for joint, line in apart.items():
        wide = float(np.nanmedian(np.einsum("fi,fi->f", line, across)))
        if wide < 0:
            raise ModelError(
                f"the right {joint} is {-wide:.3g} to the left of the left one: the legs are exchanged",
                suggestion="Exchange the markers of right and left in [markers], or those of asis.",
            )


def require_extent(data: MotionData, named: Named) -> None:
    """Refuses a person of three-dimensional markers that is no person's size, before anything else is judged by it."""
    body, feet = (mean_place(data, named, joints) for joints in (UPPER, LOWER))
    if body is None or feet is None:
        return
    high = float(np.linalg.norm(body - feet)) * FACTORS["length"][data.length_unit or "m"]
    if not TALL[0] < high < TALL[1]:
        likely = [unit for unit, size in UNITS.items() if USUAL[0] < high * size < 1.3 * USUAL[1]]
        looks = f": the unit of the file looks wrong by {UNITS[likely[0]]:g}" if likely else ": its unit looks wrong"
        raise ModelError(
            f"{data.path}: hips, pelvis and shoulders are {high:.3g} m from the feet on the mean{looks}",
            suggestion="Look at the unit of the markers (Units of .trc, POINT:UNITS of .c3d) and at their names.",
        )


def _reversed(axis: str) -> str:
    return axis[1:] if axis.startswith("-") else f"-{axis}"


def _sine(first: Array, middle: Array, last: Array) -> Array:
    """Sine of the flexion at the middle one of three places, (QR × PQ)/(|PQ| |QR|): positive where R is bent back."""
    a, b = middle - first, last - middle
    return np.asarray((b[0] * a[1] - b[1] * a[0]) / (np.hypot(*a) * np.hypot(*b)))
