"""Belt or chain.

What moves:   two wheels turn in the inverse ratio of their radii, seen from the body that carries their axes.
Zero:         `phase` is the angle of the second wheel where the first stands at zero, both seen from the carrier;
              at the estimates if left out.
Positive:     an open belt turns both in the same sense, a crossed one in opposite senses.
DOF:          none of its own. Rows: 1.
Formula:      r_i (φ_i − φ_c) − r_j (φ_j − φ_c − phase) = 0; crossed: + r_j
Degenerate:   radii must be positive. The belt does not stretch and does not slip.
Checked in:   tests/truth/test_gears.py
Source:       Shigley and Uicker, Theory of Machines and Mechanisms (1995)

    [joint.chain]
    type = "belt"
    between = ["pedal", "wheel"]
    radii = [90, 30]
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import CLOSING, Element, Option, Row


def _ratio(options: Mapping[str, Any]) -> dict[str, list[float]]:
    first, second = options["radii"]
    return {"factors": [first, second if options["run"] == "crossed" else -second]}


BELT = Element(
    name="belt",
    key="between",
    rows=(Row("ratio", ("factors", "phase"), ("run",), bodies=("i", "j", "carrier")),),
    options=(
        Option("radii", "lengths", "radii of the two wheels", example=(0.2, 0.1), positive=True),
        Option("run", ("open", "crossed"), "open or crossed", "open", required=False),
        Option("carrier", "body", "the body that carries both axes", "ground", required=False),
        Option("phase", "angle", "angle of the second wheel where the first stands at zero", CLOSING, required=False),
    ),
    summary="two wheels joined by a belt or chain that does not slip",
    word="belt",
    glyph="belt",
    ends="body",
    couples=True,
    derive=_ratio,
)
