"""Coupler of two joint coordinates.

What moves:   the second of two joint coordinates follows the first: gears, belts, cables, mimicking fingers, the
              rolling of a knee.
Zero:         as `offset`, `polynomial` or `points` say; without them both coordinates are zero together.
Positive:     those of the joints; a negative `ratio` reverses the sense.
DOF:          none of its own. Rows: 1.
Formula:      q₂ − (offset + ratio q₁) = 0; with `polynomial` q₂ − (c₀ + c₁ q₁ + c₂ q₁² + …) = 0; with `points` the
              cubic spline through them, straight beyond its ends
Ends:         the points of the moved bodies, where the coupler is drawn and its reaction is reported.
Degenerate:   the coordinates are turns, slides or screws, of two different joints, no balls. A turn q₁ lies between −π
              and π, unless both are turns and the ratio is a fraction m/n with n up to 12: then any number of turns.
Checked in:   tests/truth/test_coupler.py
Source:       Uicker, Pennock and Shigley, Theory of Machines and Mechanisms (2011), 9.2 (ratios of trains); MuJoCo, XML
              reference: equality/joint; OpenSim, CoordinateCouplerConstraint

    [joint.fingers]
    type = "coupler"
    between = ["left.A", "right.B"]
    of = ["A", "B"]
    ratio = -1
"""

from mubo.elements.declare import Element, Option, Row

COUPLER = Element(
    name="coupler",
    key="between",
    rows=(Row("coupler", ("first", "second", "count"), ("coordinates",), ("i", "j", "k", "l")),),
    options=(
        Option("of", "names", "the two joint coordinates, of which the second follows the first", example=("A", "B")),
        Option("ratio", "number", "rate of the second per rate of the first, per radian or unit of length", 1.0, False),
        Option("offset", "number", "the second where the first is zero, in radians or the unit of length", 0.0, False),
        Option("polynomial", "numbers", "up to six coefficients, the constant first, in place of ratio", None, False),
        Option("points", "samples", "pairs [first, second] that a spline connects, in place of ratio", None, False),
    ),
    summary="a joint coordinate that follows another one",
    word="coupler",
    glyph="rod",
    couples=True,
    relates=True,
)
