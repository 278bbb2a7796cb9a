"""Friction in a joint.

What acts:    brakes a coordinate of a joint: by a part that grows with its rate, and by one that only opposes it, of
              constant size or from the reaction of the joint.
Positive:     `F.torque` or `F.force` acts on the second body along the coordinate: against its rate.
Formula:      τ = −viscous v − f s(v) sign v, f = effort, or μ r |R| of a pin, μ |N| of a guide or slot; s = 1, with
              `stribeck` w: s = 1 + (static_ratio − 1) exp(−(v/w)²)
Transmission: of the turn of a screw, r the mean radius of its thread, and of a wheel in a `mesh`, f = (1/η − 1) |L|
              where the coordinate drives, (1 − η') |L| where it is driven, L the torque with which thread or mesh
              resists it: η = tan λ/tan(λ + φ'), η' = tan(λ − φ')/tan λ, tan φ' = μ/cos α; or `efficiency` as given.
              It locks itself where λ ≤ φ': η' ≤ 0
Degenerate:   at rest only the viscous part counts: what it holds there is between −f and f. Where the motion is not
              prescribed and `speed` is given, tanh(v/speed) stands for sign v: slower than `speed` it creeps. Without
              `speed` a simulation locates stick and slip: it sticks as a constraint up to static_ratio f.
Checked in:   tests/truth/test_friction.py
Source:       Coulomb's law; in a pin it acts on the circle of the pin's radius; Budynas and Nisbett, Shigley's
              Mechanical Engineering Design (2015), 8-2 and 13-17 for threads and worms

    [force.friction]
    type = "friction"
    of = "A"
    coulomb = 0.1
    radius = 0.01
"""

from collections.abc import Mapping
from typing import Any

from mubo.elements.declare import Element, LoadFormula, Option
from mubo.elements.loads.options import coefficient
from mubo.errors import ModelError


def _whole(options: Mapping[str, Any]) -> dict[str, list[float]]:
    """Refuses what does not say how large it is. `of` is what the coordinate holds."""
    turns = options.get("of") == "angle"
    sizes = [name for name in ("coulomb", "effort", "efficiency") if options.get(name) is not None]
    if len(sizes) > 1:
        raise ModelError('it has "coulomb" (a coefficient), "effort" (a size) or "efficiency", one of them')
    if options.get("back_efficiency") is not None and "efficiency" not in sizes:
        raise ModelError('"back_efficiency" goes with "efficiency"')
    if float(options.get("efficiency") or 1.0) > 1 or float(options.get("back_efficiency") or 0.0) > 1:
        raise ModelError("an efficiency is at most 1")
    if options.get("mesh") is not None and options.get("radius") is not None:
        raise ModelError('the friction of a "mesh" has no "radius": the worm states its own')
    if options.get("coulomb") is None and options.get("radius") is not None:
        raise ModelError('"radius" is that of a pin with friction by its reaction: it needs "coulomb"')
    if options.get("coulomb") is not None and turns and options.get("radius") is None and not options.get("mesh"):
        raise ModelError('"radius" is missing: the radius of the pin, at which the friction of its reaction acts')
    if options.get("radius") is not None and not turns and options.get("of"):
        raise ModelError('a slide has no "radius": its friction is coulomb times the normal force')
    return {}


FRICTION = Element(
    name="friction",
    key="of",
    rows=(),
    formula=LoadFormula("friction", ("viscous", "static_ratio", "stribeck", "speed"), law="effort", smooths="speed"),
    options=(
        Option("coulomb", "number", "coefficient μ", required=False, least=0.0, example=0.1),
        Option(
            "radius", "length", "radius of the pin, or mean of a thread", required=False, positive=True, example=0.01
        ),
        Option("flank_angle", "angle", "of a thread's flank: half its profile angle", 0.0, False, least=0.0),
        Option("mesh", "text", "wheels whose loss it is: the bearing `of` carries one of them", required=False),
        Option("efficiency", "number", "of a screw or mesh, from its first wheel on", required=False, positive=True),
        Option(
            "back_efficiency",
            "number",
            "driven back; zero or less: it locks itself. `efficiency` if left out",
            required=False,
        ),
        Option(
            "effort",
            "law",
            "friction torque or force, instead of coulomb",
            measures="effort",
            required=False,
            over="motion",
            example="0.4",
        ),
        Option(
            "static_ratio",
            "number",
            "static over kinetic friction, where stick and slip are located, or with `stribeck`",
            default=1.0,
            required=False,
            least=1.0,
            example=1.2,
        ),
        Option(
            "stribeck",
            "number",
            "rate over which friction falls from its static to its kinetic size (Stribeck)",
            measures="coordinate/time",
            default=0.0,
            required=False,
            positive=True,
            example=0.5,
        ),
        coefficient("viscous", "effort per rate", "effort*time/coordinate", 0.1),
        Option(
            "speed",
            "number",
            "rate below which it creeps where the motion is not prescribed; without it, it sticks and slips exactly",
            measures="coordinate/time",
            default=0.0,
            required=False,
            positive=True,
            example=0.5,
        ),
    ),
    summary="friction in a joint: viscous, and Coulomb's",
    word="friction",
    glyph="coil",
    either=("coulomb", "effort", "efficiency", "viscous"),
    derive=_whole,
)
