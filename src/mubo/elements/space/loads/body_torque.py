"""Torque on a body, in space.

What acts:    turns a body about a direction of the ground or of the body.
Positive:     right-handed about the given direction, of length one.
Formula:      M = f u
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.spin]
    type = "body_torque"
    body = "arm"
    direction = [0, 0, 1]
    torque = "0.3"
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import AXES, TORQUE

BODY_TORQUE = Element(
    name="body_torque",
    key="body",
    rows=(),
    formula=LoadFormula("body_torque", ("direction", "axes"), law="torque"),
    options=(
        Option("direction", "direction", "axis of the torque", example=(0.0, 0.6, 0.8)),
        AXES,
        TORQUE,
    ),
    summary="torque on a body",
    word="torque",
    glyph="torque",
)
