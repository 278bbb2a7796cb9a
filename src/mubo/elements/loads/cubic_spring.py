"""Spring that grows stiffer or softer, and damper, between two points.

What acts:    pulls two points together, or pushes them apart, along their line.
Positive:     tension is positive; cubic > 0 grows stiffer, cubic < 0 softer.
Formula:      F = k (l − length) + b (l − length)³ + c l′
Checked in:   tests/truth/test_cubic_spring.py
Source:       Duffing, Erzwungene Schwingungen bei veränderlicher Eigenfrequenz (1918)

    [force.buffer]
    type = "cubic_spring"
    between = ["ground.A", "arm.B"]
    stiffness = 200
    cubic = 5000
    length = 0.5
"""

from mubo.elements.declare import Element, Formula, Option

CUBIC_SPRING = Element(
    name="cubic_spring",
    key="between",
    rows=(),
    formula=Formula("cubic_spring", ("stiffness", "cubic", "length", "damping")),
    options=(
        Option(
            "stiffness",
            "number",
            "force per length",
            measures="force/length",
            default=0.0,
            required=False,
            least=0.0,
            example=40.0,
        ),
        Option("cubic", "number", "force per cube of length", measures="force/length^3", example=25.0),
        Option("length", "length", "length without force", default=0.0, required=False, least=0.0, example=0.5),
        Option(
            "damping",
            "number",
            "force per speed",
            measures="force*time/length",
            default=0.0,
            required=False,
            least=0.0,
            example=0.3,
        ),
    ),
    summary="spring with a cubic term and damper between two points",
    word="spring",
    glyph="spring",
)
