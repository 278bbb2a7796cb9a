"""Soft end stop between two points.

What acts:    pushes two points back that come too close or too far apart. It only pushes back: where the damper would
              pull, the stop lets go.
Positive:     the force pushes the points apart, below `lower`; above `upper` it is negative.
Formula:      F = −k s − c l′ with s = l − lower below it, l − upper above it, as far as F s < 0; else 0
Degenerate:   where the points meet its direction is lost: refused there.
Checked in:   tests/truth/test_stops.py
Source:       Kelvin–Voigt contact, as in Flores, Ambrósio, Claro and Lankarani, Kinematics and Dynamics of Multibody
              Systems with Imperfect Joints (2008)

    [force.bump]
    type = "stop"
    between = ["chassis.S", "wheel.S"]
    lower = 0.05
    stiffness = 80000
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.errors import ModelError


def in_order(options: Mapping[str, Any]) -> dict[str, list[float]]:
    """Refuses stops without a distance between them."""
    lower, upper = options.get("lower"), options.get("upper")
    if lower is not None and upper is not None and not lower < upper:
        raise ModelError(f"lower = {lower:g} must be below upper = {upper:g}")
    return {}


STOP = Element(
    name="stop",
    key="between",
    rows=(),
    formula=LoadFormula("stop", ("lower", "upper", "stiffness", "damping"), lets_go=True),
    options=(
        Option("lower", "length", "where it begins to push apart", default=float("-inf"), required=False, example=0.1),
        Option("upper", "length", "where it begins to pull back", default=float("inf"), required=False, example=0.2),
        Option("stiffness", "number", "force per length", measures="force/length", positive=True, example=40.0),
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
    summary="soft end stop between two points",
    word="stop",
    glyph="spring",
    either=("lower", "upper"),
    derive=in_order,
)
