"""Oldham coupling.

What moves:   the second body slides in any direction against the first, without turning against it.
Zero:         the slides are the vector from the first point to the second, along `axis` and across it.
Positive:     in the direction of `axis`, given in the first body's axes; then a quarter turn counter-clockwise from it.
DOF:          2 (slide, slide). Rows: 1.
Formula:      φ_j − φ_i − angle = 0
Degenerate:   an axis of zero length is refused.
Checked in:   tests/truth/test_oldham.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), eq. 4.11, second row

    [joint.coupling]
    type = "oldham"
    between = ["input.O", "output.O"]
"""

from mubo.elements.declare import CLOSING, Element, Option, Row

OLDHAM = Element(
    name="oldham",
    key="between",
    rows=(Row("parallel", ("angle",), ("angle",)),),
    dofs=("slide x", "slide y"),
    options=(
        Option(
            "axis", "direction", "direction of the first slide", default=(1.0, 0.0), required=False, example=(0.6, 0.8)
        ),
        Option("angle", "angle", "fixed angle, second body minus first", CLOSING, required=False, example=0.9),
    ),
    summary="an Oldham coupling: the angle between the bodies is fixed, they slide freely",
    word="Oldham coupling",
    glyph="slot",
    hinge=True,
)
