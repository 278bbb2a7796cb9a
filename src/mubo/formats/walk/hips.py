"""Hip centres in the axes of the pelvis: by regression, as given, or by the motion of the thigh about the pelvis.

With the axes of the pelvis x forwards, y up and z to the right, origin midway between the front spines (ASIS), W their
distance, D that from their middle to the rear spines (PSIS) or the sacrum, L from a front spine to the ankle, in mm,

    harrington   (−0.24 D − 9.9, −0.30 W − 10.9, ±(0.33 W + 7.3))
    bell         (−0.19 W, −0.30 W, ±0.36 W)
    leardini     (−0.31 D, −0.096 L, ±0.38 W)

(M. E. Harrington et al., Journal of Biomechanics 40 (2007) 595-602; A. L. Bell, R. A. Brand, D. R. Pedersen, Human
Movement Science 8 (1989) 3-16, as given by Harrington; A. Leardini et al., Journal of Biomechanics 32 (1999) 99-103).
The functional centre c in the pelvis, d in the thigh, is the least-squares solution of R₁ c + t₁ = R₂ d + t₂ over all
frames (R. M. Ehrig et al., Journal of Biomechanics 39 (2006) 2798-2809).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.walk.registration import ClusterMotion
from mubo.quantities.units import Units

REGRESSIONS: dict[str, Callable[[float, float, float], tuple[float, float, float]]] = {  # W, D, L in mm
    "harrington": lambda w, d, leg: (-0.24 * d - 9.9, -0.30 * w - 10.9, 0.33 * w + 7.3),
    "bell": lambda w, d, leg: (-0.19 * w, -0.30 * w, 0.36 * w),
    "leardini": lambda w, d, leg: (-0.31 * d, -0.096 * leg, 0.38 * w),
}
FUNCTIONAL, GIVEN = "functional", "given"
METHODS = (*REGRESSIONS, FUNCTIONAL, GIVEN)
MOST = 0.9  # of the frames: all but those that a marker loses
STILL = 0.1  # of the largest singular value: a direction about which the thigh turns too little to show the centre


def read_given_hip(units: Units, part: str, given: Mapping[str, Any]) -> tuple[float, float, float]:
    """A hip centre that is given in the axes of the pelvis, in the model's unit of length; z is to the side."""
    if set(given) != {"x", "y", "z"}:
        raise ModelError(
            f"{part}: a hip centre of one's own is {{ x = …, y = …, z = … }}, from the middle of the front spines; "
            f"found {', '.join(given) or 'nothing'}"
        )
    x, y, z = (units.in_own(given[axis], "length") for axis in "xyz")
    if not z > 0:
        raise ModelError(f"{part}: z of a hip centre is its distance to the side, on either side positive; found {z:g}")
    return x, y, z


def functional_centre(pelvis: ClusterMotion, thigh: ClusterMotion, part: str) -> tuple[Array, float]:
    """The centre, where it is in the static trial with the pelvis, and the distance of both segments from it, rms."""
    known = np.all(np.isfinite(pelvis.translation + thigh.translation), axis=1)
    lines = np.concatenate([pelvis.rotation[known], -thigh.rotation[known]], axis=2).reshape(-1, 6)
    right = (thigh.translation - pelvis.translation)[known].reshape(-1)
    if len(right) < 6:
        raise ModelError(f"the {part} hip by motion: pelvis and thigh are never seen together")
    solved, _, _, sizes = np.linalg.lstsq(lines, right, rcond=None)
    if sizes[-1] < STILL * sizes[0]:
        raise ModelError(
            f"the {part} hip by motion: the thigh turns too little against the pelvis ({sizes[-1] / sizes[0]:.2g} of "
            f"the largest singular value; {STILL:g} is needed), as in walking",
            suggestion='Give a trial in which the leg circles: functional = "circles.trc", or hip = "harrington".',
        )
    apart = float(np.sqrt(np.mean((lines @ solved - right) ** 2) * 3))
    return np.asarray(solved[:3]), apart


def pelvis_axes(places: tuple[Array, Array, Array], up: str) -> tuple[Array, Array, float, float]:
    """Axes of the pelvis (frames × 3 × 3, in columns), origin, width and depth, by its spines: right, left, rear."""
    right, left, rear = places
    middle = 0.5 * (right + left)
    z = _unit(right - left)
    y = _unit(np.cross(z, middle - rear))
    require_upright(
        y[:, "xyz".index(up[-1])] * (-1 if up.startswith("-") else 1),
        "Name the right marker first in asis. If it is, the laboratory is left-handed: take dimension = 3 with "
        'hand = "left" in [markers].',
    )
    axes = np.stack([np.cross(y, z), y, z], axis=2)
    width = float(np.nanmean(np.linalg.norm(right - left, axis=1)))
    return axes, middle, width, float(np.nanmean(np.linalg.norm(middle - rear, axis=1)))


def require_upright(upwards: Array, suggestion: str) -> None:
    """Refuses a pelvis whose own axis upwards points down in some frames."""
    wrong = upwards < 0
    if not np.any(wrong):
        return
    some = f" in {wrong.sum()} frames, the first of them {int(np.argmax(wrong)) + 1}" if np.mean(wrong) <= MOST else ""
    raise ModelError(
        f"the pelvis is upside down{some}: its right front spine is on the left, or the markers are mirrored",
        suggestion=suggestion,
    )


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
