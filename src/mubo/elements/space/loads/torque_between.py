"""Torque between two bodies, in space.

What acts:    turns the second body about a direction of one of the two, and the first body in the opposite sense; a
              motor in a ball, whose degrees of freedom have no coordinate for an effort.
Positive:     right-handed about the given direction, of length one, on the second body.
Formula:      M_j = f u, M_i = −f u
Checked in:   tests/truth/test_torque_between.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.shoulder]
    type = "torque_between"
    between = ["trunk", "arm"]
    direction = [0, 0, 1]
    torque = "0.3"
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import TORQUE

TORQUE_BETWEEN = Element(
    name="torque_between",
    key="between",
    ends="body",
    rows=(),
    formula=LoadFormula("torque_between", ("direction", "axes"), law="torque"),
    options=(
        Option("direction", "direction", "axis of the torque", example=(0.0, 0.6, 0.8)),
        Option(
            "axes",
            ("first", "second"),
            "the body in whose axes the direction is fixed",
            default="first",
            required=False,
        ),
        TORQUE,
    ),
    summary="torque between two bodies",
    word="torque",
    glyph="torque",
)
