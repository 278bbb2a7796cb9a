"""Effort in a joint.

What acts:    turns or pushes a coordinate of a joint. As a curve over its own rate v it is a motor.
Positive:     on the second body, in the positive sense of the coordinate.
Formula:      τ = f
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.motor]
    type = "joint_effort"
    of = "A"
    effort = { points = [[0, 3], [150, 0]], over = "v" }
"""

from mubo.elements.declare import Element, LoadFormula, Option

JOINT_EFFORT = Element(
    name="joint_effort",
    key="of",
    rows=(),
    formula=LoadFormula("effort", law="effort", own=("q", "v")),
    options=(
        Option(
            "effort",
            "law",
            "torque or force over time or motion",
            measures="effort",
            over="motion",
            example="0.5*sin(2*t)",
        ),
    ),
    summary="torque or force in a joint",
    word="effort",
    glyph="effort",
)
