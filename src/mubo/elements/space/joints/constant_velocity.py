"""Constant-velocity joint (homokinetic: Rzeppa, tripod).

What moves:   two shafts swing against each other about a point, but do not turn about themselves against each other.
Zero:         the shafts are straight where the second body's axes against the first are as `zero` says (left out:
              parallel).
Positive:     `axis` is the shaft, in the first body's axes.
DOF:          2 (swing, swing). Rows: 4.
Formula:      P_i − P_j = 0; y_i · x_j − x_i · y_j = 0, z along the shaft
Degenerate:   shafts folded back onto each other (180 deg).
Checked in:   tests/truth/test_constant_velocity.py
Source:       Hunt, Kinematic Geometry of Mechanisms (1978): the swing's axis lies in the plane of symmetry

    [joint.A]
    type = "constant_velocity"
    between = ["input.A", "output.A"]
    axis = [1, 0, 0]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXIS, ZERO

CONSTANT_VELOCITY = Element(
    name="constant_velocity",
    key="between",
    rows=(
        Row("coincide", ("point_i", "point_j"), ("x", "y", "z")),
        Row("untwisted", ("x_i", "y_i", "x_j", "y_j"), ("twist",)),
    ),
    dofs=("swing", "swing"),
    options=(AXIS, ZERO),
    summary="a constant-velocity joint: two shafts swing against each other and turn together",
    word="constant-velocity joint",
    glyph="ball",
    relaxed=("spherical",),
)
