"""Wheel that rolls on or in a circle.

What moves:   a wheel of the second body touches a circle of the first, outside or inside, and rolls on it without slip.
Zero:         none: the rolling is an equation of velocities, so that full turns need not be counted.
Positive:     the normal points from the centre of the circle to that of the wheel.
DOF:          none of its own. Rows: 1 on positions (the distance of the centres), 1 on velocities.
Formula:      |P_j − P_i| − (R ± r) = 0; t · (V_j − V_i) = 0 at the contact, t the tangent; − and r < R inside
Forces:       as of `rolling`: the reaction acts at the contact, with `NAME.contact` and `NAME.friction_needed`.
Degenerate:   inside, the wheel must be smaller than the circle.
Checked in:   tests/truth/test_rolling_plane.py
Source:       Goldstein, Classical Mechanics (1980), chapter 2 (hoop rolling on a cylinder)

    [joint.track]
    type = "rolling_on_circle"
    between = ["ground.O", "wheel.C"]
    radii = [1.0, 0.2]
    side = "inside"
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import Element, Option, Row
from mubo.errors import ModelError

RADII = Option("radii", "lengths", "radii of the track and of what rolls on it", example=(0.9, 0.2), positive=True)
SIDE = Option("side", ("outside", "inside"), "side of the track on which it rolls", "outside", required=False)


def centers(options: Mapping[str, Any]) -> dict[str, list[float]]:
    """The distance of the centres, and the radius of what rolls with its sign: negative inside."""
    track, own = options["radii"]
    if options["side"] != "inside":
        return {"distance": [track + own], "rolling": [own]}
    if not track > own:
        raise ModelError(
            f"a wheel of radius {float(own):.4g} cannot roll inside a track of radius {float(track):.4g}: the track is "
            "curved more tightly than the wheel. Make the wheel smaller, or let it roll outside"
        )
    return {"distance": [track - own], "rolling": [-own]}


ROLLING_ON_CIRCLE = Element(
    name="rolling_on_circle",
    key="between",
    rows=(
        Row("distance", ("point_i", "point_j", "distance"), ("off the circle",)),
        Row("circle_rolling", ("point_i", "point_j", "rolling"), ("slip",), on_velocities=True),
    ),
    options=(RADII, SIDE),
    summary="a wheel that rolls without slip on or in a circle",
    word="rolling wheel",
    glyph="wheel",
    couples=True,
    contact="round",
    derive=centers,
)
