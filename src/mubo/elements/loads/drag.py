"""Drag of a medium (air, water) on a point of a body.

What acts:    brakes a point of a body against the medium around it: linearly (slow flow, Stokes) and with the square of
              its speed (fast flow, c2 = ½ ρ c_w A).
Positive:     against the velocity of the point in the medium. `medium` is the velocity of the medium itself in ground
              axes, such as wind; left out, it rests. What moving air brings in counts as supplied.
Formula:      F = −(linear + quadratic |u|) u, u = v − medium
Degenerate:   never: where the point rests in the medium the slope of F by the speed is that of its linear part.
Checked in:   tests/truth/test_drag.py
Source:       Landau and Lifshitz, Fluid Mechanics (1987), sections 20 and 45

    [force.air]
    type = "drag"
    at = "stone.C"
    quadratic = "0.02 N s^2/m^2"
"""

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import coefficient

DRAG = Element(
    name="drag",
    key="at",
    rows=(),
    formula=LoadFormula("drag", ("point", "linear", "quadratic", "medium"), medium="medium"),
    options=(
        coefficient("linear", "force per speed", "force*time/length", 0.3),
        coefficient("quadratic", "force per square of the speed", "force*time^2/length^2", 0.7),
        Option(
            "medium",
            "vector",
            "velocity of the medium in ground axes",
            measures="length/time",
            required=False,
        ),
    ),
    summary="drag of a medium on a point of a body",
    word="drag",
    glyph="arrow",
    either=("linear", "quadratic"),
)
