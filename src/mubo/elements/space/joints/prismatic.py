"""Prismatic joint (slider) in space.

What moves:   the second body slides along an axis of the first without turning.
Zero:         the slide is the distance of the points along the axis; turned as `zero` says (left out: parallel).
Positive:     in the direction of `axis`, given in the first body's axes.
DOF:          1 (slide). Rows: 5.
Formula:      x_i · d = 0; y_i · d = 0 with d = P_j − P_i; x_i · y_j = y_i · z_j = z_i · x_j = 0
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "prismatic"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
"""

from mubo.elements.declare import SLIDE_DRIVE, Element, Row
from mubo.elements.space.options import AXIS, ZERO

PRISMATIC = Element(
    name="prismatic",
    key="between",
    rows=(
        Row("inplane", ("point_i", "x_i", "point_j"), ("across, x",)),
        Row("inplane", ("point_i", "y_i", "point_j"), ("across, y",)),
        Row("perpendicular", ("x_i", "y_j"), ("turn about z",)),
        Row("perpendicular", ("y_i", "z_j"), ("turn about x",)),
        Row("perpendicular", ("z_i", "x_j"), ("turn about y",)),
    ),
    dofs=("slide z",),
    options=(AXIS, ZERO, *SLIDE_DRIVE),
    summary="a slider: one body slides along an axis of the other without turning",
    word="slider",
    glyph="slider",
    hinge=True,
    coordinate="slide",
    relaxed=("cylindrical",),
)
