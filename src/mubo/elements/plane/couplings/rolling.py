"""Wheel that rolls on a line.

What moves:   a wheel of the second body touches a line of the first and rolls on it without slip.
Zero:         `offset` is slide + r · turn, at the estimates if left out.
Positive:     a wheel on the left of `axis` that turns counter-clockwise runs against the axis.
DOF:          none of its own. Rows: 2: in the plane rolling on a line can be integrated, so both are on positions.
Formula:      n · (P_j − P_i) ∓ r = 0; u · (P_j − P_i) ± r (φ_j − φ_i) − offset = 0; upper sign on the left of the axis
Forces:       the reaction acts at the contact; `NAME.contact` is the normal force and `NAME.friction_needed` the
              coefficient of friction |T| / N that rolling takes. The contact does not open: a negative one pulls.
Degenerate:   the radius must be positive, the axis must have a length.
Checked in:   tests/truth/test_rolling_plane.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [joint.road]
    type = "rolling"
    between = ["ground.O", "wheel.C"]
    axis = [1, 0]
    radius = 0.3
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import CLOSING, Element, Option, Row


def _signed(options: Mapping[str, Any]) -> dict[str, list[float]]:
    return {"rolling": [options["radius"] if options["side"] == "left" else -options["radius"]]}


ROLLING = Element(
    name="rolling",
    key="between",
    rows=(
        Row("touch", ("point_i", "axis", "point_j", "rolling"), ("off the line",)),
        Row("roll", ("point_i", "axis", "point_j", "rolling", "offset"), ("slip",)),
    ),
    options=(
        Option("axis", "direction", "direction of the line, in the first body's axes", example=(0.6, 0.8)),
        Option("radius", "length", "radius of the wheel", example=0.3, positive=True),
        Option("side", ("left", "right"), "side of the axis on which the wheel lies", "left", required=False),
        Option("offset", "length", "slide + r · turn of the contact", CLOSING, required=False),
    ),
    summary="a wheel that touches a line and rolls on it without slip",
    word="rolling wheel",
    glyph="wheel",
    couples=True,
    contact="line",
    derive=_signed,
)
