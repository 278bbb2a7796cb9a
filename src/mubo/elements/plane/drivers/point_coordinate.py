"""Driver of a point's coordinate.

What moves:   x or y of a point of a body, or of a point of interest, follows a motion law.
Positive:     x right, y up.
Rows:         1.
Formula:      e · (r + A s) − f(t) = 0, e along x or y
Checked in:   tests/truth/test_drivers.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [driver.feed]
    of = "coupler.P.x"
    motion = "0.2 + 0.1*t"
"""

from mubo.elements.declare import Element, Row

POINT_COORDINATE = Element(
    name="point_coordinate",
    key="of",
    rows=(Row("place", ("point_i", "direction", "zero"), ("",), bodies=("i",)),),
    summary='x or y of a point: of = "coupler.P.x", or "P.x" for a point of interest',
    moves="place",
)
