"""Driver of a sliding joint (a ram).

What moves:   the slide of a translational joint or slot, from the first point to the second, follows a motion law.
Positive:     along the joint's axis.
Rows:         1.
Formula:      u · (P_j − P_i) − f(t) = 0
Checked in:   tests/truth/test_eight_body.py
Source:       Tartari, Problem 12 (2019), section 3.3

    [driver.ram]
    of = "cylinder"
    motion = { harmonic = { mean = 1.9, amplitude = 0.25, rate = 2 } }
"""

from mubo.elements.declare import Element, Row

JOINT_SLIDE = Element(
    name="joint_slide",
    key="of",
    rows=(Row("slide", ("point_i", "axis", "point_j", "zero"), ("",)),),
    summary='the slide of a translational joint or slot: of = "ram"',
    moves="slide",
)
