"""Pin in a slot (point on a line).

What moves:   a point of the second body slides along a line of the first, and the body turns about it.
Zero:         the slide is the distance from the first point to the second along the axis.
Positive:     in the direction of `axis`, given in the first body's axes.
DOF:          2 (slide, turn). Rows: 1.
Formula:      n · (P_j − P_i) = 0 with n square to the axis
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_fixed.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), section 4.2.3

    [joint.slot]
    type = "slot"
    between = ["arm.O", "crank.pin"]
    axis = [1, 0]
"""

from mubo.elements.declare import Element, Row
from mubo.elements.plane.joints.translational import AXIS

SLOT = Element(
    name="slot",
    key="between",
    rows=(Row("along", ("point_i", "axis", "point_j"), ("across the axis",)),),
    dofs=("slide x", "turn z"),
    options=(AXIS,),
    summary="a pin in a slot: a point stays on a line of the other body",
    word="slot",
    glyph="slot",
    hinge=True,
    coordinate="slide",
)
