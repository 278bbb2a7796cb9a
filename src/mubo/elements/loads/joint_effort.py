"""Effort in a joint.

What acts:    turns or pushes a coordinate of a joint.
Positive:     on the second body, in the positive sense of the coordinate.
Formula:      τ = f(t)
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.motor]
    type = "joint_effort"
    of = "A"
    effort = "2 - t"
"""

from mubo.elements.declare import Element, Formula, Option

JOINT_EFFORT = Element(
    name="joint_effort",
    key="of",
    rows=(),
    formula=Formula("effort", law="effort"),
    options=(Option("effort", "law", "torque or force over time", measures="effort", example="0.5*sin(2*t)"),),
    summary="torque or force in a joint, over time",
    word="effort",
    glyph="effort",
)
