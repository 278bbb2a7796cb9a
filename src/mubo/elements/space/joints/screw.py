"""Screw joint (helical).

What moves:   the second body turns about an axis of the first and advances along it.
Zero:         the points coincide and the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     right-handed about `axis`; `lead` is the advance of one full turn, negative for a left-hand thread.
DOF:          1 (screw). Rows: 5.
Formula:      x_i · d = y_i · d = 0; x_i · z_j = y_i · z_j = 0; z_i · d − lead θ / 2π = 0
Degenerate:   an axis of zero length and a lead of zero are refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "screw"
    between = ["ground.A", "arm.A"]
    axis = [0, 0, 1]
    lead = 0.002
"""

from mubo.elements.declare import Element, Option, Row
from mubo.elements.space.options import AXIS, ZERO

SCREW = Element(
    name="screw",
    key="between",
    rows=(
        Row("inplane", ("point_i", "x_i", "point_j"), ("across, x",)),
        Row("inplane", ("point_i", "y_i", "point_j"), ("across, y",)),
        Row("perpendicular", ("x_i", "z_j"), ("tilt about y",)),
        Row("perpendicular", ("y_i", "z_j"), ("tilt about x",)),
        Row("lead", ("point_i", "z_i", "x_i", "point_j", "x_j", "lead"), ("lead",)),
    ),
    dofs=("screw z",),
    options=(
        AXIS,
        Option("lead", "length", "advance along the axis in one full turn", example=0.4, nonzero=True),
        ZERO,
    ),
    summary="a thread: turns about an axis and advances along it",
    word="screw",
    glyph="screw",
    hinge=True,
    coordinate="angle",
)
