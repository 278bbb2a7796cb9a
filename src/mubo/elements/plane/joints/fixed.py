"""Fixed joint (weld).

What moves:   nothing: the second body moves with the first.
Zero:         `angle` is second body minus first.
DOF:          0. Rows: 3.
Formula:      r_i + A_i s_i − r_j − A_j s_j = 0;  φ_j − φ_i − angle = 0
Degenerate:   never by itself.
Checked in:   tests/truth/test_fixed.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [joint.weld]
    type = "fixed"
    between = ["crank.B", "arm.B"]
    angle = "90 deg"
"""

from mubo.elements.declare import CLOSING, Element, Option, Row

FIXED = Element(
    name="fixed",
    key="between",
    rows=(Row("coincide", ("point_i", "point_j"), ("x", "y")), Row("parallel", ("angle",), ("angle",))),
    options=(Option("angle", "angle", "fixed angle, second body minus first", CLOSING, required=False, example=0.9),),
    summary="a weld: two bodies move as one",
    word="weld",
    glyph="weld",
    hinge=True,
    relaxed=("revolute",),
)
