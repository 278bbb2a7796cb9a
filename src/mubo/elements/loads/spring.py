"""Spring and damper between two points.

What acts:    pulls two points together, or pushes them apart, along their line.
Positive:     tension is positive: F = k (l − length) + damping · l′.
Formula:      F = k (l − length) + c l′
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.strut]
    type = "spring"
    between = ["ground.A", "arm.B"]
    stiffness = 200
    length = 0.5
"""

from mubo.elements.declare import Element, Formula, Option

STIFFNESS = Option(
    "stiffness",
    "number",
    "force per length",
    measures="force/length",
    default=0.0,
    required=False,
    least=0.0,
    example=40.0,
)
LENGTH = Option("length", "length", "length without force", default=0.0, required=False, least=0.0, example=0.5)
DAMPING = Option(
    "damping",
    "number",
    "force per speed",
    measures="force*time/length",
    default=0.0,
    required=False,
    least=0.0,
    example=0.3,
)

SPRING = Element(
    name="spring",
    key="between",
    rows=(),
    formula=Formula("spring", ("stiffness", "length", "damping"), pulls=True),
    options=(
        STIFFNESS,
        LENGTH,
        DAMPING,
    ),
    summary="spring and damper between two points",
    word="spring",
    glyph="spring",
)
