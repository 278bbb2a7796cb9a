"""Driver of a turn of a spatial joint.

What moves:   a turning coordinate of a joint follows a motion law.
Positive:     right-handed about the joint's axis, second body against the first.
Rows:         1.
Formula:      atan2(y_i · x_j, x_i · x_j) − f(t) = 0, up to full turns
Checked in:   tests/truth/test_hooke_joint.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [driver.motor]
    of = "A"
    motion = "2*t"
"""

from mubo.elements.declare import Element, Row

JOINT_TURN = Element(
    name="joint_turn",
    key="of",
    rows=(Row("turn", ("from", "toward", "arm"), ("",)),),
    summary='a turn of a joint: of = "A", or "A.q1" where it has several coordinates',
    moves="turn",
    turns=True,
)
