"""Driver of a screw.

What moves:   the turn of a screw joint follows a motion law; all full turns count, because the slide counts them.
Positive:     right-handed about the joint's axis, second body against the first.
Rows:         1.
Formula:      z_i · (P_j − P_i) − lead f(t) / 2π = 0
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [driver.handle]
    of = "thread"
    motion = "2*pi*t"
"""

from mubo.elements.declare import Element, Row

JOINT_SCREW = Element(
    name="joint_screw",
    key="of",
    rows=(Row("inplane", ("point_i", "along", "point_j"), ("",)),),
    summary='the turn of a screw joint: of = "thread"',
    moves="screw",
    turns=True,
)
