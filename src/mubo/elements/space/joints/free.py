"""Free joint.

What moves:   the second body moves freely against the first; it gives a body of a tree its six coordinates.
Zero:         the points coincide; the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     along and about the first body's axes; with `euler` the last three coordinates are its angles.
DOF:          6 (three slides, ball). Rows: 0.
Formula:      none
Degenerate:   Euler angles as for the spherical joint.
Checked in:   tests/truth/test_free_body.py, tests/truth/test_stewart_platform.py
Source:       Featherstone, Rigid Body Dynamics Algorithms (2008), section 4.4

    [joint.A]
    type = "free"
    between = ["ground.A", "arm.A"]
    euler = "zxz"
"""

from mubo.elements.declare import Element
from mubo.elements.space.options import EULER, ZERO

FREE = Element(
    name="free",
    key="between",
    rows=(),
    dofs=("slide x", "slide y", "slide z", "ball"),
    options=(EULER, ZERO),
    summary="no constraint: six coordinates of a body that floats",
    word="free joint",
    glyph="free",
    hinge=True,
)
