"""Driver of a coordinate of a point or body in space.

What moves:   x, y or z of a point follows a motion law.
Positive:     along the ground's axes.
Rows:         1.
Formula:      u · P − f(t) = 0
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [driver.lift]
    of = "plate.C.z"
    motion = "0.1*t"
"""

from mubo.elements.declare import Element, Row

POINT_COORDINATE = Element(
    name="point_coordinate",
    key="of",
    rows=(Row("place", ("point_i", "direction", "zero"), ("",), ("i",)),),
    summary='a coordinate of a point: of = "plate.C.z", or of a body: "plate.z"',
    moves="place",
)
