"""Planar joint.

What moves:   the second body slides in a plane of the first and turns about its normal.
Zero:         the points coincide; the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     along `along` and along axis × along, and right-handed about `axis`. Left out, `along` is the ground-like
              axis x, y or z of the first body that follows the one nearest to `axis`, made square to it.
DOF:          3 (slide, slide, turn). Rows: 3.
Formula:      z_i · d = 0; x_i · z_j = 0; y_i · z_j = 0, z along the normal
Degenerate:   an axis of zero length is refused, and an `along` that is not square to it.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "planar"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
    along = [0, 1, 0]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import ALONG, AXIS, ZERO

PLANAR = Element(
    name="planar",
    key="between",
    rows=(
        Row("inplane", ("point_i", "z_i", "point_j"), ("off the plane",)),
        Row("perpendicular", ("x_i", "z_j"), ("tilt about y",)),
        Row("perpendicular", ("y_i", "z_j"), ("tilt about x",)),
    ),
    dofs=("slide x", "slide y", "turn z"),
    options=(AXIS, ALONG, ZERO),
    summary="a face on a face: slides in a plane and turns about its normal",
    word="planar joint",
    glyph="plane",
    hinge=True,
)
