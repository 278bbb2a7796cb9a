"""Driver of the distance between two points (a ram in one line).

What moves:   the distance between points of two bodies follows a motion law.
Positive:     apart.
Rows:         1.
Formula:      |P_j − P_i| − f(t) = 0
Checked in:   tests/truth/test_eight_body.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [driver.ram]
    between = ["ground.N", "boom.M"]
    motion = "1.9 + 0.25*sin(2*t)"
"""

from mubo.elements.declare import Element, Row

POINT_DISTANCE = Element(
    name="point_distance",
    key="between",
    rows=(Row("distance", ("point_i", "point_j", "zero"), ("",)),),
    summary='the distance of two points: between = ["ground.N", "boom.M"]',
    moves="distance",
)
