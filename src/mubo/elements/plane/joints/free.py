"""Free joint of the plane.

What moves:   the second body moves freely against the first; it gives a body of a tree its three coordinates.
Zero:         the points coincide and the axes of the two bodies are parallel.
Positive:     along the first body's axes, and counter-clockwise.
DOF:          3 (two slides, turn). Rows: 0. A body that no joint leads to has one to the ground by itself.
Formula:      none
Degenerate:   never.
Checked in:   tests/truth/test_free_bodies_of_the_plane.py
Source:       Featherstone, Rigid Body Dynamics Algorithms (2008), section 4.4

    [joint.A]
    type = "free"
    between = ["ground.O", "stone.C"]
"""

from mubo.elements.declare import Element

FREE = Element(
    name="free",
    key="between",
    rows=(),
    dofs=("slide x", "slide y", "turn z"),
    summary="no constraint: three coordinates of a body that moves freely",
    word="free joint",
    glyph="free",
    hinge=True,
)
