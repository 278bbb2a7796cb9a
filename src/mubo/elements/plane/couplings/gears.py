"""Gear pair.

What moves:   two wheels turn in the ratio of their pitch radii, seen from the body that carries their axes.
Zero:         `phase` is the angle of the second wheel where the first stands at zero, both seen from the carrier;
              at the estimates if left out.
Positive:     external wheels turn in opposite senses, internal ones in the same.
DOF:          none of its own. Rows: 1.
Formula:      r_i (φ_i − φ_c) + r_j (φ_j − φ_c − phase) = 0; internal: −r_j
Sizes:        pitch radii, or numbers of teeth z with the module m: r = m z/2. The distance of the axes on the carrier
              should be r_i + r_j (internal: the difference); a note states another one.
Forces:       tooth force F across the line of centres, and F tan α along it, α the `pressure_angle` (20° if left out).
Degenerate:   radii must be positive; internal radii must differ. Teeth are whole numbers.
Checked in:   tests/truth/test_gears.py
Source:       Willis, Principles of Mechanism (1870)

    [joint.mesh]
    type = "gears"
    between = ["sun", "planet"]
    teeth = [40, 20]
    module = 1
    carrier = "arm"
"""

import math
from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import CLOSING, Element, Option, Row
from mubo.errors import ModelError


def pitch_radii(options: Mapping[str, Any]) -> tuple[float, float]:
    """Pitch radii of the two wheels: as given, or r = m z/2 by module and numbers of teeth."""
    if options.get("radii") is not None:
        first, second = options["radii"]
    else:
        first, second = (options["module"] * teeth / 2 for teeth in options["teeth"])
    return first, second


def _ratio(options: Mapping[str, Any]) -> dict[str, list[float]]:
    first, second = pitch_radii(options)
    internal = options["mesh"] == "internal"
    if internal and first == second:
        raise ModelError(f"an internal mesh needs two different radii; both are {first:g}")
    return {"factors": [first, -second if internal else second]}


GEARS = Element(
    name="gears",
    key="between",
    rows=(Row("ratio", ("factors", "phase"), ("mesh",), bodies=("i", "j", "carrier")),),
    options=(
        Option("radii", "lengths", "pitch radii of the two wheels", required=False, example=(0.2, 0.1), positive=True),
        Option("teeth", "counts", "numbers of teeth of the two wheels, instead of radii", required=False),
        Option("module", "length", "pitch diameter per tooth, with `teeth`", required=False, positive=True),
        Option("mesh", ("external", "internal"), "external or internal teeth", "external", required=False),
        Option("carrier", "body", "the body that carries both axes", "ground", required=False),
        Option(
            "pressure_angle",
            "angle",
            "of the teeth, which push the wheels apart; 20 deg if left out, as of standard spur gears",
            math.radians(20),
            required=False,
            least=0.0,
        ),
        Option("phase", "angle", "angle of the second wheel where the first stands at zero", CLOSING, required=False),
    ),
    summary="two wheels that turn in the ratio of their radii, also on a moving carrier",
    word="gear pair",
    glyph="gears",
    ends="body",
    couples=True,
    meshes=True,
    toothed="module",
    derive=_ratio,
)
