"""Force on a point of a body, in space.

What acts:    acts at a point of a body in a direction of the ground or of the body.
Positive:     in the given direction, of length one.
Formula:      F = f u
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.push]
    type = "point_force"
    at = "arm.B"
    direction = [0, 0, 1]
    force = "10*sin(t)"
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import AXES, FORCE

POINT_FORCE = Element(
    name="point_force",
    key="at",
    rows=(),
    formula=LoadFormula("point_force", ("point", "direction", "axes"), law="force"),
    options=(
        Option("direction", "direction", "direction of the force", example=(0.0, 0.6, 0.8)),
        AXES,
        FORCE,
    ),
    summary="force on a point of a body",
    word="force",
    glyph="arrow",
)
