"""Point on a line.

What moves:   a point of the second body stays on a line of the first.
Zero:         the slide is the distance of the points along the line; turned as `zero` says (left out: parallel).
Positive:     in the direction of `axis`; right-handed.
DOF:          4 (slide, ball). Rows: 2.
Formula:      x_i · d = 0; y_i · d = 0 with d = P_j − P_i
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "point_on_line"
    between = ["ground.A", "arm.A"]
    axis = [1, 0, 0]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXIS, EULER, ZERO

POINT_ON_LINE = Element(
    name="point_on_line",
    key="between",
    rows=(
        Row("inplane", ("point_i", "x_i", "point_j"), ("across, x",)),
        Row("inplane", ("point_i", "y_i", "point_j"), ("across, y",)),
    ),
    dofs=("slide z", "ball"),
    options=(AXIS, EULER, ZERO),
    summary="a bead on a wire: a point stays on a line of the other body",
    word="point on a line",
    glyph="slot",
    hinge=True,
)
