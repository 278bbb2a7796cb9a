"""Driver of a body coordinate.

What moves:   x, y or φ of a body follows a motion law.
Positive:     x right, y up, φ counter-clockwise.
Rows:         1.
Formula:      x − f(t) = 0, or y, or φ
Checked in:   tests/truth/test_four_bar.py, tests/truth/test_thigh.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), section 4.2.8; Flores (2010), eq. 6

    [driver.motor]
    of = "crank.phi"
    motion = "1.0472 + 6.2832*t"
"""

from mubo.elements.declare import Element, Row

BODY_COORDINATE = Element(
    name="body_coordinate",
    key="of",
    rows=(Row("coordinate", ("coordinate", "zero"), ("",), bodies=("i",)),),
    summary='x, y or phi of a body: of = "crank.phi"',
    moves="coordinate",
    ends="body",
)
