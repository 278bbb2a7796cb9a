"""Revolute joint (pin).

What moves:   the second body turns about a pin fixed in the first. Three and more ends share one pin.
Zero:         the angle is second body minus first, zero where their axes are parallel.
Positive:     counter-clockwise.
DOF:          1 (turn). Rows: 2 for each end after the first.
Formula:      r_i + A_i s_i − r_j − A_j s_j = 0
Degenerate:   never by itself. With `clearance` a simulation lets a journal move in its bearing; other studies take the
              ideal pin.
Checked in:   tests/truth/test_four_bar.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), eq. 4.4; Flores (2010), eq. 2

    [joint.A]
    type = "revolute"
    between = ["ground.A", "crank.A"]
"""

from mubo.elements.contacts import CLEARANCE
from mubo.elements.declare import TURN_DRIVE, Element, Row

REVOLUTE = Element(
    name="revolute",
    key="between",
    rows=(Row("coincide", ("point_i", "point_j"), ("x", "y")),),
    dofs=("turn z",),
    options=(*TURN_DRIVE, *CLEARANCE),
    summary="a pin: two or more points coincide, the bodies turn freely",
    word="pin",
    glyph="pin",
    hinge=True,
    composite=True,
    coordinate="angle",
    relaxed=("slot",),
)
