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

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.spring import DAMPING, LENGTH, STIFFNESS

CUBIC_SPRING = Element(
    name="cubic_spring",
    key="between",
    rows=(),
    formula=LoadFormula("cubic_spring", ("stiffness", "cubic", "length", "damping"), pulls=True),
    options=(
        STIFFNESS,
        Option("cubic", "number", "force per cube of length", measures="force/length^3", example=25.0),
        LENGTH,
        DAMPING,
    ),
    summary="spring with a cubic term and damper between two points",
    word="spring",
    glyph="spring",
)
