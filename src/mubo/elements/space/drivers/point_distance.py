"""Driver of the distance of two points in space.

What moves:   the distance of two points follows a motion law: a ram, a leg.
Positive:     the distance grows.
Rows:         1.
Formula:      |P_j − P_i| − f(t) = 0
Checked in:   tests/truth/test_stewart_platform.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [driver.leg1]
    between = ["ground.B1", "plate.P1"]
    motion = "1 + 0.1*t"
"""

from mubo.elements.declare import Element, Row

POINT_DISTANCE = Element(
    name="point_distance",
    key="between",
    rows=(Row("distance", ("point_i", "point_j", "zero"), ("",)),),
    summary='the distance of two points: between = ["ground.B1", "plate.P1"]',
    moves="distance",
)
