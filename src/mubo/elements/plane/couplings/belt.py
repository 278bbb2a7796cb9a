"""Belt or chain.

What moves:   two wheels turn in the inverse ratio of their radii, seen from the body that carries their axes.
Zero:         `phase` is the angle of the second wheel where the first stands at zero, both seen from the carrier;
              at the estimates if left out.
Positive:     an open belt turns both in the same sense, a crossed one in opposite senses.
DOF:          none of its own. Rows: 1.
Formula:      r_i (φ_i − φ_c) − r_j (φ_j − φ_c − phase) = 0; crossed: + r_j
Sizes:        radii, or of a chain the numbers of teeth z of its sprockets with its `pitch` p: as many links go over one
              as over the other, so that r = z p/(2π) above; they are drawn with the circle p/(2 sin(π/z)) of the pins.
              What the straight links of a chain add within a tooth (polygonal action) is left out.
Degenerate:   radii must be positive, and a sprocket has six teeth or more. The belt does not stretch and does not slip.
Checked in:   tests/truth/test_gears.py
Source:       Shigley and Uicker, Theory of Machines and Mechanisms (1995)

    [joint.chain]
    type = "belt"
    between = ["pedal", "wheel"]
    teeth = [42, 14]
    pitch = 12.7
"""

import math
from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import CLOSING, Element, Option, Row
from mubo.errors import ModelError

FEWEST = 6  # teeth of a sprocket


def wheel_radii(options: Mapping[str, Any]) -> tuple[float, float]:
    """Radii of the two wheels as they are drawn: of a chain those of the circles of its pins."""
    if options.get("radii") is not None:
        first, second = options["radii"]
    else:
        first, second = (options["pitch"] / (2 * math.sin(math.pi / teeth)) for teeth in options["teeth"])
    return first, second


def _ratio(options: Mapping[str, Any]) -> dict[str, list[float]]:
    if options.get("radii") is not None:
        first, second = options["radii"]
    else:
        if min(options["teeth"]) < FEWEST:
            raise ModelError(f"a sprocket has {FEWEST} teeth or more; found {min(options['teeth'])}")
        first, second = (options["pitch"] * teeth / (2 * math.pi) for teeth in options["teeth"])
    return {"factors": [first, second if options["run"] == "crossed" else -second]}


BELT = Element(
    name="belt",
    key="between",
    rows=(Row("ratio", ("factors", "phase"), ("run",), bodies=("i", "j", "carrier")),),
    options=(
        Option("radii", "lengths", "radii of the two wheels", required=False, example=(0.2, 0.1), positive=True),
        Option("teeth", "counts", "numbers of teeth of the two sprockets of a chain, instead of radii", required=False),
        Option("pitch", "length", "distance of the pins of the chain, with `teeth`", required=False, positive=True),
        Option("run", ("open", "crossed"), "open or crossed", "open", required=False),
        Option("carrier", "body", "the body that carries both axes", "ground", required=False),
        Option("phase", "angle", "angle of the second wheel where the first stands at zero", CLOSING, required=False),
    ),
    summary="two wheels joined by a belt or chain that does not slip",
    word="belt",
    glyph="belt",
    ends="body",
    couples=True,
    toothed="pitch",
    derive=_ratio,
)
