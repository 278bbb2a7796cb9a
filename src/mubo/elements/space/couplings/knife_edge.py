"""Knife edge in space: a skate, a blade, or a thin wheel whose own rotation does not matter.

What moves:   a point of the second body moves over a plane of the first along its own edge, never across it. What keeps
              the point in the plane is another joint.
Zero:         none.
Positive:     `axis` is the normal of the plane, in the first body's axes; `edge` the direction of the edge, in the
              second body's axes. The force acts along normal × edge.
DOF:          none of its own; one of the velocities less. Rows: 1 on velocities, none on positions.
Formula:      t · (V_j − V_i) = 0 at P_j with t = n × u / |n × u|
Degenerate:   the edge must not be square to the plane.
Checked in:   tests/truth/test_rolling_space.py
Source:       Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), chapter I

    [joint.blade]
    type = "knife_edge"
    between = ["ground.O", "sleigh.A"]
    axis = [0, 0, 1]
    edge = [1, 0, 0]
"""

from mubo.elements.declare import Element, Option, Row
from mubo.elements.space.couplings.rolling import NORMAL, unit_vector

KNIFE_EDGE = Element(
    name="knife_edge",
    key="between",
    rows=(Row("knife_edge", ("z_i", "point_j", "edge"), ("across the edge",), on_velocities=True),),
    options=(
        NORMAL,
        Option("edge", "direction", "direction of the edge, in the second body's axes", example=(0.48, 0.6, 0.64)),
    ),
    summary="a skate: a point moves over a plane along its own edge only",
    word="knife edge",
    glyph="edge",
    couples=True,
    derive=lambda options: {"edge": unit_vector(options["edge"])},
)
