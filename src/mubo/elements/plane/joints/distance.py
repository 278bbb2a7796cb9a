"""Distance (a massless link with two pins).

What moves:   the second point moves on a circle about the first; both bodies turn freely.
DOF:          2 (swing, turn). Rows: 1.
Formula:      |P_j − P_i| − length = 0
Degenerate:   where the points coincide the direction is lost: a length of zero is refused.
Checked in:   tests/truth/test_distance.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [joint.link]
    type = "distance"
    between = ["crank.B", "rocker.C"]
    length = 4
"""

from mubo.elements.declare import CLOSING, Element, Option, Row

DISTANCE = Element(
    name="distance",
    key="between",
    rows=(Row("distance", ("point_i", "point_j", "length"), ("length",)),),
    dofs=("swing", "turn"),
    options=(
        Option("length", "length", "distance of the points", CLOSING, required=False, example=0.7, positive=True),
    ),
    summary="a massless link: two points keep their distance",
    word="massless link",
    glyph="rod",
)
