"""Spring and damper between two points.

What acts:    pulls two points together, or pushes them apart, along their line.
Positive:     tension is positive: F = preload + k (l − length) + damping · l′.
Formula:      F = preload + k (l − length) + c l′
Degenerate:   where the points meet its direction is lost: refused there, if it still has a force.
Checked in:   tests/truth/test_space_forces.py
Source:       Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapters 9 and 11

    [force.strut]
    type = "spring"
    between = ["ground.A", "arm.B"]
    stiffness = 200
    length = 0.5
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import coefficient, preload
from mubo.errors import ModelError

STIFFNESS = coefficient("stiffness", "force per length", "force/length", 40.0)
LENGTH = Option("length", "length", "length without force", default=0.0, required=False, least=0.0, example=0.5)
DAMPING = coefficient("damping", "force per speed", "force*time/length", 0.3)


def without_force(rest: str, sign: float = 1.0) -> Any:
    """Where a spring with a preload has no force: a spring with a force of P at the length L has none at L − P/k.

    `rest` is the option of that place; `sign` is −1 where the preload is positive as an effort, not as a tension."""

    def derive(options: Mapping[str, Any]) -> dict[str, list[float]]:
        place, preload, k = (options.get(name) or 0.0 for name in (rest, "preload", "stiffness"))
        if preload and not k:
            raise ModelError("a preload needs a stiffness; a constant force is a force_between or an effort")
        return {"free": [place - sign * preload / k if preload else place]}

    return derive


SPRING = Element(
    name="spring",
    key="between",
    rows=(),
    formula=LoadFormula("spring", ("stiffness", "free", "damping"), pulls=True),
    options=(
        STIFFNESS,
        LENGTH,
        DAMPING,
        preload("length", "tension", "force", 2.0),
    ),
    summary="spring and damper between two points",
    word="spring",
    glyph="spring",
    either=("stiffness", "damping"),
    derive=without_force("length"),
)
