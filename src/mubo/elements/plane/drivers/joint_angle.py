"""Driver of a revolute joint.

What moves:   the angle of the joint, second body minus first, follows a motion law.
Positive:     counter-clockwise.
Rows:         1.
Formula:      φ_j − φ_i − f(t) = 0
Checked in:   tests/truth/test_drivers.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [driver.elbow]
    of = "B"
    motion = "0.3*sin(2*t)"
"""

from mubo.elements.declare import Element, Row

JOINT_ANGLE = Element(
    name="joint_angle",
    key="of",
    rows=(Row("parallel", ("zero",), ("",)),),
    summary='the angle of a revolute joint: of = "A"',
    moves="angle",
    turns=True,
)
