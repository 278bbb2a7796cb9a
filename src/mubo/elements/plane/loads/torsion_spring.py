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
from mubo.elements.loads.options import coefficient, preload
from mubo.elements.loads.spring import without_force

TORSION_SPRING = Element(
    name="torsion_spring",
    key="between",
    ends="body",
    rows=(),
    formula=LoadFormula("spring", ("stiffness", "free", "damping")),
    options=(
        coefficient("stiffness", "torque per radian", "torque/angle", 3.0),
        Option(
            "angle", "angle", "angle without torque, second body minus first", default=0.0, required=False, example=0.2
        ),
        coefficient("damping", "torque per angular velocity", "torque*time/angle", 0.1),
        preload("angle", "torque", "torque", 0.4),
    ),
    summary="torsional spring and damper between two bodies",
    word="torsion spring",
    glyph="coil",
    either=("stiffness", "damping"),
    derive=without_force("angle", -1.0),
)
