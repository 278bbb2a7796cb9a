"""Cam with a flat follower.

What moves:   a flat face of the second body stays in touch with the cam, the first body.
Zero:         the cam angle ψ is measured in the cam's own axes, from its x axis to the normal of the face. With `turns`
              the lift is a law of the angle α by which the cam has turned in that sense, from its own angle zero, under
              a face whose normal points along `travel` (in the axes of the ground).
Positive:     counter-clockwise.
DOF:          none of its own. Rows: 1.
Formula:      n · (P_j − C_i) − (base + lift(ψ)) = 0, n the normal of the face through P_j, away from the cam
Curvature:    ρ = base + lift + lift″ of the edge.
Degenerate:   base + lift + lift″ must stay positive, else the cam has a hollow that a flat face cannot touch: refused.
Checked in:   tests/truth/test_cams.py
Source:       Chen, Mechanics and Design of Cam Mechanisms (1982); Norton, Design of Machinery, chapter 8

    [joint.cam]
    type = "cam_flat"
    between = ["cam.O", "tappet.face"]
    normal = [0, 1]
    base = 20
    lift = "5*(1 - cos(t))"
"""

from mubo.elements.declare import Element, Option, Row
from mubo.elements.plane.couplings.cam_roller import BASE, CONTOUR, LIFT, TRAVEL, TURNS

CAM_FLAT = Element(
    name="cam_flat",
    key="between",
    rows=(Row("cam_flat", ("point_i", "point_j", "normal"), ("contact",)),),
    options=(
        Option("normal", "direction", "normal of the face, away from the cam, in the follower's axes", example=(0, 1)),
        BASE,
        LIFT,
        CONTOUR,
        TURNS,
        TRAVEL,
    ),
    summary="a cam that moves a flat face",
    word="cam",
    glyph="cam",
    couples=True,
    profiled=True,
)
