"""Point on a plane.

What moves:   a point of the second body stays in a plane of the first.
Zero:         the points coincide; the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     along two axes square to `axis`, the normal; right-handed.
DOF:          5 (slide, slide, ball). Rows: 1.
Formula:      z_i · d = 0 with d = P_j − P_i, z along the normal
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "point_on_plane"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXIS, EULER, ZERO

POINT_ON_PLANE = Element(
    name="point_on_plane",
    key="between",
    rows=(Row("inplane", ("point_i", "z_i", "point_j"), ("off the plane",)),),
    dofs=("slide x", "slide y", "ball"),
    options=(AXIS, EULER, ZERO),
    summary="a ball on a table: a point stays in a plane of the other body",
    word="point on a plane",
    glyph="plane",
    hinge=True,
)
