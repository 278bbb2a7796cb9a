"""Translational joint (slider, ram).

What moves:   the second body slides along a line of the first, without turning against it.
Zero:         the slide is the distance from the first point to the second along the axis.
Positive:     in the direction of `axis`, given in the first body's axes.
DOF:          1 (slide). Rows: 2.
Formula:      n · (P_j − P_i) = 0 with n square to the axis;  φ_j − φ_i − angle = 0
Degenerate:   an axis of zero length is refused. With `clearance` a simulation lets the slide tilt in its guide; other
              studies take the ideal one.
Checked in:   tests/truth/test_slider_crank.py, tests/truth/test_scotch_yoke.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), eq. 4.11

    [joint.guide]
    type = "translational"
    between = ["ground.O", "slider.P"]
    axis = [1, 0]
"""

from mubo.elements.contacts import GUIDE_CLEARANCE
from mubo.elements.declare import CLOSING, SLIDE_DRIVE, Element, Option, Row

AXIS = Option("axis", "direction", "direction of the slide, in the first body's axes", example=(0.6, 0.8))

TRANSLATIONAL = Element(
    name="translational",
    key="between",
    rows=(
        Row("along", ("point_i", "axis", "point_j"), ("across the axis",)),
        Row("parallel", ("angle",), ("angle",)),
    ),
    dofs=("slide x",),
    options=(
        AXIS,
        Option("angle", "angle", "fixed angle, second body minus first", CLOSING, required=False, example=0.9),
        *SLIDE_DRIVE,
        *GUIDE_CLEARANCE,
    ),
    summary="a slider: a point stays on a line of the other body, the angle between them is fixed",
    word="slider",
    glyph="slider",
    hinge=True,
    coordinate="slide",
    relaxed=("slot",),
)
