"""Rack and pinion.

What moves:   a wheel of the second body rolls on a line of the first.
Zero:         `offset` is slide + r · turn, at the estimates if left out.
Positive:     a wheel on the left of `axis` that turns counter-clockwise runs against the axis.
DOF:          none of its own. Rows: 1.
Formula:      u · (P_j − P_i) ± r (φ_j − φ_i) − offset = 0, + where the wheel lies on the left of the axis
Degenerate:   the radius must be positive, the axis must have a length.
Checked in:   tests/truth/test_gears.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [joint.rack]
    type = "rack"
    between = ["rack.O", "pinion.C"]
    axis = [1, 0]
    radius = 15
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import CLOSING, Element, Option, Row


def _signed(options: Mapping[str, Any]) -> dict[str, list[float]]:
    return {"rolling": [options["radius"] if options["side"] == "left" else -options["radius"]]}


RACK = Element(
    name="rack",
    key="between",
    rows=(Row("roll", ("point_i", "axis", "point_j", "rolling", "offset"), ("mesh",)),),
    options=(
        Option("axis", "direction", "direction of the rack, in its own axes", example=(0.6, 0.8)),
        Option("radius", "length", "pitch radius of the wheel", example=0.3, positive=True),
        Option("side", ("left", "right"), "side of the axis on which the wheel lies", "left", required=False),
        Option("offset", "length", "slide + r · turn of the mesh", CLOSING, required=False),
    ),
    summary="a wheel that rolls on a straight rack",
    word="rack",
    glyph="rack",
    couples=True,
    derive=_signed,
)
