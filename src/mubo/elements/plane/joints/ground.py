"""Ground constraint.

What moves:   nothing: the body stays where its position and angle put it.
DOF:          0. Rows: 3.
Formula:      x − x₀ = 0,  y − y₀ = 0,  φ − φ₀ = 0
Degenerate:   never. A grounded body has no unknowns: its three rows are met by construction.
Checked in:   tests/truth/test_four_bar.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), section 4.2.7

    [joint.base]
    type = "ground"
    body = "frame"
"""

from mubo.elements.declare import Element

GROUND = Element(
    name="ground",
    key="body",
    rows=(),
    summary="a body that stays where its position and angle put it",
    word="ground",
    ends="body",
    anchors=True,
)
