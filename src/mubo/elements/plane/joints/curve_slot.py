"""Pin in a curved slot (point on a given curve).

What moves:   a point of the second body moves along a curve of the first, and the body turns about it.
Zero:         the curve stands in the first body's axes, from the first point: y(x), or x(s) and y(s), over a `range`;
              or a spline through `points`. Plain numbers are in the model's unit of length.
Positive:     along growing x, s, or from point to point.
DOF:          2 (follow, turn). Rows: 1.
Formula:      D(A_iᵀ (P_j − P_i)) = 0, D the signed distance from the curve, positive on its left: n · (d − c(s)) at the
              place s nearest to d, where c′(s) · (d − c(s)) = 0
Degenerate:   a curve that crosses itself, has a corner or has no tangent (c′ = 0) is refused. Beyond its ends an open
              slot goes on straight, which is noted where a run comes there. The direction is lost at the distance of
              the curve's reach from it: its least radius of curvature, or half the gap between two parts of it.
Checked in:   tests/truth/test_curve_slot.py
Source:       Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), section 3.4; Federer, Curvature
              Measures (1959), for the reach

    [joint.wire]
    type = "curve_slot"
    between = ["ground.O", "bead.P"]
    y = "2*x^2"
    range = [-1, 1]
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.elements.declare import Element, Option, Row


def place_on_curve(options: Mapping[str, Any], s: float) -> tuple[float, float]:
    """The place of a curve given by formulas at its parameter, which is x itself where only y is given."""
    at = np.array([s])
    return float(options["x"](at)[0, 0]) if "x" in options else s, float(options["y"](at)[0, 0])


CURVE_SLOT = Element(
    name="curve_slot",
    key="between",
    rows=(Row("curve", ("point_i", "point_j", "reach"), ("across the curve",)),),
    dofs=("follow", "turn"),
    options=(
        Option("x", "law", "x of the curve as a formula of s", required=False, measures="length", over="curve"),
        Option(
            "y",
            "law",
            "y of the curve as a formula of x, or of s where x is given too",
            required=False,
            measures="length",
            over="curve",
            example="0.3*x^2 + 0.1*x",
        ),
        Option("range", "interval", "of x, or of s: from where to where the curve goes", None, False, example=(-2, 2)),
        Option(
            "points", "contour", "places through which the curve goes as a spline, instead of formulas", None, False
        ),
        Option("ends", ("open", "closed"), "whether the curve comes back to where it begins", "open", False),
    ),
    summary="a pin in a curved slot: a point stays on a given curve of the other body",
    word="curved slot",
    glyph="curve",
    curved=True,
    path=place_on_curve,
)
