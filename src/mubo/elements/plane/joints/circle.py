"""Point on a circle (a pin in a circular slot).

What moves:   a point of the second body moves on a circle of the first; both bodies turn freely.
DOF:          2 (swing, turn). Rows: 1.
Formula:      |P_j − C_i| − radius = 0, C_i the first point
Degenerate:   at the centre of the circle the direction is lost: a radius of zero is refused.
Checked in:   tests/truth/test_distance.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), chapter 3

    [joint.arc]
    type = "circle"
    between = ["plate.C", "pin.P"]
    radius = "25 mm"
"""

from mubo.elements.declare import Element, Option, Row

CIRCLE = Element(
    name="circle",
    key="between",
    rows=(Row("distance", ("point_i", "point_j", "radius"), ("radius",)),),
    dofs=("swing", "turn"),
    options=(Option("radius", "length", "radius of the circle", example=0.7, positive=True),),
    summary="a pin in a circular slot: a point stays on a circle of the other body",
    word="circular slot",
    glyph="ring",
)
