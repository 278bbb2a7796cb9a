"""Force between two points.

What acts:    pushes two points apart, or pulls them together, along their line: a cylinder, a rope, a spring of any
              characteristic. Its size may depend on its own `length` and `rate`.
Positive:     pushes the points apart, as a cylinder that extends; a tension is negative.
Formula:      F = f on the second point, away from the first, −f on the first
Degenerate:   where the points meet its direction is lost: refused there.
Checked in:   tests/truth/test_loads_between.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.buffer]
    type = "force_between"
    between = ["ground.A", "arm.B"]
    force = "-200*(length - 0.1) - 5000*(length - 0.1)^3 - 3*rate"
"""

from mubo.elements.declare import Element, LoadFormula, Option

FORCE_BETWEEN = Element(
    name="force_between",
    key="between",
    rows=(),
    formula=LoadFormula("effort", law="force", own=("length", "rate")),
    options=(
        Option("force", "law", "size of the force over time or motion", measures="force", over="motion", example="2*t"),
    ),
    summary="force between two points",
    word="force",
    glyph="ram",
)
