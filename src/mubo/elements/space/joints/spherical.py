"""Spherical joint (ball).

What moves:   the second body turns freely about a point. Three and more ends share one ball.
Zero:         the second body's axes against the first are as `zero` says (left out: parallel).
Positive:     right-handed; with `euler` the coordinates are its three angles, else a unit quaternion (w, x, y, z).
DOF:          3 (ball). Rows: 3 for each end after the first.
Formula:      P_i − P_j = 0
Degenerate:   Euler angles are undefined at middle angles 0 and 180 deg (zxz) or ±90 deg (xyz); the motion is not.
              With `clearance` a simulation lets the ball move in its socket.
Checked in:   tests/truth/test_five_body_chain.py, tests/truth/test_space_loops.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 9

    [joint.A]
    type = "spherical"
    between = ["ground.A", "arm.A"]
    euler = "zxz"
"""

from mubo.elements.contacts import CLEARANCE
from mubo.elements.declare import TURN_DRIVE, Element, Row
from mubo.elements.space.options import EULER, ZERO

SPHERICAL = Element(
    name="spherical",
    key="between",
    rows=(Row("coincide", ("point_i", "point_j"), ("x", "y", "z")),),
    dofs=("ball",),
    options=(EULER, ZERO, *TURN_DRIVE, *CLEARANCE),
    summary="a ball: two or more bodies turn freely about a point",
    word="ball",
    glyph="ball",
    hinge=True,
    composite=True,
)
