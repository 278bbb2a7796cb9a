"""Geneva drive (Maltese cross).

What moves:   the pin of a crank, the first body, enters a slot of the wheel at every turn and moves it on by one slot;
              outside, the disc of the crank locks the wheel, which dwells.
Zero:         `slot_angle` is the angle of a slot in the axes of the wheel.
Positive:     the wheel turns against the crank.
DOF:          none of its own. Rows: 1.
Formula:      φ_j + slot_angle = angle of the pin from P_j, |α| < π/2 − π/n; else that of P_i ∓ π/n. The wheel turns by
              β = atan(λ sin α/(1 − λ cos α)), λ = sin(π/n)
Sizes:        the pin runs into the mouth of a slot along it: crank = distance of the centres · sin(π/n).
Degenerate:   three slots or more. At the mouth the wheel's acceleration jumps by ω² tan(π/n): the pin must take it.
Checked in:   tests/truth/test_geneva.py
Source:       Bickford, Mechanisms for Intermittent Motion (1972); Norton, Design of Machinery

    [joint.cross]
    type = "geneva"
    between = ["crank.O", "wheel.D"]
    pin = [30, 0]
    slots = 4
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import Element, Option, Row
from mubo.errors import ModelError


def _pin(options: Mapping[str, Any]) -> dict[str, list[float]]:
    """Refuses slots that are no whole number."""
    slots = options["slots"]
    if slots != round(slots):
        raise ModelError(f"a Geneva wheel has a whole number of slots; found {slots:g}")
    return {"pin": list(options["pin"])}


GENEVA = Element(
    name="geneva",
    key="between",
    rows=(Row("geneva", ("point_i", "point_j", "pin", "slot_angle", "slots"), ("slot and lock",)),),
    options=(
        Option("pin", "vector", "the pin in the crank's axes", measures="length", example=(0.3, 0.1)),
        Option("slot_angle", "angle", "angle of a slot in the wheel's axes", 0.0, required=False),
        Option("slots", "number", "number of slots", 4.0, required=False, least=3.0, example=4.0),
    ),
    summary="an ideal Geneva drive: a pin indexes a slotted wheel, which dwells in between",
    word="Geneva drive",
    glyph="geneva",
    couples=True,
    derive=_pin,
)
