"""Sphere that rolls on or in a sphere.

What moves:   a sphere of the second body touches a sphere of the first, outside or inside, and rolls on it without
              slip.
Zero:         none.
Positive:     the normal points from the centre of the first sphere to that of the second. `axis`, in the first body's
              axes, is a direction in which the contact may lie: opposite to it the slip has no axes.
DOF:          none of its own. Rows: 1 on positions (the distance of the centres), 2 on velocities (no slip).
Formula:      |P_j − P_i| − (R ± r) = 0; t · (V_j − V_i) = 0 at the contact for two tangents t; − and r < R inside
Forces:       as of `rolling`: the reaction acts at the contact, with `NAME.contact` and `NAME.friction_needed`.
Degenerate:   inside, the sphere must be smaller than the other one.
Checked in:   tests/truth/test_rolling_space.py
Source:       Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), chapter III

    [joint.bowl]
    type = "rolling_on_sphere"
    between = ["ground.O", "ball.C"]
    axis = [0, 0, -1]
    radii = [1.0, 0.1]
    side = "inside"
"""

from mubo.elements.declare import Element, Option, Row
from mubo.elements.plane.couplings.rolling_on_circle import RADII, SIDE, centers

ROLLING_ON_SPHERE = Element(
    name="rolling_on_sphere",
    key="between",
    rows=(
        Row("distance", ("point_i", "point_j", "distance"), ("off the sphere",)),
        Row(
            "sphere_rolling",
            ("x_i", "y_i", "z_i", "point_i", "point_j", "rolling"),
            ("slip x", "slip y"),
            on_velocities=True,
        ),
    ),
    options=(
        Option(
            "axis",
            "direction",
            "a direction from the centre of the first sphere towards contacts, in the first body's axes",
            example=(0.48, 0.6, 0.64),
        ),
        RADII,
        SIDE,
    ),
    summary="a sphere that rolls without slip on or in a sphere",
    word="rolling sphere",
    glyph="wheel",
    couples=True,
    contact="round",
    derive=centers,
)
