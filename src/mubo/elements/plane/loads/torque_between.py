"""Torque between two bodies, in the plane.

What acts:    turns the second body, and the first body in the opposite sense. Its size may depend on its own `angle`
              (second body minus first) and `rate`.
Positive:     counter-clockwise on the second body.
Formula:      M_j = f, M_i = −f
Checked in:   tests/truth/test_loads_between.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapter 9

    [force.motor]
    type = "torque_between"
    between = ["frame", "rotor"]
    torque = "3 - 0.02*rate"
"""

from mubo.elements.declare import Element, LoadFormula
from mubo.elements.loads.options import TORQUE

TORQUE_BETWEEN = Element(
    name="torque_between",
    key="between",
    ends="body",
    rows=(),
    formula=LoadFormula("effort", law="torque", own=("angle", "rate")),
    options=(TORQUE,),
    summary="torque between two bodies",
    word="torque",
    glyph="torque",
)
