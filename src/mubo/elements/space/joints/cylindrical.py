"""Cylindrical joint.

What moves:   the second body turns about an axis of the first and slides along it.
Zero:         as `zero` says (left out: parallel axes); the slide is the distance of the points along the axis.
Positive:     right-handed about, and along, `axis`.
DOF:          2 (turn, slide). Rows: 4.
Formula:      x_i · d = 0; y_i · d = 0; x_i · z_j = 0; y_i · z_j = 0
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "cylindrical"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXIS, ZERO

CYLINDRICAL = Element(
    name="cylindrical",
    key="between",
    rows=(
        Row("inplane", ("point_i", "x_i", "point_j"), ("across, x",)),
        Row("inplane", ("point_i", "y_i", "point_j"), ("across, y",)),
        Row("perpendicular", ("x_i", "z_j"), ("tilt about y",)),
        Row("perpendicular", ("y_i", "z_j"), ("tilt about x",)),
    ),
    dofs=("turn z", "slide z"),
    options=(AXIS, ZERO),
    summary="a shaft in a bush: turns about an axis and slides along it",
    word="cylindrical joint",
    glyph="cylinder",
    hinge=True,
)
