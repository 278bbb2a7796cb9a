"""Coordinate constraint (KABIOS: simple constraint).

What moves:   everything but one coordinate of the body.
DOF:          2. Rows: 1.
Formula:      x − value = 0, or y, or φ
Degenerate:   never.
Checked in:   tests/truth/test_scotch_yoke.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), eqs. 4.31 to 4.33

    [joint.level]
    type = "coordinate"
    of = "slider.y"
    value = 0
"""

from mubo.elements.declare import CLOSING, Element, Option, Row

COORDINATE = Element(
    name="coordinate",
    key="of",
    rows=(Row("coordinate", ("coordinate", "value"), ("",), bodies=("i",)),),
    dofs=("slide", "turn"),
    options=(Option("value", "coordinate", "value of the fixed coordinate", CLOSING, required=False, example=0.0),),
    summary="one coordinate (x, y or phi) of a body is fixed",
    word="fixed coordinate",
    ends="body",
)
