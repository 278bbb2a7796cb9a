"""Universal joint (Hooke, Cardan).

What moves:   the second body turns about an axis fixed in the first and one fixed in itself, square to each other.
Zero:         the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     right-handed about the axes; the first turn comes first. `axes` are both written in the first body's axes
              as they are at zero; then the first moves with the first body and the second with the second body.
DOF:          2 (turn, turn). Rows: 4.
Formula:      P_i − P_j = 0; x_i · y_j = 0, x along the first axis, y along the second
Degenerate:   axes that are not square to each other are refused; one that is not square to the shaft of its body, as
              it is in Hooke's joint, is noted.
Checked in:   tests/truth/test_hooke_joint.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "universal"
    between = ["ground.A", "arm.A"]
    axes = [[1, 0, 0], [0, 1, 0]]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXES, ZERO

UNIVERSAL = Element(
    name="universal",
    key="between",
    rows=(
        Row("coincide", ("point_i", "point_j"), ("x", "y", "z")),
        Row("perpendicular", ("x_i", "y_j"), ("cross",)),
    ),
    dofs=("turn x", "turn y"),
    options=(AXES, ZERO),
    summary="a cross: turns about two axes square to each other",
    word="cross",
    glyph="cross",
    hinge=True,
    relaxed=("spherical",),
)
