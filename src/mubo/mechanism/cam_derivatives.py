"""How the profile of a cam changes with parameters: slopes of its coefficients, at fixed angles of the cam.

Without an offset the profile is base + roller + lift, turned by `travel`: its pieces are linear in the values and
derivatives of the lift at their ends, so that the slopes of those make the pieces of the slope.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.tangent import all_slopes, lifted
from mubo.mechanism.cam_lift import CamLayout, knots_of
from mubo.mechanism.profiles import TURN, CamProfile, join_pieces
from mubo.model import Joint, Units
from mubo.model.dependence import depends

POWERS = np.arange(1, 6)


def profile_derivatives(joint: Joint, profile: CamProfile, units: Units, names: Sequence[str]) -> Array:
    """Slopes of the six coefficients of every piece: names × pieces × 6."""
    options, names = joint.options, tuple(names)
    for key in ("contour", "offset"):
        if key in options and (key == "contour" or float(options[key] or 0.0) or depends(options[key], names)):
            raise ModelError(f"joint {joint.name}: slopes of a cam with {key} are not known", names=[joint.name])
    out = np.zeros((len(names), *profile.coefficients.shape))
    if depends(options["lift"], names):
        out += _lift_derivatives(joint, units, names)
    for key in ("base", "roller"):
        out[:, :, 0] += all_slopes(options.get(key, 0.0), names)[:, None]
    turned = np.zeros_like(profile.coefficients)
    turned[:, :5] = POWERS * profile.coefficients[:, 1:]
    return out - all_slopes(options.get("travel") or 0.0, names)[:, None, None] * turned


def _lift_derivatives(joint: Joint, units: Units, names: tuple[str, ...]) -> Array:
    law, factor = joint.options["lift"], units.angle_factor()
    try:
        law.slopes(np.zeros(1), names)  # refuses laws that do not know them
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
    knots, middles = knots_of(law, TURN / factor)
    scale = np.array([1.0, 1 / factor, 1 / factor**2])
    ends = [all_slopes(law.at(lifted(at, 0.0, names), middles), names) * scale for at in (knots[:-1], knots[1:])]
    layout, angles = CamLayout.of({"base": 0.0, **joint.options}), knots * factor
    start = layout.travel + (-angles[0] if layout.falling else angles[0])
    return np.array(
        [
            join_pieces(start, np.diff(angles), left, right, falling=layout.falling).coefficients
            for left, right in zip(*ends, strict=True)
        ]
    )
