"""Knife edge in the plane: a skate, or a wheel seen from above.

What moves:   a point of the second body moves over the first along its own edge, never across it; the body may turn
              about the point. Nothing limits where it can get: only its velocity is constrained.
Zero:         none.
Positive:     `axis` is the direction of the edge, in the second body's axes; the force acts along its left normal.
DOF:          none of its own; one of the velocities less. Rows: 1 on velocities, none on positions.
Formula:      n · (V_j − V_i) = 0 at P_j with n square to the edge
Degenerate:   an axis of zero length is refused. Two edges on one line with a common normal constrain the same velocity.
Checked in:   tests/truth/test_rolling_plane.py
Source:       Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972), chapter I

    [joint.blade]
    type = "knife_edge"
    between = ["ground.O", "sleigh.A"]
    axis = [1, 0]
"""

from mubo.elements.declare import Element, Option, Row

EDGE = Option("axis", "direction", "direction of the edge, in the second body's axes", example=(0.6, 0.8))

KNIFE_EDGE = Element(
    name="knife_edge",
    key="between",
    rows=(Row("knife_edge", ("point_j", "axis"), ("across the edge",), on_velocities=True),),
    options=(EDGE,),
    summary="a skate or a wheel seen from above: its point moves along its edge only",
    word="knife edge",
    glyph="edge",
    couples=True,
)
