"""Revolute joint (hinge) in space.

What moves:   the second body turns about an axis fixed in both. Three and more ends share one pin, each with its angle.
Zero:         the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     right-handed about `axis`, given in the first body's axes.
DOF:          1 (turn). Rows: 5 for each end after the first.
Formula:      P_i − P_j = 0; x_i · z_j = 0; y_i · z_j = 0, z along the axis
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_pendulum.py, tests/truth/test_space_loops.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "revolute"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
"""

from mubo.elements.declare import TURN_DRIVE, Element, Row
from mubo.elements.space.options import AXIS, ZERO

REVOLUTE = Element(
    name="revolute",
    key="between",
    rows=(
        Row("coincide", ("point_i", "point_j"), ("x", "y", "z")),
        Row("perpendicular", ("x_i", "z_j"), ("tilt about y",)),
        Row("perpendicular", ("y_i", "z_j"), ("tilt about x",)),
    ),
    dofs=("turn z",),
    options=(AXIS, ZERO, *TURN_DRIVE),
    summary="a hinge: two or more bodies turn about one axis",
    word="hinge",
    glyph="hinge",
    hinge=True,
    composite=True,
    coordinate="angle",
    relaxed=("cylindrical", "spherical"),
)
