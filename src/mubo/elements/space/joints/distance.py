"""Massless link in space.

What moves:   the distance of two points stays the same.
Zero:         none.
Positive:     the length is positive.
DOF:          5 (two swings, ball). Rows: 1. It closes loops; it is no hinge of a tree.
Formula:      |P_j − P_i| − length = 0
Degenerate:   points that coincide: refused.
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "distance"
    between = ["ground.A", "arm.A"]
    length = 0.5
"""

from mubo.elements.declare import Element, Option, Row

DISTANCE = Element(
    name="distance",
    key="between",
    rows=(Row("distance", ("point_i", "point_j", "length"), ("length",)),),
    dofs=("swing", "swing", "ball"),
    options=(Option("length", "length", "distance of the two points", positive=True, example=0.9),),
    summary="a rod without mass: two points keep their distance",
    word="massless rod",
    glyph="rod",
)
