"""Torque on a body, in the plane.

What acts:    turns a body.
Positive:     counter-clockwise.
Formula:      M = f
Checked in:   tests/truth/test_plane_loads.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapter 9

    [force.spin]
    type = "body_torque"
    body = "arm"
    torque = "0.3"
"""

from mubo.elements.declare import Element, LoadFormula
from mubo.elements.loads.options import TORQUE

BODY_TORQUE = Element(
    name="body_torque",
    key="body",
    rows=(),
    formula=LoadFormula("body_torque", law="torque", in_space=(0.0, 0.0, 1.0, 0.0)),  # about z, in ground axes
    options=(TORQUE,),
    summary="torque on a body",
    word="torque",
    glyph="torque",
)
