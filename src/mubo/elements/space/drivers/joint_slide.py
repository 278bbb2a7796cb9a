"""Driver of a slide of a spatial joint.

What moves:   a sliding coordinate of a joint follows a motion law.
Positive:     along the axis of the slide.
Rows:         1.
Formula:      u_i · (P_j − P_i) − f(t) = 0
Checked in:   tests/truth/test_space_joints.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [driver.ram]
    of = "guide"
    motion = "0.1*t"
"""

from mubo.elements.declare import Element, Row

JOINT_SLIDE = Element(
    name="joint_slide",
    key="of",
    rows=(Row("inplane", ("point_i", "along", "point_j"), ("",)),),
    summary='a slide of a joint: of = "guide", or "guide.q2"',
    moves="slide",
)
