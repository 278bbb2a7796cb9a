"""Cam with a roller (or knife-edge) follower.

What moves:   the centre of a roller of the second body runs on the pitch curve of the cam, the first body.
Zero:         the cam angle θ is measured in the cam's own axes, from its x axis to the roller centre. With `turns` the
              lift is a law of the angle α by which the cam has turned in that sense, from its own angle zero, under a
              follower that rises along `travel` (in the axes of the ground).
Positive:     counter-clockwise. A cam that turns counter-clockwise under a standing follower runs through falling θ.
              `offset` is positive on the side where the cam's edge moves along with the rise.
DOF:          none of its own. Rows: 1.
Formula:      |P_j − C_i| − (base + roller + lift(θ)) = 0, θ = angle of P_j − C_i in cam axes; with `turns`, and the
              offset e: |P_j − C_i| = √(e² + (√((base + roller)² − e²) + lift(α))²)
Curvature:    ρ = (f² + f′²)^(3/2) / (f² + 2 f′² − f f″) of the pitch curve f(θ); the edge has ρ − roller.
Degenerate:   an edge that is undercut, 0 < ρ < roller, is reported. The roller centre must not reach the cam centre; a
              contour must go once around the centre.
Checked in:   tests/truth/test_cams.py
Source:       Chen, Mechanics and Design of Cam Mechanisms (1982); Norton, Design of Machinery, chapter 8

    [joint.cam]
    type = "cam_roller"
    between = ["cam.O", "follower.roller"]
    base = 30
    roller = 8
    lift = "5*(1 - cos(t))"
"""

from mubo.elements.declare import Element, Option, Row

LIFT = Option(
    "lift",
    "law",
    "lift over the base circle as a motion law of the cam angle",
    required=False,
    measures="length",
    over="angle",
)
TURNS = Option(
    "turns",
    ("clockwise", "counter-clockwise"),
    "the sense in which the cam turns: lift is then a law of the angle by which it has turned",
    None,
    False,
)
TRAVEL = Option(
    "travel", "angle", "with turns: direction of the follower's rise where the cam's angle is zero", None, False
)
BASE = Option("base", "length", "radius of the base circle", 0.0, required=False, example=0.5, least=0.0)
CONTOUR = Option(
    "contour", "contour", "points of the cam's edge in its own axes, instead of base and lift", None, False
)

CAM_ROLLER = Element(
    name="cam_roller",
    key="between",
    rows=(Row("cam_roller", ("point_i", "point_j"), ("contact",)),),
    options=(
        BASE,
        LIFT,
        CONTOUR,
        TURNS,
        TRAVEL,
        Option("offset", "length", "distance of the line of travel from the cam's centre", None, False),
        Option("roller", "length", "radius of the roller; 0 is a knife edge", 0.0, required=False, least=0.0),
    ),
    summary="a cam that moves a roller or a knife edge",
    word="cam",
    glyph="cam",
    couples=True,
    profiled=True,
)
