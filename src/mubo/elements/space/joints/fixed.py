"""Fixed joint (weld) in space.

What moves:   nothing: the two bodies move as one.
Zero:         the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     none.
DOF:          0. Rows: 6.
Formula:      P_i − P_j = 0; x_i · y_j = y_i · z_j = z_i · x_j = 0
Degenerate:   never by itself.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "fixed"
    between = ["ground.A", "arm.A"]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import ZERO

FIXED = Element(
    name="fixed",
    key="between",
    rows=(
        Row("coincide", ("point_i", "point_j"), ("x", "y", "z")),
        Row("perpendicular", ("x_i", "y_j"), ("turn about z",)),
        Row("perpendicular", ("y_i", "z_j"), ("turn about x",)),
        Row("perpendicular", ("z_i", "x_j"), ("turn about y",)),
    ),
    options=(ZERO,),
    summary="a weld: the bodies move as one",
    word="weld",
    glyph="weld",
    hinge=True,
)
