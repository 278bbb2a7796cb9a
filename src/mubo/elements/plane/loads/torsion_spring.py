"""Torsional spring and damper between two bodies, in the plane.

What acts:    turns two bodies back to a free angle between them and brakes their turning.
Positive:     the torque acts on the second body, counter-clockwise: preload − k (φ_j − φ_i − angle) − c (ω_j − ω_i).
Formula:      M_j = preload − k (φ_j − φ_i − angle) − c (ω_j − ω_i), M_i = −M_j
Checked in:   tests/truth/test_loads_between.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapter 9

    [force.coil]
    type = "torsion_spring"
    between = ["ground", "lever"]
    stiffness = 2
    angle = "30 deg"
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.spring import without_force

TORSION_SPRING = Element(
    name="torsion_spring",
    key="between",
    ends="body",
    rows=(),
    formula=LoadFormula("spring", ("stiffness", "free", "damping")),
    options=(
        Option(
            "stiffness",
            "number",
            "torque per radian",
            measures="torque/angle",
            default=0.0,
            required=False,
            usual_least=0.0,
            example=3.0,
        ),
        Option(
            "angle", "angle", "angle without torque, second body minus first", default=0.0, required=False, example=0.2
        ),
        Option(
            "damping",
            "number",
            "torque per angular velocity",
            measures="torque*time/angle",
            default=0.0,
            required=False,
            usual_least=0.0,
            example=0.1,
        ),
        Option("preload", "number", "torque at `angle`", measures="torque", default=0.0, required=False, example=0.4),
    ),
    summary="torsional spring and damper between two bodies",
    word="torsion spring",
    glyph="coil",
    either=("stiffness", "damping"),
    derive=without_force("angle", -1.0),
)
