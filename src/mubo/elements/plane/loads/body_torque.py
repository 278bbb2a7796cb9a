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

from mubo.elements.declare import Element, LoadFormula, Option

BODY_TORQUE = Element(
    name="body_torque",
    key="body",
    rows=(),
    formula=LoadFormula("body_torque", law="torque", in_space=(0.0, 0.0, 1.0, 0.0)),  # about z, in ground axes
    options=(
        Option(
            "torque", "law", "size of the torque over time or motion", measures="torque", over="motion", example="0.3"
        ),
    ),
    summary="torque on a body",
    word="torque",
    glyph="torque",
)
